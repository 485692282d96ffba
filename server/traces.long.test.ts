/** Real typing over each transport. */
import { ways } from './fixtures/real-server.ts'
import { describeTraces } from './traces.contract.ts'

describeTraces({ alone: ways, together: ways })
