import { describeAcceptedChanges } from './accept-change.contract.ts'

describeAcceptedChanges(Array.from({ length: 40 }, (_, seed) => seed))
