/** Bad input over representative routes; bad-input.long.test.ts has the others. */
import { describeBadInput } from './bad-input.contract.ts'
import { representativeRoutes } from './fixtures/real-server.ts'

describeBadInput(representativeRoutes)
