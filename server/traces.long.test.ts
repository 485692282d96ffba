/** Real typing over each transport. */
import { mainRoutes } from './fixtures/real-server.ts'
import { describeTraces } from './traces.contract.ts'

describeTraces({ singleWriterRoutes: mainRoutes, twoWriterRoutes: mainRoutes })
