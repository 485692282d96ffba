import { describe } from 'vitest'
import { describeAcceptedChanges } from './accept-change.contract.ts'

const [STRETCHES, LENGTH] = [50, 200]

describe.each(Array.from({ length: STRETCHES }, (_, at) => 1_000 + at * LENGTH))(
  '10,000 branches, from seed %i',
  (first) => describeAcceptedChanges(Array.from({ length: LENGTH }, (_, at) => first + at)),
)
