/** Why an aim was missed, as far as the figures of the same run tell it. Sentences. */
import type { Outcome } from '../support/trial.ts'
import { summarise } from '../support/stats.ts'
import { plain } from './figures.ts'

/** Trials, of which only the state of the machine is asked. */
interface Circumstances {
  readonly outcomes: readonly Pick<Outcome, 'fsync' | 'load' | 'saturated'>[]
}

/** `4 KiB appended, fdatasync: p50 0.35 ms, p99 15 ms, the longest of 1,500 480 ms` */
export function diskWords(fsync: readonly number[]): string {
  const { count, p50, p99, max } = summarise(fsync)
  return `4 KiB appended, fdatasync: p50 ${plain(p50, 2)} ms, p99 ${plain(p99)} ms, the longest of ${plain(count, 0)} ${plain(max)} ms`
}

export const fsyncOf = ({ outcomes }: Circumstances): number[] => outcomes.flatMap(({ fsync = [] }) => fsync)

/** For what waits for the disk; '' for runs in which it was not measured. */
export function becauseOfDisk(rounds: Circumstances): string {
  const fsync = fsyncOf(rounds)
  return fsync.length === 0
    ? ''
    : `Every edit is on the disk before anybody else sees it, and between the same trials the disk by itself took: ${diskWords(fsync)}.`
}

/** '' where the machine had room. */
export function becauseBusy({ outcomes }: Circumstances): string {
  const busy = outcomes.filter(({ saturated }) => saturated)
  if (busy.length === 0) return ''
  const most = Math.max(...busy.map(({ load }) => load))
  const where =
    busy.length === outcomes.length
      ? 'each of these trials'
      : `${busy.length} of ${outcomes.length} of these trials`
  return `In ${where} the machine was more than 80 % busy (at most ${Math.round(100 * most)} %), so that times are those of waiting for a core.`
}

/** For what must not be: no figure of the run excuses it. @param where Where it was found: `round 2: 3 lost`. */
export const becauseLost = (where: readonly string[]): string =>
  sentences(
    'That must never be, however busy a machine is: a fault of the program.',
    where.length > 0 ? `Found in ${where.join('; ')}.` : '',
  )

/** For an aim that has no reason of its own: what is known of the machine, and that the rest is not. */
export function inGeneral(rounds: Circumstances): string {
  const fsync = fsyncOf(rounds)
  const most = Math.max(...rounds.outcomes.map(({ load }) => load))
  return sentences(
    becauseBusy(rounds) ||
      `The machine was at most ${Math.round(100 * most)} % busy, so that nothing waited for a core for long: it is the program’s own.`,
    fsync.length > 0 ? `The disk by itself, between these trials: ${diskWords(fsync)}.` : '',
  )
}

/** Those that say something, one after the other. */
export const sentences = (...all: readonly string[]): string => all.filter(Boolean).join(' ')
