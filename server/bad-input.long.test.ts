/** Bad input by the ways that bad-input.test.ts leaves out. */
import { describeBadInput } from './bad-input.contract.ts'
import { allWays, representativeWays } from './fixtures/real-server.ts'

describeBadInput(allWays.filter((way) => !representativeWays.includes(way)))
