/** The contract of transports over a real server, by WebSocket and by server-sent events with each way up. */
import { createNet } from '../../lib/transports/net/node.ts'
import { sse } from '../../lib/transports/sse.ts'
import { describeTransport, type Harness } from '../../lib/transports/transport.contract.ts'
import type { Transport } from '../../lib/transports/transport.ts'
import { websocket } from '../../lib/transports/websocket.ts'
import { TestServer } from './test-server.ts'

interface Variant {
  readonly scheme: 'http' | 'https'
  readonly streamedBody?: boolean
}

async function harness(transport: Transport, { scheme, streamedBody = true }: Variant): Promise<Harness> {
  const server = await TestServer.start()
  const net = createNet({ insecure: true })
  if (!streamedBody) net.canStreamBody = () => false
  return {
    transport,
    target: { origin: server[scheme], net, token: 'a token' },
    accepted: () => server.acceptor.next(),
    allClosed: () => server.acceptor.allClosed(),
    knocks: () => server.knocks.length,
    refuse: () => void (server.refusal = { status: 403, code: 'forbidden', message: 'Not today.' }),
    admit: () => void (server.refusal = undefined),
    cut: () => server.cut(),
    async close() {
      net.dispose()
      await server.close()
    },
  }
}

const eventSourceIsMute = {
  rule: 'reason of the client',
  reason: 'EventSource.close() tells the server nothing; it hears “lost”.',
} as const

for (const scheme of ['http', 'https'] as const) {
  describeTransport(`websocket over ${scheme}`, () => harness(websocket, { scheme }), {
    info: { protocol: 'http/1.1', up: 'frames' },
  })
  describeTransport(`sse and a streamed body over ${scheme}`, () => harness(sse, { scheme }), {
    info: { protocol: scheme === 'https' ? 'h2' : 'http/1.1', up: 'streamed body' },
    skip: [eventSourceIsMute],
  })
  describeTransport(`sse and POSTs over ${scheme}`, () => harness(sse, { scheme, streamedBody: false }), {
    info: { protocol: scheme === 'https' ? 'h2' : 'http/1.1', up: 'batched posts' },
    skip: [eventSourceIsMute],
  })
}
