import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NetworkTransportId, networkTransports } from '../../lib/transports/descriptors.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { openRecordedLink } from '../../lib/transports/fixtures/recording-sink.ts'
import { transports } from '../../lib/transports/registry.ts'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
import { createTransportGateways } from './transport-gateways.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'

describe('a server that offers only poll', () => {
  let server: GatewayTestServer
  const nets: NetworkPlatform[] = []
  beforeAll(async () => {
    server = await GatewayTestServer.start((parts) =>
      createTransportGateways(parts, { offeredTransports: ['poll'] }),
    )
  })
  afterAll(async () => {
    for (const net of nets) net.dispose()
    await server.close()
  })

  const openLinkBy = (id: NetworkTransportId, webSocketOverHttp2 = false) => {
    const net = createNet({ insecure: true, webSocketOverHttp2 })
    nets.push(net)
    const transport = transports.get(id)!
    return openRecordedLink({ transport, target: { origin: server.https, net, token: 'a' } })
  }

  const others = networkTransports.filter((id) => id !== 'websocket' && id !== 'poll')
  test.each(others)('refuses a link by %s', async (id) => {
    await expect(openLinkBy(id)).rejects.toMatchObject({ reason: { code: 'not-offered' } })
  })

  test.each([false, true])('refuses websocket, within HTTP/2: %s', async (within) => {
    // No platform shows more of the answer than its status.
    await expect(openLinkBy('websocket', within)).rejects.toMatchObject({
      reason: { detail: expect.stringContaining('404') as string },
    })
  })

  test('opens a link by poll', async () => {
    const { link } = await openLinkBy('poll')
    link.close({ code: 'done' })
  })
})
