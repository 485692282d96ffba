import { transportsStrings } from '../strings/transports.ts'
import { abortedOpening } from './opening.ts'
import { type Transport, TransportError } from './transport.ts'

/** Opens a transport's links by code that is loaded with the first attempt. Code that does not load is an attempt without an answer. */
export const openLate =
  (load: () => Promise<Transport['open']>): Transport['open'] =>
  async (target, sink, signal) => {
    if (signal.aborted) throw abortedOpening(signal)
    const open = await load().catch(throwNotLoaded)
    return open(target, sink, signal)
  }

function throwNotLoaded(error: unknown): never {
  throw new TransportError({ code: 'refused', detail: transportsStrings.details.noAnswerCame }, error)
}
