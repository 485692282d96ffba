import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNet } from '../../lib/transports/net/node.ts'
import { openLink } from '../../lib/transports/recorder.ts'
import { transports } from '../../lib/transports/registry.ts'
import type { Net } from '../../lib/transports/net/net.ts'
import { transportGateways } from './registry.ts'
import { TestServer } from './test-server.ts'

describe('a server that offers poll alone', () => {
  let server: TestServer
  const nets: Net[] = []
  beforeAll(async () => {
    server = await TestServer.start((parts) => transportGateways(parts, { offers: ['poll'] }))
  })
  afterAll(async () => {
    for (const net of nets) net.dispose()
    await server.close()
  })

  const open = (id: string, webSocketOverHttp2 = false) => {
    const net = createNet({ insecure: true, webSocketOverHttp2 })
    nets.push(net)
    const transport = transports.get(id as 'poll')!
    return openLink({ transport, target: { origin: server.https, net, token: 'a' } })
  }

  test.each(['sse', 'stream', 'long-poll'])('says so at the door of %s', async (id) => {
    await expect(open(id)).rejects.toMatchObject({ reason: { code: 'not-offered' } })
  })

  test.each([false, true])('says so at the door of websocket, within HTTP/2: %s', async (within) => {
    // What the answer says beside its status no platform tells.
    await expect(open('websocket', within)).rejects.toMatchObject({
      reason: { detail: expect.stringContaining('404') as string },
    })
  })

  test('opens the door of poll', async () => {
    const { link } = await open('poll')
    link.close({ code: 'done' })
  })
})
