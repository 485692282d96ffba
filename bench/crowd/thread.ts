/** One thread of a crowd: does what it is told, and answers each order once. */
import { parentPort } from 'node:worker_threads'
import { Recorder, type Samples } from '../support/histogram.ts'
import { ClientGroup, type CrowdClient, type CrowdRunOrder } from './client-group.ts'
import { crowdNow } from './crowd-clock.ts'
import { type CrowdProtocolName, crowdProtocols } from './protocols.ts'

export type ThreadOrder =
  | {
      readonly type: 'open'
      readonly protocol: CrowdProtocolName
      readonly clients: readonly CrowdClient[]
    }
  | { readonly type: 'run'; readonly run: CrowdRunOrder }
  | { readonly type: 'close' }

const environment = { now: crowdNow, createRecorder: () => new Recorder() }
let group: ClientGroup<Samples> | null = null

async function obey(order: ThreadOrder): Promise<unknown> {
  switch (order.type) {
    case 'open':
      group = new ClientGroup(crowdProtocols[order.protocol], order.clients, environment)
      return group.open()
    case 'run':
      return group!.run(order.run)
    case 'close':
      return group?.close()
  }
}

parentPort!.on('message', (order: ThreadOrder) => {
  obey(order).then(
    (answer) => parentPort!.postMessage({ answer }),
    (error: unknown) => parentPort!.postMessage({ error: String(error) }),
  )
})
