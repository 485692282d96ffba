/** Transports over a real server, on a link that windows share: in the window that leads, and in one that follows. */
import type { SharingPowers } from '../../lib/transports/shared/powers.ts'
import { shared } from '../../lib/transports/shared/shared.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { openLink } from '../../lib/transports/recorder.ts'
import { Rides } from '../../lib/transports/rides.ts'
import { describeTransport, type Harness } from '../../lib/transports/transport.contract.ts'
import type { Link, Sink, Target, Transport } from '../../lib/transports/transport.ts'
import { transportGateways } from './registry.ts'
import { TestServer } from './test-server.ts'
import { harnessOn } from './testing.ts'

/** Node's own locks and channels: all windows of these tests are in one browser, as it were. */
const powers: SharingPowers = {
  locks: navigator.locks,
  channel: (name) => new BroadcastChannel(name),
  visible: () => true,
  onVisible: () => () => {},
  onLeave: () => () => {},
}

const HOUR_MS = 3_600_000

/** The server hears of a ride with its first frame, which the suite's own is not yet. */
const first = Uint8Array.of(0)

const announced = (transport: Transport): Transport => ({
  ...transport,
  async open(target, sink, signal) {
    const link = await transport.open(target, sink, signal)
    void link.send(first)
    return link
  },
})

function withoutFirst(sink: Sink): Sink {
  let isFirst = true
  return {
    onFrame(frame) {
      if (!isFirst) sink.onFrame(frame)
      isFirst = false
    },
    onClosed: (reason) => sink.onClosed(reason),
  }
}

async function harness(base: Transport, role: 'leads' | 'follows'): Promise<Harness> {
  const server = await TestServer.start((parts) => transportGateways(parts, soonGone))
  const { acceptor } = server
  server.accept = (link: Link) =>
    new Rides({ accept: (ride) => withoutFirst(acceptor.accept(ride)) }).carriedBy(link)
  const net = createNet({ insecure: true })
  const target: Target = {
    origin: server.http,
    net,
    token: 'a token',
    streamedBody: false,
    sharing: 'always',
  }
  const leader = announced(shared(base, powers, { lingerMs: HOUR_MS }))
  const transport = role === 'leads' ? leader : announced(shared(base, powers))
  // From here on that window leads, whoever rides.
  const [{ link }] = await Promise.all([openLink({ transport: leader, target }), acceptor.next()])
  link.close({ code: 'done' })
  await acceptor.allClosed()
  return {
    transport,
    target,
    ...harnessOn(server, net, base),
  }
}

/** A link that was given up between two polls is gone within a second, so that no test waits for it. */
const soonGone = { longPoll: { transport: 'long-poll', patienceMs: 25_000, lifeMs: 1_000 } } as const

export function describeShared(transport: Transport): void {
  for (const [role, sharedBy] of [
    ['leads', 'this window'],
    ['follows', 'another window'],
  ] as const) {
    describeTransport(`${transport.id}, shared, in the window that ${role}`, () => harness(transport, role), {
      info: { protocol: 'http/1.1', up: 'batched posts', sharedBy },
      headed: true,
    })
  }
}
