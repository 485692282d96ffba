import { expect, test } from 'vitest'
import { RealServer } from '../../../server/fixtures/real-server.ts'
import { runOverServer } from './run-over-server.ts'
import { generateScript } from './script.ts'
import { testedSubject } from './subject.ts'

/** A run of the long form has more of them. */
const seeds = Number(process.env.EDITOR_SEEDS ?? 4)
/** Runs mostly wait for their transports. */
const AT_ONCE = 4
const firstSeed = Number(process.env.EDITOR_FIRST_SEED ?? 1)

test('[S1] [W11] five writers of every block over mixed transports with cuts and reloads: all end equal and valid, and no letter goes that nobody deleted', async () => {
  await using server = await RealServer.start()
  const failures: string[] = []
  const runSeed = async (seed: number): Promise<void> => {
    const { violations } = await runOverServer(generateScript(seed), testedSubject, server)
    failures.push(...violations.map(({ message }) => `seed ${seed}, ${message}`))
  }
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += AT_ONCE) {
    const count = Math.min(AT_ONCE, firstSeed + seeds - seed)
    await Promise.all(Array.from({ length: count }, (_, index) => runSeed(seed + index)))
  }
  expect(failures).toEqual([])
}, 3_600_000)
