import type { OpenDownstream } from './http-link.ts'
import { openLate } from './late-opening.ts'
import type { NetworkTransport, TransportDescriptor } from './transport.ts'

interface HttpTransportOptions extends TransportDescriptor {
  /** Loads what alone this transport needs. */
  readonly loadDownstream: () => Promise<OpenDownstream>
}

/** A transport of plain requests. Few windows need another than WebSocket, so what opens its links is loaded late. */
export function createHttpTransport({
  loadDownstream,
  ...descriptor
}: HttpTransportOptions): NetworkTransport {
  const loadOpen = async () => {
    const [{ openHttpLinksBy }, openDownstream] = await Promise.all([
      import('./http-link.ts'),
      loadDownstream(),
    ])
    return openHttpLinksBy(descriptor, openDownstream)
  }
  return { ...descriptor, open: openLate(loadOpen), loadAhead: loadOpen }
}
