/** The transports over a real server: each over http and https, the HTTP ones with each form of upstream. */
import { NO_CONDITIONS } from '../../lib/transports/network-conditions.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { NetworkSimulator } from '../../lib/transports/network-simulator.ts'
import { sse } from '../../lib/transports/sse.ts'
import { transports } from '../../lib/transports/registry.ts'
import {
  describeTransport,
  type TransportExpectation,
  type TransportHarness,
} from '../../lib/transports/transport.contract.ts'
import type { NetworkTransport, Transport, TransportId } from '../../lib/transports/transport.ts'
import { websocket } from '../../lib/transports/websocket.ts'
import { createTransportGateways } from './transport-gateways.ts'
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
const shortPolling = { timing: { unpolledTimeoutMs: 1_000 } }

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

function variantsOf(transport: NetworkTransport, scheme: 'http' | 'https'): TransportVariant[] {
  const { id, mayStreamBody } = transport
  const protocol = scheme === 'https' ? 'h2' : 'http/1.1'
  if (id === 'websocket') {
    const expected = { info: { protocol: 'http/1.1', up: 'frames' } } as const
    return [{ name: `${id} over ${scheme}`, transport, scheme, expected }]
  }
  const byPosts = { transport, scheme, expected: { info: { protocol, up: 'batched posts' } } } as const
  if (!mayStreamBody) {
    const expected = { ...byPosts.expected, skip: [pollsOutliveConnections] }
    return [{ ...byPosts, name: `${id} over ${scheme}`, expected }]
  }
  const byStreamedBody = { transport, scheme, expected: { info: { protocol, up: 'streamed body' } } } as const
  return [
    { ...byStreamedBody, name: `${id} and a streamed body over ${scheme}` },
    { ...byPosts, name: `${id} and POSTs over ${scheme}`, streamedBody: false },
  ]
}

const variantsOver = (scheme: 'http' | 'https'): TransportVariant[] =>
  [...transports.values()].flatMap((transport) => variantsOf(transport, scheme))

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

function describeVariants(chosen: readonly TransportVariant[]): void {
  for (const variant of chosen) describeTransport(variant.name, () => startHarness(variant), variant.expected)
}

export function describeTransportVariants(which: 'representative' | 'other'): void {
  expectVariantNames(representativeNames)
  const isRepresentative = which === 'representative'
  describeVariants(variants.filter(({ name }) => representativeNames.has(name) === isRepresentative))
}

/** Every variant of one transport. */
export const describeVariantsOf = (id: TransportId): void =>
  describeVariants(variants.filter(({ transport }) => transport.id === id))
