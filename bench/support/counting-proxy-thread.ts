/** Runs the proxy of counting-proxy.ts. */
import { FaultProxy } from '../../e2e/fixtures/fault-proxy.ts'
import type { ProxyAnswer, ProxyRequest } from './counting-proxy.ts'
import { answerRequests } from '../../e2e/fixtures/worker-requests.ts'

const listening = FaultProxy.listen()

answerRequests(async ({ target, delayMs, cut }: ProxyRequest): Promise<ProxyAnswer> => {
  const proxy = await listening
  if (target !== undefined) proxy.targetPort = target
  if (delayMs !== undefined) proxy.setFaults({ delayMs })
  if (cut) proxy.cutConnections()
  return { port: proxy.port, ...proxy.passedBytes }
})
