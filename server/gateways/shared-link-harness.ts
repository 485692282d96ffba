/** Transports over a real server on a shared link: in the window that leads, and in one that follows. */
import type { SharingPlatform } from '../../lib/transports/shared/sharing-platform.ts'
import { shareTransport } from '../../lib/transports/shared/shared-transport.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { openRecordedLink } from '../../lib/transports/recording-sink.ts'
import { Multiplexer } from '../../lib/transports/multiplexer.ts'
import { describeTransport, type TransportHarness } from '../../lib/transports/transport.contract.ts'
import type { Link, Sink, LinkTarget, Transport } from '../../lib/transports/transport.ts'
import { createTransportGateways } from './transport-gateways.ts'
import { GatewayTestServer } from './gateway-test-server.ts'
import { serverHarnessOf } from './gateway-harness.ts'

/** Node's own locks and channels: all windows of these tests are in one browser. */
const platform: SharingPlatform = {
  locks: navigator.locks,
  joinChannel: (name) => new BroadcastChannel(name),
  isVisible: () => true,
  onVisible: () => () => {},
  onLeave: () => () => {},
}

const HOUR_MS = 3_600_000

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

async function startHarness(base: Transport, role: 'leads' | 'follows'): Promise<TransportHarness> {
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
  const leader = announceSubLinks(shareTransport(base, platform, { lingerMs: HOUR_MS }))
  const transport = role === 'leads' ? leader : announceSubLinks(shareTransport(base, platform))
  // From here on that window leads, whoever follows.
  const [{ link }] = await Promise.all([openRecordedLink({ transport: leader, target }), acceptor.next()])
  link.close({ code: 'done' })
  await acceptor.allClosed()
  return {
    transport,
    target,
    ...serverHarnessOf(server, net, base),
  }
}

/** An abandoned link is gone within a second, so that no test waits for it. */
const shortPolling = { timing: { unpolledTimeoutMs: 1_000 } }

export function describeSharedTransport(transport: Transport): void {
  for (const [role, sharedBy] of [
    ['leads', 'this window'],
    ['follows', 'another window'],
  ] as const) {
    describeTransport(
      `${transport.id}, shared, in the window that ${role}`,
      () => startHarness(transport, role),
      {
        info: { protocol: 'http/1.1', up: 'batched posts', sharedBy },
        hasFrameHead: true,
      },
    )
  }
}
