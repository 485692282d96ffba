/** What happens in a run, as data: generated from the seed alone, and still playable when steps are left out. */
import { createSeededRandom, type SeededRandom } from '../../../lib/fixtures/seeded-random.ts'
import { actDraws, type ActName } from './acts.ts'
import { programActNames, type ProgramActName } from './program-acts.ts'

/** Who writes: a page, a stock client of Tiptap, or a program that knows only Yjs. */
export type WriterKind = 'editor' | 'viewer' | 'stock' | 'program'

export interface Script {
  readonly seed: number
  readonly writers: readonly WriterKind[]
  readonly steps: readonly ScriptStep[]
}

/** The numbers choose among what there is when the step is played. */
export type ScriptStep =
  | { readonly type: 'act'; readonly by: number; readonly act: ActName; readonly numbers: readonly number[] }
  | {
      readonly type: 'program'
      readonly by: number
      readonly act: ProgramActName
      readonly numbers: readonly number[]
    }
  /** Delivers some updates, each from whichever place in its queue. */
  | { readonly type: 'deliver'; readonly numbers: readonly number[] }
  | { readonly type: 'deliver all' }
  /** The bits of the writers on one side. */
  | { readonly type: 'cut'; readonly side: number }
  | { readonly type: 'heal' }
  | { readonly type: 'reload'; readonly by: number }

const WRITERS = 5
const MIN_STEPS = 60
const MAX_STEPS = 110
const NUMBERS = 6

export function generateScript(seed: number): Script {
  const random = createSeededRandom(seed, 'script')
  const writers = pickWriters(random)
  const length = random.between(MIN_STEPS, MAX_STEPS)
  return { seed, writers, steps: Array.from({ length }, () => pickStep(random, writers)) }
}

/** Two writers are always editors. */
function pickWriters(random: SeededRandom): WriterKind[] {
  const viewers = random.pick([0, 0, 0, 1, 2])
  const foreign = random.pick<WriterKind[]>([[], [], [], [], ['stock'], ['program'], ['program']])
  const others: WriterKind[] = [...foreign, ...Array.from({ length: viewers }, () => 'viewer' as const)]
  return Array.from({ length: WRITERS }, (_, index) => others[WRITERS - 1 - index] ?? 'editor')
}

function pickStep(random: SeededRandom, writers: readonly WriterKind[]): ScriptStep {
  const at = random.next()
  if (at < 0.03) return { type: 'deliver all' }
  if (at < 0.05) return { type: 'cut', side: random.between(1, 2 ** WRITERS - 2) }
  if (at < 0.08) return { type: 'heal' }
  if (at < 0.1) return { type: 'reload', by: random.between(0, WRITERS - 1) }
  if (at < 0.45) return { type: 'deliver', numbers: pickNumbers(random, random.between(1, 2 * NUMBERS)) }
  const by = random.between(0, WRITERS - 1)
  const numbers = pickNumbers(random, NUMBERS)
  return writers[by] === 'program'
    ? { type: 'program', by, act: random.pick(programActNames), numbers }
    : { type: 'act', by, act: random.pick(actDraws), numbers }
}

const pickNumbers = (random: SeededRandom, count: number): number[] =>
  Array.from({ length: count }, () => random.between(0, 9_999))

export const describeStep = (step: ScriptStep): string => {
  const { type, ...details } = step
  return `${type} ${JSON.stringify(details)}`
}

export const nameOfWriter = (index: number, kind: WriterKind): string => `${'abcde'.charAt(index)} (${kind})`
