import { allRoutes, isQuickRoute } from '../fixtures/real-server.ts'
import { describeProposalsBy } from './proposals-by-transports.contract.ts'

describeProposalsBy(allRoutes.filter(isQuickRoute))
