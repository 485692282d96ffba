/** The proxy's own process: started by proxy.ts, which says what it is told. Ends with who started it. */
import { FaultProxy } from '../../e2e/fixtures/fault-proxy.ts'
import type { ProxyAnswer, ProxyOrder } from './proxy.ts'

const proxy = await FaultProxy.listen()

process.on('message', ({ target, delayMs, cut }: ProxyOrder) => {
  if (target !== undefined) proxy.targetPort = target
  if (delayMs !== undefined) proxy.setFaults({ delayMs })
  if (cut) proxy.cutConnections()
  answer()
})
process.on('disconnect', () => process.exit(0))
answer()

function answer(): void {
  const answered: ProxyAnswer = { port: proxy.port, ...proxy.passedBytes }
  process.send!(answered)
}
