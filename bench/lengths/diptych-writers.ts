/** Writes by Diptych's own client. Runs as a process. */
import { openDocument } from '../../lib/client.ts'
import { orderOfProcess, writeForever } from './other-writers.ts'

const order = orderOfProcess()
const { origin, document, token, count } = order
process.on('SIGTERM', () => process.exit(0))
const opened = Array.from({ length: count }, () =>
  openDocument({ url: origin, document, token, transport: 'websocket' }),
)
await Promise.all(opened.map(({ whenSynced }) => whenSynced))
await writeForever(opened, order)
