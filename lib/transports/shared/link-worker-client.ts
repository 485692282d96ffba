/** A window's way to the worker that holds the shared links. It starts the worker, and notices when there is none that answers. */
import type { LocksLike } from '../../locks.ts'
import { onWindowGone, type WindowLock } from '../../window-group/window-lock.ts'
import { WindowLink } from './window-link.ts'
import type { LinkRequest, PortLike, SubLinkRequest } from './worker-messages.ts'

/** How long a worker may take to start and answer. Then the window opens a link of its own within the same attempt. */
const ANSWER_TIMEOUT_MS = 1_000
/** A timer that fires later than this shows that the page was busy: the answer may be waiting, too, and gets a moment more. */
const LATE_MS = 100
const EXTRA_MS = 500

/** The smallest interface of the platform that sharing a link needs, so that one test process can hold several windows. */
export interface SharingPlatform {
  readonly own: WindowLock
  readonly locks: LocksLike
  /** Finds the browser's worker, or starts it. Throws where there are no shared workers. */
  startWorker(): LinkWorkerHandle
}

export interface LinkWorkerHandle {
  /** Resolves if the script cannot be loaded. */
  readonly whenFailed: Promise<void>
  /** Sends the request with one end of a channel, and returns the other. */
  openPort(request: SubLinkRequest): PortLike
}

export class LinkWorkerClient {
  readonly #platform: SharingPlatform
  #worker: LinkWorkerHandle | null = null

  constructor(platform: SharingPlatform) {
    this.#platform = platform
  }

  /** Resolves to null if no worker answers in time. The next request then looks for the worker anew. */
  async requestSubLink(link: LinkRequest): Promise<WindowLink | null> {
    const { own } = this.#platform
    try {
      await own.whenHeld
      const worker = (this.#worker ??= this.#platform.startWorker())
      const windowLink = new WindowLink(link.transport, worker.openPort({ window: own.id, link }))
      return await this.#waitForAnswer(worker, windowLink)
    } catch {
      return null
    }
  }

  async #waitForAnswer(worker: LinkWorkerHandle, windowLink: WindowLink): Promise<WindowLink | null> {
    const timeout = new AnswerTimeout()
    const workerId = await Promise.race([windowLink.whenAnswered, worker.whenFailed, timeout.whenOver])
    timeout.cancel()
    if (workerId === undefined) {
      windowLink.close({ code: 'done' })
      this.#forget(worker)
      return null
    }
    const stopWatching = onWindowGone(this.#platform.locks, workerId, () => {
      this.#forget(worker)
      windowLink.onWorkerGone()
    })
    void windowLink.whenEnded.then(stopWatching)
    return windowLink
  }

  #forget(worker: LinkWorkerHandle): void {
    if (this.#worker === worker) this.#worker = null
  }
}

class AnswerTimeout {
  readonly whenOver: Promise<void>
  readonly #over = Promise.withResolvers<void>()
  readonly #startedAt = performance.now()
  #timer = setTimeout(() => this.#onTimer(), ANSWER_TIMEOUT_MS)

  constructor() {
    this.whenOver = this.#over.promise
  }

  cancel(): void {
    clearTimeout(this.#timer)
  }

  #onTimer(): void {
    const isLate = performance.now() - this.#startedAt > ANSWER_TIMEOUT_MS + LATE_MS
    if (isLate) this.#timer = setTimeout(() => this.#over.resolve(), EXTRA_MS)
    else this.#over.resolve()
  }
}
