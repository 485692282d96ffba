/**
 * One link for the windows of a browser, where HTTP/1.1 allows a page's origin six connections: a shared worker opens it by `base`. It is
 * a decorator, not a transport of its own: pins, choices and evidence are those of `base`. Where no worker answers, the window has a
 * link of its own.
 */
import { abortedOpening, openingError } from '../opening.ts'
import type { Link, LinkTarget, Sink, Transport } from '../transport.ts'
import type { LinkWorkerClient } from './link-worker-client.ts'

export function shareTransport(base: Transport, worker: LinkWorkerClient): Transport {
  const openShared = async (target: LinkTarget, sink: Sink, signal: AbortSignal): Promise<Link> => {
    const { origin, token, streamedBody } = target
    const windowLink = await worker.requestSubLink({
      transport: base.id,
      origin,
      ...(token !== undefined && { token }),
      ...(streamedBody !== undefined && { streamedBody }),
    })
    return windowLink ? windowLink.open(sink, signal) : base.open(target, sink, signal)
  }
  return {
    id: base.id,
    capabilities: base.capabilities,
    async open(target, sink, signal) {
      if (signal.aborted) throw abortedOpening(signal)
      if (!shouldShareLink(target)) return base.open(target, sink, signal)
      try {
        return await openShared(target, sink, signal)
      } catch (error) {
        throw openingError(error, signal)
      }
    },
  }
}

/** HTTP/2 carries all streams of all windows in one connection: there sharing would only add a step. */
export function shouldShareLink({ sharing = 'automatic', origin, net }: LinkTarget): boolean {
  if (sharing !== 'automatic') return sharing === 'always'
  return origin.startsWith('http:') || net.protocolOf(origin) === 'http/1.1'
}
