/** Makes the transports of a page share links with the browser's other windows. Outside browsers nothing is shared. */
import { browserWindowPlatform } from '../../window-group/browser-window-platform.ts'
import { transportDescriptors } from '../descriptors.ts'
import type { Transport, TransportId } from '../transport.ts'
import { LinkWorkerClient, type LinkWorkerHandle, type SharingPlatform } from './link-worker-client.ts'
import { shareTransport } from './shared-transport.ts'
import type { PortLike, SubLinkRequest } from './worker-messages.ts'

const isShareable = (id: TransportId): boolean => id !== 'memory' && transportDescriptors[id].isShareable

type Transports = ReadonlyMap<TransportId, Transport>

/** Called once for a page, so that all its documents use the same worker. */
export function shareAmongWindows(transports: Transports, platform = pageSharingPlatform()): Transports {
  if (!platform) return transports
  const worker = new LinkWorkerClient(platform)
  const entries = [...transports].map(
    ([id, transport]) => [id, isShareable(id) ? shareTransport(transport, worker) : transport] as const,
  )
  return new Map(entries)
}

function pageSharingPlatform(): SharingPlatform | null {
  const neighbours = typeof SharedWorker === 'undefined' ? undefined : browserWindowPlatform()
  if (!neighbours) return null
  const { own, locks } = neighbours
  return { own, locks, startWorker: () => new PageLinkWorker() }
}

class PageLinkWorker implements LinkWorkerHandle {
  readonly whenFailed: Promise<void>
  readonly #worker = new SharedWorker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
    name: 'diptych',
  })

  constructor() {
    this.whenFailed = new Promise((resolve) => this.#worker.addEventListener('error', () => resolve()))
  }

  openPort(request: SubLinkRequest): PortLike {
    const { port1, port2 } = new MessageChannel()
    this.#worker.port.postMessage(request, [port2])
    return port1
  }
}
