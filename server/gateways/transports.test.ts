/** The contract of transports over a real server: each of them over http and https, the HTTP ones by each way up. */
import { CLEAR } from '../../lib/transports/conditions.ts'
import { longPoll } from '../../lib/transports/long-poll.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { poll } from '../../lib/transports/poll.ts'
import { Simulator } from '../../lib/transports/simulated.ts'
import { sse } from '../../lib/transports/sse.ts'
import { stream } from '../../lib/transports/stream.ts'
import { describeTransport, type Harness } from '../../lib/transports/transport.contract.ts'
import type { Transport } from '../../lib/transports/transport.ts'
import { websocket } from '../../lib/transports/websocket.ts'
import { transportGateways } from './registry.ts'
import { TestServer } from './test-server.ts'
import { harnessOn } from './testing.ts'

interface Variant {
  readonly scheme: 'http' | 'https'
  readonly streamedBody?: boolean
  readonly webSocketOverHttp2?: boolean
}

async function harness(
  transport: Transport,
  { scheme, streamedBody = true, webSocketOverHttp2 }: Variant,
): Promise<Harness> {
  const server = await TestServer.start((parts) => transportGateways(parts, soonGone))
  const net = createNet({ insecure: true, webSocketOverHttp2 })
  return {
    transport,
    target: { origin: server[scheme], net, token: 'a token', streamedBody },
    ...harnessOn(server, net),
  }
}

/** A link that was given up between two polls is gone within a second, so that no test waits for it. */
const soonGone = {
  longPoll: { transport: 'long-poll', patienceMs: 25_000, lifeMs: 1_000 },
  poll: { transport: 'poll', patienceMs: 0, lifeMs: 1_000 },
} as const

const outlivesItsConnections = {
  rule: 'a cut is heard',
  reason: 'Between two polls there is nothing to cut; what a cut poll does is in polling.test.ts.',
} as const

describeTransport(
  'websocket within HTTP/2',
  () => harness(websocket, { scheme: 'https', webSocketOverHttp2: true }),
  { info: { protocol: 'h2', up: 'frames' } },
)

for (const transport of [websocket, sse]) {
  const simulator = new Simulator()
  simulator.set({ ...CLEAR, delayMs: 2, jitterMs: 3 })
  const up = transport === websocket ? 'frames' : 'streamed body'
  const protocol = transport === websocket ? 'http/1.1' : 'h2'
  describeTransport(
    `${transport.id} over a simulated network`,
    () => harness(simulator.wrap(transport), { scheme: 'https' }),
    { info: { protocol, up, simulated: true } },
  )
}

for (const scheme of ['http', 'https'] as const) {
  const protocol = scheme === 'https' ? 'h2' : 'http/1.1'
  describeTransport(`websocket over ${scheme}`, () => harness(websocket, { scheme }), {
    info: { protocol: 'http/1.1', up: 'frames' },
  })
  for (const transport of [sse, stream, longPoll]) {
    describeTransport(
      `${transport.id} and a streamed body over ${scheme}`,
      () => harness(transport, { scheme }),
      { info: { protocol, up: 'streamed body' } },
    )
    describeTransport(
      `${transport.id} and POSTs over ${scheme}`,
      () => harness(transport, { scheme, streamedBody: false }),
      { info: { protocol, up: 'batched posts' } },
    )
  }
  describeTransport(`poll over ${scheme}`, () => harness(poll, { scheme }), {
    info: { protocol, up: 'batched posts' },
    skip: [outlivesItsConnections],
  })
}
