import { describeSeededProposals } from './seeded-proposals.contract.ts'

describeSeededProposals({ withoutServer: 500, withRooms: 20 })
