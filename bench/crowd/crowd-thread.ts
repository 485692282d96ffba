/** Runs the clients of one thread of a crowd. */
import { LatencyRecorder } from '../support/histogram.ts'
import { answerRequests } from '../../e2e/fixtures/worker-requests.ts'
import { ClientGroup, type CrowdClient, type CrowdRunOrder } from './client-group.ts'
import { crowdNow } from './crowd-clock.ts'
import { type CrowdProtocolName, crowdProtocols } from './crowd-protocols.ts'

export type ThreadRequest =
  | {
      readonly type: 'open'
      readonly protocol: CrowdProtocolName
      readonly clients: readonly CrowdClient[]
    }
  | { readonly type: 'run'; readonly run: CrowdRunOrder }
  | { readonly type: 'close' }

const environment = { now: crowdNow, createRecorder: () => new LatencyRecorder() }
let group: ClientGroup | null = null

answerRequests(async (request: ThreadRequest): Promise<unknown> => {
  switch (request.type) {
    case 'open':
      group = new ClientGroup(crowdProtocols[request.protocol], request.clients, environment)
      return group.open()
    case 'run':
      return group!.run(request.run)
    case 'close':
      return group?.close()
  }
})
