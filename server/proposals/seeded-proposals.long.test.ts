import { describeSeededProposals } from './seeded-proposals.contract.ts'

describeSeededProposals({ withoutServer: 10_000, withRooms: 300 })
