/** Transports over a real server on a shared link: window and worker are in one process, with Node's own locks and message channels. */
import { acquireWindowLock } from '../../lib/sync/window-lock.ts'
import { LinkWorker } from '../../lib/transports/shared/link-worker.ts'
import { LinkWorkerClient } from '../../lib/transports/shared/link-worker-client.ts'
import { shareTransport } from '../../lib/transports/shared/shared-transport.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
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

/** The transport of a window whose links are held by a worker. */
function shareWithWorker(base: Transport, net: NetworkPlatform): Transport {
  const { locks } = navigator
  const worker = new LinkWorker({ transports: new Map([[base.id, base]]), net, locks })
  const client = new LinkWorkerClient({
    own: acquireWindowLock(locks),
    locks,
    startWorker: () => ({
      whenFailed: new Promise(() => {}),
      openPort(request) {
        const { port1, port2 } = new MessageChannel()
        void worker.open(request, port2)
        return port1
      },
    }),
  })
  return shareTransport(base, client)
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
    transport: announceSubLinks(shareWithWorker(base, net)),
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
