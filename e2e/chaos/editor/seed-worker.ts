/** A process that runs the seeds it is sent, and answers with what came of them. */
import { runSeeds } from './run-seeds.ts'
import { testedSubject } from './subject.ts'

export interface SeedRange {
  readonly from: number
  readonly count: number
}

process.on('message', ({ from, count }: SeedRange) => process.send!(runSeeds(from, count, testedSubject)))
process.on('disconnect', () => process.exit())
