/** Bad input over the routes that bad-input.test.ts leaves out. */
import { describeBadInput } from './bad-input.contract.ts'
import { allRoutes, isQuickRoute } from './fixtures/real-server.ts'

describeBadInput(allRoutes.filter((route) => !isQuickRoute(route)))
