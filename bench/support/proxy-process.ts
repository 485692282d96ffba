/** The proxy's own process: started by proxy.ts, which says what it is told. Ends with who started it. */
import { FaultProxy } from '../../e2e/fixtures/fault-proxy.ts'
import type { ProxyAnswer, ProxyOrder } from './proxy.ts'

const proxy = await FaultProxy.listen()

process.on('message', (order: ProxyOrder) => {
  if (order.do === 'target') proxy.targetPort = order.port
  else if (order.do === 'delay') proxy.setFaults({ delayMs: order.ms })
  else if (order.do === 'cut') proxy.cutConnections()
  answer()
})
process.on('disconnect', () => process.exit(0))
answer()

function answer(): void {
  const answered: ProxyAnswer = { port: proxy.port, ...proxy.passedBytes }
  process.send!(answered)
}
