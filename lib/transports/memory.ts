/** Two ends linked within one process: for demos, fuzzing, and most tests of the layers above. */
import type { CloseReason } from '../protocol/close.ts'
import { strings } from '../strings/transports.ts'
import { HANDED, LinkEnd, type Wire } from './link.ts'
import type { Link, LinkInfo, Sink, Transport } from './transport.ts'
import { TransportError } from './transport.ts'

/** The server's side of an opening. Throws a TransportError to refuse it. */
export type Accept = (link: Link) => Sink

/** Runs tasks later, in order: a test brings its own to hold, delay or drop what is on its way. */
export type Deliver = (task: () => void) => void

const info: LinkInfo = { transport: 'memory', protocol: '', up: 'frames' }

class MemoryWire implements Wire {
  readonly info = info
  readonly #deliver: Deliver
  other!: LinkEnd

  constructor(deliver: Deliver) {
    this.#deliver = deliver
  }

  write(frame: Uint8Array): Promise<void> {
    const copy = new Uint8Array(frame)
    this.#deliver(() => this.other.receive(copy))
    return HANDED
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    if (side === 'here') this.#deliver(() => this.other.ended(reason))
  }
}

function linkedEnds(deliver: Deliver): [LinkEnd, LinkEnd] {
  const wires = [new MemoryWire(deliver), new MemoryWire(deliver)] as const
  const ends: [LinkEnd, LinkEnd] = [new LinkEnd(wires[0]), new LinkEnd(wires[1])]
  wires[0].other = ends[1]
  wires[1].other = ends[0]
  return ends
}

/** Two linked ends. Frames arrive in later microtasks unless `deliver` says otherwise. */
export function memoryPair(left: Sink, right: Sink, deliver: Deliver = queueMicrotask): [Link, Link] {
  const ends = linkedEnds(deliver)
  ends[0].attach(left)
  ends[1].attach(right)
  return ends
}

/** A transport whose every opening is given to `accept`, as a gateway gives it to the sessions. */
export const memoryTransport = (accept: Accept, deliver: Deliver = queueMicrotask): Transport => ({
  id: 'memory',
  capabilities: { fullDuplex: true, downFactor: 1 },
  async open(_target, sink, signal) {
    await Promise.resolve()
    if (signal.aborted)
      throw new TransportError({ code: 'done', detail: strings.details.openingGivenUp }, signal.reason)
    const [client, server] = linkedEnds(deliver)
    server.attach(accept(server))
    client.attach(sink)
    return client
  },
})
