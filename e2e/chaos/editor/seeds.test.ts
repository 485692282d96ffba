import { expect, test } from 'vitest'
import { runSeeds } from './run-seeds.ts'
import { countKinds } from './seed-report.ts'
import { testedSubject } from './subject.ts'
import { runs } from '../../../lib/fixtures/runs.ts'

/** The others of the 10,000 are for `npm run chaos -- editor`. */
const SEEDS = runs(60, 200)

test(`[W11] five writers of every block, ${SEEDS} seeds: all end equal and valid, and no letter goes that nobody deleted`, () => {
  const { failures } = runSeeds(1, SEEDS, testedSubject)
  expect(countKinds(failures)).toEqual([])
}, 300_000)
