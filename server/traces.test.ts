/** Real typing of one person; traces.long.test.ts has two at the same time. */
import { describeTraces } from './traces.contract.ts'

describeTraces({ singleWriterRoutes: [{ transport: 'websocket', scheme: 'http' }], twoWriterRoutes: [] })
