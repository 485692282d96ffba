/** Real typing over representative routes; traces.long.test.ts has every route. */
import { describeTraces } from './traces.contract.ts'

describeTraces({
  singleWriterRoutes: [{ transport: 'websocket', scheme: 'http' }],
  twoWriterRoutes: [{ transport: 'sse', scheme: 'https' }],
})
