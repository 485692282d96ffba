import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { paths, readWebSocketClose, subprotocols } from '../../lib/protocol/http.ts'
import { type NetworkTransportId, networkTransports } from '../../lib/transports/descriptors.ts'
import { applyEvent, emptyKnowledge } from '../../lib/transports/evidence.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
import { openRecordedLink } from '../../lib/transports/fixtures/recording-sink.ts'
import { transports } from '../../lib/transports/registry.ts'
import { createAccessRateLimits } from '../access/access-rate-limits.ts'
import { readConfig } from '../config.ts'
import { createTransportGateways } from './transport-gateways.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'

const clock = { at: 0, now: () => clock.at }
let server: GatewayTestServer
const nets: NetworkPlatform[] = []

beforeEach(async () => {
  const arrivals = createAccessRateLimits(readConfig({ LIMIT_CONNECTIONS: '2/0.1' }), clock)
  server = await GatewayTestServer.start(createTransportGateways, arrivals)
})
afterEach(async () => {
  for (const net of nets.splice(0)) net.dispose()
  await server.close()
})

function openLinkBy(id: NetworkTransportId, webSocketOverHttp2 = false) {
  const net = createNet({ insecure: true, webSocketOverHttp2 })
  nets.push(net)
  return openRecordedLink({
    transport: transports.get(id)!,
    target: { origin: server.https, net, token: 'a' },
  })
}

describe.each(networkTransports.filter((id) => id !== 'websocket'))('%s', (id) => {
  test('[A6] a third link of one address is refused with a time to retry, and then admitted', async () => {
    const firstLinks = [await openLinkBy(id), await openLinkBy(id)]
    await expect(openLinkBy(id)).rejects.toMatchObject({
      reason: {
        code: 'overloaded',
        detail: '429: Too many new connections from your address (LIMIT_CONNECTIONS). Try again in 10 s.',
        retryAfterMs: 10_000,
      },
    })
    clock.at += 10_000
    for (const { link } of [...firstLinks, await openLinkBy(id)]) link.close({ code: 'done' })
  })
})

test.each([false, true])(
  '[A6] a program’s third WebSocket is refused with 429, within HTTP/2: %s',
  async (within) => {
    const firstLinks = [await openLinkBy('websocket', within), await openLinkBy('websocket', within)]
    await expect(openLinkBy('websocket', within)).rejects.toMatchObject({
      reason: { code: 'overloaded', detail: '429' },
    })
    for (const { link } of firstLinks) link.close({ code: 'done' })
  },
)

test('[A6] a page’s third WebSocket gets its retry time in a close frame, and does not count as a fault of WebSocket', async () => {
  const firstLinks = [await openLinkBy('websocket'), await openLinkBy('websocket')]
  const origin = server.http
  const url = origin.replace('http', 'ws') + transports.get('websocket')!.linkPath
  const socket = new WebSocket(url, Object.values(subprotocols), { headers: { origin, cookie: 'a=b' } })
  const [code, text] = (await once(socket, 'close')) as [number, Buffer]
  const reason = readWebSocketClose(code, text.toString())
  expect(reason).toMatchObject({ code: 'overloaded', retryAfterMs: 10_000 })
  const attempt = { transport: 'websocket', at: 1 } as const
  const evidence = applyEvent(emptyKnowledge, { type: 'failed', reason, opened: true, ...attempt })
  expect(evidence.preferred).toBe('websocket')
  expect(evidence.evidence.get('websocket')).toMatchObject({ outcome: 'sent away', isAvoided: false })
  for (const { link } of firstLinks) link.close({ code: 'done' })
})

test('requests that open no link are not counted', async () => {
  const net = createNet({})
  nets.push(net)
  for (let n = 0; n < 5; n++)
    expect((await net.fetch(server.http + paths.next, { method: 'POST' })).status).not.toBe(429)
  const { link } = await openLinkBy('poll')
  link.close({ code: 'done' })
})
