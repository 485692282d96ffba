/**
 * The part of `keystrokes` in which documents have a length: three windows of Diptych and three of plain Tiptap on Hocuspocus, the same
 * text in both, real keys into one of them, and the same probe in all.
 */
import type { Browser } from '@playwright/test'
import ensureBrowserAndBuild from '../../e2e/fixtures/global-setup.ts'
import { type Program, type ProgramName, programNames, startProgram } from '../lengths/programs.ts'
import { typeAtLength, WINDOWS } from '../lengths/trial.ts'
import { launch } from '../support/browser.ts'
import type { Context } from '../support/context.ts'
import { interleaved, type Trial } from '../support/scenario.ts'
import type { LengthData, LengthParams } from './keystrokes-lengths-figures.ts'

export interface LengthOptions {
  readonly rounds: number
  readonly characters: readonly number[]
  readonly others: readonly number[]
  readonly pace: number
  readonly keys: number
  readonly interval: number
}

const WARM_UP_KEYS = 40

export function planLengths({ rounds, characters, others }: LengthOptions): Trial<LengthParams>[] {
  const items = characters.flatMap((length) =>
    others.flatMap((count) =>
      programNames.map((subject) => ({
        subject,
        lane: 'websocket',
        params: { windows: WINDOWS, characters: length, others: count },
      })),
    ),
  )
  return interleaved(rounds, items).map(({ round, item }) => ({ ...item, round }))
}

export const estimateLength = ({ others }: LengthParams, { keys, interval }: LengthOptions): number =>
  5 + 1.2 * WINDOWS + (others > 0 ? 2 : 0) + ((keys + WARM_UP_KEYS) * interval) / 1000

/** The servers are warm after the first trials, as those of the other part are. */
export async function runLength(
  { subject, params: { characters, others }, round }: Trial<LengthParams>,
  ctx: Context,
  { pace, keys, interval }: LengthOptions,
): Promise<LengthData> {
  const browser = await ctx.shared('browser of lengths', async (scope): Promise<Browser> => {
    await ensureBrowserAndBuild()
    const launched = await launch()
    scope.defer(() => launched.close())
    return launched
  })
  const program = await ctx.shared<Program>(`${subject} with lengths`, startProgram[subject as ProgramName])
  const order = { characters, others, pace, keys, warmUp: WARM_UP_KEYS, interval, seed: round }
  return typeAtLength(ctx, browser, program, order)
}
