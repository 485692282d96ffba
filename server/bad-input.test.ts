/** Bad input by representative ways; bad-input.long.test.ts has the others. */
import { describeBadInput } from './bad-input.contract.ts'
import { representativeWays } from './fixtures/real-server.ts'

describeBadInput(representativeWays)
