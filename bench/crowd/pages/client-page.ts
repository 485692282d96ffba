/** Runs clients of a crowd within one page of a browser. Each run returns what they recorded. */
import { createNet } from '../../../lib/transports/net/browser.ts'
import { transports } from '../../../lib/transports/registry.ts'
import type { Transport, TransportId } from '../../../lib/transports/transport.ts'
import { type CrowdClient, ClientGroup, type CrowdRunOrder } from '../client-group.ts'
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

/** Keeps the samples themselves, because a page has no histogram. */
class SampleList {
  readonly samples: number[] = []

  record(ms: number): void {
    this.samples.push(ms)
  }

  get count(): number {
    return this.samples.length
  }
}

let group: ClientGroup<readonly number[]>

async function open({ transport, clients }: PageOrder): Promise<void> {
  const target = { origin: location.origin, net: createNet() }
  const protocol = {
    heartbeatMs: 12_500,
    open: (
      _origin: string,
      { document }: { readonly document: string },
      listener: Parameters<typeof openLightSession>[3],
    ) => openLightSession(transports.get(transport) as Transport, target, document, listener),
  }
  group = new ClientGroup(protocol, clients, { now, createRecorder: () => new SampleList() })
  await group.open()
}

const run = (order: CrowdRunOrder): Promise<CrowdTally<readonly number[]>> => group.run(order)

window.crowd = { open, run }
