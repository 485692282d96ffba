import { strings } from '../strings/transports.ts'
import { type NetworkTransportId, transportDescriptors } from './descriptors.ts'
import { abortedOpening } from './opening.ts'
import { type Transport, TransportError } from './transport.ts'

/** A transport whose code is loaded with its first attempt. Code that does not load is an attempt without an answer. */
export const lateTransport = (id: NetworkTransportId, load: () => Promise<Transport>): Transport => ({
  id,
  capabilities: transportDescriptors[id],
  async open(target, sink, signal) {
    if (signal.aborted) throw abortedOpening(signal)
    const transport = await load().catch(throwNotLoaded)
    return transport.open(target, sink, signal)
  },
})

function throwNotLoaded(error: unknown): never {
  throw new TransportError({ code: 'refused', detail: strings.details.noAnswerCame }, error)
}
