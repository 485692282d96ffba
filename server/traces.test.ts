/** Real typing by representative ways; traces.long.test.ts has every way. */
import { describeTraces } from './traces.contract.ts'

describeTraces({
  alone: [{ transport: 'websocket', scheme: 'http' }],
  together: [{ transport: 'sse', scheme: 'https' }],
})
