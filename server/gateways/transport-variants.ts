/** The transports over a real server: each of them over http and https, the HTTP ones by each way up. */
import { CLEAR } from '../../lib/transports/conditions.ts'
import { longPoll } from '../../lib/transports/long-poll.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { poll } from '../../lib/transports/poll.ts'
import { Simulator } from '../../lib/transports/simulated.ts'
import { sse } from '../../lib/transports/sse.ts'
import { stream } from '../../lib/transports/stream.ts'
import { describeTransport, type Expected, type Harness } from '../../lib/transports/transport.contract.ts'
import type { Transport } from '../../lib/transports/transport.ts'
import { websocket } from '../../lib/transports/websocket.ts'
import { transportGateways } from './registry.ts'
import { TestServer } from './test-server.ts'
import { harnessOn } from './testing.ts'

export interface Variant {
  readonly name: string
  readonly transport: Transport
  readonly expected: Expected
  readonly scheme: 'http' | 'https'
  readonly streamedBody?: boolean
  readonly webSocketOverHttp2?: boolean
}

async function startHarness({
  transport,
  scheme,
  streamedBody = true,
  webSocketOverHttp2,
}: Variant): Promise<Harness> {
  const server = await TestServer.start((parts) => transportGateways(parts, soonGone))
  const net = createNet({ insecure: true, webSocketOverHttp2 })
  return {
    transport,
    target: { origin: server[scheme], net, token: 'a token', streamedBody },
    ...harnessOn(server, net, transport),
  }
}

/** A link that was given up between two polls is gone within a second, so that no test waits for it. */
const soonGone = {
  longPoll: { transport: 'long-poll', patienceMs: 25_000, lifeMs: 1_000 },
  poll: { transport: 'poll', patienceMs: 0, lifeMs: 1_000 },
} as const

const outlivesItsConnections = {
  rule: 'a cut is heard',
  reason: 'Between two polls there is nothing to cut; what a cut poll does is in polling.real.test.ts.',
} as const

const overHttp2: Variant = {
  name: 'websocket within HTTP/2',
  transport: websocket,
  scheme: 'https',
  webSocketOverHttp2: true,
  expected: { info: { protocol: 'h2', up: 'frames' } },
}

function simulatedVariant(transport: Transport): Variant {
  const simulator = new Simulator()
  simulator.set({ ...CLEAR, delayMs: 2, jitterMs: 3 })
  const up = transport === websocket ? 'frames' : 'streamed body'
  const protocol = transport === websocket ? 'http/1.1' : 'h2'
  return {
    name: `${transport.id} over a simulated network`,
    transport: simulator.wrap(transport),
    scheme: 'https',
    expected: { info: { protocol, up, simulated: true } },
  }
}

function variantsOver(scheme: 'http' | 'https'): Variant[] {
  const protocol = scheme === 'https' ? 'h2' : 'http/1.1'
  return [
    {
      name: `websocket over ${scheme}`,
      transport: websocket,
      scheme,
      expected: { info: { protocol: 'http/1.1', up: 'frames' } },
    },
    ...[sse, stream, longPoll].flatMap((transport): Variant[] => [
      {
        name: `${transport.id} and a streamed body over ${scheme}`,
        transport,
        scheme,
        expected: { info: { protocol, up: 'streamed body' } },
      },
      {
        name: `${transport.id} and POSTs over ${scheme}`,
        transport,
        scheme,
        streamedBody: false,
        expected: { info: { protocol, up: 'batched posts' } },
      },
    ]),
    {
      name: `poll over ${scheme}`,
      transport: poll,
      scheme,
      expected: { info: { protocol, up: 'batched posts' }, skip: [outlivesItsConnections] },
    },
  ]
}

const variants: readonly Variant[] = [
  overHttp2,
  simulatedVariant(websocket),
  simulatedVariant(sse),
  ...variantsOver('http'),
  ...variantsOver('https'),
]

/** Frames, events and polls, each way up, each protocol. */
const representative: ReadonlySet<string> = new Set([
  'websocket within HTTP/2',
  'websocket over http',
  'sse and a streamed body over https',
  'sse and POSTs over http',
  'long-poll and POSTs over https',
])

function expectKnown(names: ReadonlySet<string>): void {
  const known = new Set(variants.map(({ name }) => name))
  for (const name of names) if (!known.has(name)) throw new Error(`No variant is called "${name}".`)
}

export function describeVariants(which: 'representative' | 'other'): void {
  expectKnown(representative)
  for (const variant of variants)
    if (representative.has(variant.name) === (which === 'representative'))
      describeTransport(variant.name, () => startHarness(variant), variant.expected)
}
