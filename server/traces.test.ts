/** Real typing over representative routes; traces.long.test.ts has every route. */
import { describeTraces } from './traces.contract.ts'

describeTraces({
  alone: [{ transport: 'websocket', scheme: 'http' }],
  together: [{ transport: 'sse', scheme: 'https' }],
})
