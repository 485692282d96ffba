/** BRANCHES makes the test longer: 10,000 take some ten minutes. */
import { describe } from 'vitest'
import { describeAcceptedChanges } from './accept-change.contract.ts'

const BRANCHES = Number(process.env['BRANCHES'] ?? 800)
/** Each seed makes a branch whose original stays as it was, and one whose original goes on. */
const STRETCH = 100

describe.each(Array.from({ length: BRANCHES / 2 / STRETCH }, (_, at) => 1_000 + at * STRETCH))(
  'branches from seed %i',
  (first) => describeAcceptedChanges(Array.from({ length: STRETCH }, (_, at) => first + at)),
)
