/** Runs clients of a crowd within one page of a browser. Each run returns what they recorded. */
import { createNet } from '../../../lib/transports/net/browser.ts'
import { transports } from '../../../lib/transports/registry.ts'
import type { Transport, TransportId } from '../../../lib/transports/transport.ts'
import { LatencyRecorder } from '../../support/histogram.ts'
import { type CrowdClient, ClientGroup, type CrowdRunOrder } from '../client-group.ts'
import type { CrowdProtocol } from '../crowd-protocol.ts'
import { openLightSession } from '../light-session.ts'
import type { CrowdTally } from '../crowd-tally.ts'

declare global {
  interface Window {
    crowd?: { readonly open: typeof open; readonly run: typeof run }
  }
}

interface PageOrder {
  readonly transport: TransportId
  readonly clients: readonly CrowdClient[]
}

/** The clocks of one browser's pages agree to a fraction of a millisecond. */
const now = (): number => performance.timeOrigin + performance.now()

/** Counts a time below zero as zero: the clocks of two pages may differ by more than an edit took. */
class PageLatencyRecorder extends LatencyRecorder {
  override record(ms: number): void {
    super.record(Math.max(0, ms))
  }
}

let group: ClientGroup

async function open({ transport, clients }: PageOrder): Promise<void> {
  const target = { origin: location.origin, net: createNet() }
  const protocol: CrowdProtocol = {
    heartbeatMs: 12_500,
    open: (_origin, { document }, listener) =>
      openLightSession(transports.get(transport) as Transport, target, document, listener),
  }
  group = new ClientGroup(protocol, clients, { now, createRecorder: () => new PageLatencyRecorder() })
  await group.open()
}

const run = (order: CrowdRunOrder): Promise<CrowdTally> => group.run(order)

window.crowd = { open, run }
