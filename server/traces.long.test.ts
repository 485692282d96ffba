/** Real typing of two people at the same time, in frames and in events. */
import { describeTraces } from './traces.contract.ts'

describeTraces({
  singleWriterRoutes: [],
  twoWriterRoutes: [
    { transport: 'websocket', scheme: 'https' },
    { transport: 'sse', scheme: 'http' },
  ],
})
