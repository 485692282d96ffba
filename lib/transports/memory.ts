/** Links two ends within one process: for demos, fuzzing, and most tests of the layers above. */
import type { CloseReason } from '../protocol/close.ts'
import { transportsStrings } from '../strings/transports.ts'
import { SENT, LinkEnd, type LinkDriver } from './link.ts'
import type { Link, LinkInfo, Sink, Transport } from './transport.ts'
import { TransportError } from './transport.ts'

/** The server's side of an opening. Throws a TransportError to refuse it. */
export type AcceptLink = (link: Link) => Sink

/** Runs tasks later, in order. A test passes its own, to hold, delay or drop what is on its way. */
export type DeliverTask = (task: () => void) => void

const info: LinkInfo = { transport: 'memory', protocol: '', up: 'frames' }

class MemoryLinkDriver implements LinkDriver {
  readonly info = info
  readonly #deliver: DeliverTask
  peer!: LinkEnd

  constructor(deliver: DeliverTask) {
    this.#deliver = deliver
  }

  write(frame: Uint8Array): Promise<void> {
    const copy = new Uint8Array(frame)
    this.#deliver(() => this.peer.receive(copy))
    return SENT
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    if (side === 'here') this.#deliver(() => this.peer.onEnded(reason))
  }
}

function createLinkedEnds(deliver: DeliverTask): [LinkEnd, LinkEnd] {
  const drivers = [new MemoryLinkDriver(deliver), new MemoryLinkDriver(deliver)] as const
  const ends: [LinkEnd, LinkEnd] = [new LinkEnd(drivers[0]), new LinkEnd(drivers[1])]
  drivers[0].peer = ends[1]
  drivers[1].peer = ends[0]
  return ends
}

/** Two linked ends. Frames arrive in later microtasks unless `deliver` says otherwise. */
export function createMemoryPair(
  left: Sink,
  right: Sink,
  deliver: DeliverTask = queueMicrotask,
): [Link, Link] {
  const ends = createLinkedEnds(deliver)
  ends[0].attach(left)
  ends[1].attach(right)
  return ends
}

/** A transport that gives every opened link to `accept`, as a gateway gives it to the sessions. */
export const createMemoryTransport = (
  accept: AcceptLink,
  deliver: DeliverTask = queueMicrotask,
): Transport => ({
  id: 'memory',
  capabilities: { fullDuplex: true, downFactor: 1 },
  async open(_target, sink, signal) {
    await Promise.resolve()
    if (signal.aborted)
      throw new TransportError(
        { code: 'done', detail: transportsStrings.details.openingGivenUp },
        signal.reason,
      )
    const [client, server] = createLinkedEnds(deliver)
    server.attach(accept(server))
    client.attach(sink)
    return client
  },
})
