import { expect, test } from 'vitest'
import { createSeededRandom } from '../../../lib/fixtures/seeded-random.ts'
import { actDraws } from './acts.ts'
import { runScript } from './run-script.ts'
import type { Script, ScriptStep } from './script.ts'
import { testedSubject } from './subject.ts'
import { triesAll } from '../../../lib/fixtures/runs.ts'

const ACTS = 300

/** Everything arrives at once, as in a live session; each writes in turn. */
function liveSession(seed: number): Script {
  const random = createSeededRandom(seed, 'live')
  const steps = Array.from({ length: ACTS }, (_, index): ScriptStep[] => [
    {
      type: 'act',
      by: index % 2,
      act: random.pick(actDraws),
      numbers: Array.from({ length: 6 }, () => random.between(0, 9_999)),
    },
    { type: 'deliver all' },
  ])
  return { seed, writers: ['editor', 'stock'], steps: steps.flat() }
}

test.each(triesAll ? [1, 2, 3] : [1])(
  'a page and a stock client of Tiptap write in one document for 300 acts of every block (seed %i): both hold the same, and no letter goes that nobody deleted',
  (seed) => {
    const { violations, acts, lettersWritten } = runScript(liveSession(seed), testedSubject)
    expect(violations).toEqual([])
    expect(acts).toBe(ACTS)
    expect(lettersWritten).toBeGreaterThan(100)
  },
)
