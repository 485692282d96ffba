/** Real typing over each transport. */
import { mainRoutes } from './fixtures/real-server.ts'
import { describeTraces } from './traces.contract.ts'

describeTraces({ alone: mainRoutes, together: mainRoutes })
