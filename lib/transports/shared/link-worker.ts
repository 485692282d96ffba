/**
 * What runs in the shared worker: a link for each different request, and the ports of the windows that use it. A window holds a lock for
 * as long as it lives, and so does the worker: the other side asks for that lock, and is granted it once the holder is dead.
 */
import type { LocksLike } from '../../locks.ts'
import { acquireWindowLock, onWindowGone, type WindowLock } from '../../window-group/window-lock.ts'
import { transportsStrings } from '../../strings/transports.ts'
import type { NetworkPlatform } from '../net/net.ts'
import type { Transport, TransportId } from '../transport.ts'
import { SharedLink, SharedPort } from './shared-link.ts'
import type { LinkRequest, PortLike, SubLinkRequest, WorkerMessage } from './worker-messages.ts'

interface LinkWorkerOptions {
  readonly transports: ReadonlyMap<TransportId, Transport>
  readonly net: NetworkPlatform
  readonly locks: LocksLike
}

export class LinkWorker {
  readonly #options: LinkWorkerOptions
  readonly #own: WindowLock
  readonly #sharedLinks = new Map<string, SharedLink>()

  constructor(options: LinkWorkerOptions) {
    this.#options = options
    this.#own = acquireWindowLock(options.locks)
  }

  /** Answers only once the worker's lock is held: from then on the window can tell whether the worker lives. */
  async open({ window, link }: SubLinkRequest, port: PortLike): Promise<void> {
    await this.#own.whenHeld
    port.postMessage({ type: 'here', worker: this.#own.id } satisfies WorkerMessage)
    const stopWatching = onWindowGone(this.#options.locks, window, () =>
      sharedPort.end({ code: 'lost', detail: transportsStrings.details.windowGone }),
    )
    const sharedPort = new SharedPort(port, this.#sharedLinkFor(link), stopWatching)
  }

  #sharedLinkFor(request: LinkRequest): SharedLink {
    const key = JSON.stringify(request)
    const existing = this.#sharedLinks.get(key)
    if (existing) return existing
    const { transport, ...target } = request
    const { transports, net } = this.#options
    const sharedLink = new SharedLink(transports.get(transport)!, { ...target, net }, () =>
      this.#sharedLinks.delete(key),
    )
    this.#sharedLinks.set(key, sharedLink)
    return sharedLink
  }
}
