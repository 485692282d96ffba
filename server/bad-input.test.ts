/** Bad input in frames and in polls; bad-input.long.test.ts has the other routes. */
import { describeBadInput } from './bad-input.contract.ts'
import { allRoutes, isQuickRoute } from './fixtures/real-server.ts'

describeBadInput(allRoutes.filter(isQuickRoute))
