/** Transports over a real server on a shared link. */
import { shareWithInProcessWorker } from '../../lib/transports/shared/fixtures/in-process-worker.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { Multiplexer } from '../../lib/transports/multiplexer.ts'
import { describeTransport, type TransportHarness } from '../../lib/transports/transport.contract.ts'
import type { Link, Sink, LinkTarget, Transport } from '../../lib/transports/transport.ts'
import { createTransportGateways } from './registry.ts'
import { GatewayTestServer } from './gateway-test-server.ts'
import { serverHarnessOf } from './gateway-harness.ts'

/** The server notices a sub-link by its first frame, which is not the suite's own. */
const announcementFrame = Uint8Array.of(0)

const announceSubLinks = (transport: Transport): Transport => ({
  ...transport,
  async open(target, sink, signal) {
    const link = await transport.open(target, sink, signal)
    void link.send(announcementFrame)
    return link
  },
})

function ignoreFirstFrame(sink: Sink): Sink {
  let isFirst = true
  return {
    onFrame(frame) {
      if (!isFirst) sink.onFrame(frame)
      isFirst = false
    },
    onClosed: (reason) => sink.onClosed(reason),
  }
}

async function startHarness(base: Transport): Promise<TransportHarness> {
  const server = await GatewayTestServer.start((dependencies) =>
    createTransportGateways(dependencies, shortPolling),
  )
  const { acceptor } = server
  server.accept = (link: Link) =>
    new Multiplexer({ accept: (subLink) => ignoreFirstFrame(acceptor.accept(subLink)) }).attachTo(link)
  const net = createNet({ insecure: true })
  const target: LinkTarget = {
    origin: server.http,
    net,
    token: 'a token',
    streamedBody: false,
    sharing: 'always',
  }
  return {
    transport: announceSubLinks(shareWithInProcessWorker(base, net)),
    target,
    ...serverHarnessOf(server, net, base),
  }
}

/** An abandoned link is gone within a second, so that no test waits for it. */
const shortPolling = {
  longPoll: { transport: 'long-poll', maxHoldMs: 25_000, unpolledTimeoutMs: 1_000 },
} as const

export function describeSharedTransport(transport: Transport): void {
  describeTransport(`${transport.id}, shared`, () => startHarness(transport), {
    info: { protocol: 'http/1.1', up: 'batched posts', shared: true },
    hasFrameHead: true,
  })
}
