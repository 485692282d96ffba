/** The transports over a real server: each over http and https, the HTTP ones with each form of upstream. */
import { NO_CONDITIONS } from '../../lib/transports/network-conditions.ts'
import { longPoll } from '../../lib/transports/long-poll.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { poll } from '../../lib/transports/poll.ts'
import { NetworkSimulator } from '../../lib/transports/network-simulator.ts'
import { sse } from '../../lib/transports/sse.ts'
import { stream } from '../../lib/transports/stream.ts'
import {
  describeTransport,
  type TransportExpectation,
  type TransportHarness,
} from '../../lib/transports/transport.contract.ts'
import type { Transport } from '../../lib/transports/transport.ts'
import { websocket } from '../../lib/transports/websocket.ts'
import { createTransportGateways } from './registry.ts'
import { GatewayTestServer } from './gateway-test-server.ts'
import { serverHarnessOf } from './gateway-harness.ts'

export interface TransportVariant {
  readonly name: string
  readonly transport: Transport
  readonly expected: TransportExpectation
  readonly scheme: 'http' | 'https'
  readonly streamedBody?: boolean
  readonly webSocketOverHttp2?: boolean
}

async function startHarness({
  transport,
  scheme,
  streamedBody = true,
  webSocketOverHttp2,
}: TransportVariant): Promise<TransportHarness> {
  const server = await GatewayTestServer.start((dependencies) =>
    createTransportGateways(dependencies, shortPolling),
  )
  const net = createNet({ insecure: true, webSocketOverHttp2 })
  return {
    transport,
    target: { origin: server[scheme], net, token: 'a token', streamedBody },
    ...serverHarnessOf(server, net, transport),
  }
}

/** An abandoned link is gone within a second, so that no test waits for it. */
const shortPolling = {
  longPoll: { transport: 'long-poll', maxHoldMs: 25_000, unpolledTimeoutMs: 1_000 },
  poll: { transport: 'poll', maxHoldMs: 0, unpolledTimeoutMs: 1_000 },
} as const

const pollsOutliveConnections = {
  rule: 'a cut is heard',
  reason: 'Between two polls there is nothing to cut; what a cut poll does is in polling.real.test.ts.',
} as const

const webSocketOverHttp2Variant: TransportVariant = {
  name: 'websocket within HTTP/2',
  transport: websocket,
  scheme: 'https',
  webSocketOverHttp2: true,
  expected: { info: { protocol: 'h2', up: 'frames' } },
}

function simulatedVariant(transport: Transport): TransportVariant {
  const simulator = new NetworkSimulator()
  simulator.setConditions({ ...NO_CONDITIONS, delayMs: 2, jitterMs: 3 })
  const up = transport === websocket ? 'frames' : 'streamed body'
  const protocol = transport === websocket ? 'http/1.1' : 'h2'
  return {
    name: `${transport.id} over a simulated network`,
    transport: simulator.wrapTransport(transport),
    scheme: 'https',
    expected: { info: { protocol, up, simulated: true } },
  }
}

function variantsOver(scheme: 'http' | 'https'): TransportVariant[] {
  const protocol = scheme === 'https' ? 'h2' : 'http/1.1'
  return [
    {
      name: `websocket over ${scheme}`,
      transport: websocket,
      scheme,
      expected: { info: { protocol: 'http/1.1', up: 'frames' } },
    },
    ...[sse, stream, longPoll].flatMap((transport): TransportVariant[] => [
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
      expected: { info: { protocol, up: 'batched posts' }, skip: [pollsOutliveConnections] },
    },
  ]
}

const variants: readonly TransportVariant[] = [
  webSocketOverHttp2Variant,
  simulatedVariant(websocket),
  simulatedVariant(sse),
  ...variantsOver('http'),
  ...variantsOver('https'),
]

/** These cover frames, events and polls, each form of upstream, and each protocol. */
const representativeNames: ReadonlySet<string> = new Set([
  'websocket within HTTP/2',
  'websocket over http',
  'sse and a streamed body over https',
  'sse and POSTs over http',
  'long-poll and POSTs over https',
])

function expectVariantNames(names: ReadonlySet<string>): void {
  const variantNames = new Set(variants.map(({ name }) => name))
  for (const name of names) if (!variantNames.has(name)) throw new Error(`No variant is called "${name}".`)
}

export function describeTransportVariants(which: 'representative' | 'other'): void {
  expectVariantNames(representativeNames)
  for (const variant of variants)
    if (representativeNames.has(variant.name) === (which === 'representative'))
      describeTransport(variant.name, () => startHarness(variant), variant.expected)
}
