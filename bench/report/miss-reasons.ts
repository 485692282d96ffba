/** Sentences that explain a missed aim by other figures of the same run. They are empty if those figures explain nothing. */
import type { Outcome } from '../support/trial.ts'
import { summarise } from '../support/stats.ts'
import { formatFixed } from './format-figures.ts'

/** Trials of which only the state of the machine matters. */
interface MachineStates {
  readonly outcomes: readonly Pick<Outcome, 'fsync' | 'load' | 'saturated'>[]
}

/** `4 KiB appended, fdatasync: p50 0.35 ms, p99 15 ms, longest of 1,500 480 ms` */
export function fsyncSummary(fsync: readonly number[]): string {
  const { count, p50, p99, max } = summarise(fsync)
  return `4 KiB appended, fdatasync: p50 ${formatFixed(p50, 2)} ms, p99 ${formatFixed(p99)} ms, longest of ${formatFixed(count, 0)} ${formatFixed(max)} ms`
}

export const fsyncTimes = ({ outcomes }: MachineStates): number[] =>
  outcomes.flatMap(({ fsync = [] }) => fsync)

/** The disk alone between these trials; empty for old runs, which did not measure it. */
export function diskText(rounds: MachineStates): string {
  const fsync = fsyncTimes(rounds)
  return fsync.length === 0 ? '' : `The disk alone, between these trials: ${fsyncSummary(fsync)}.`
}

/** For figures that wait for the disk. */
export const diskReason = (rounds: MachineStates): string => {
  const disk = diskText(rounds)
  return disk && `Every edit is on the disk before anybody else sees it. ${disk}`
}

/** Empty if the machine always had a free core. */
export function busyReason({ outcomes }: MachineStates): string {
  const busy = outcomes.filter(({ saturated }) => saturated)
  if (busy.length === 0) return ''
  const where =
    busy.length < outcomes.length
      ? `${busy.length} of these ${outcomes.length} trials`
      : outcomes.length === 1
        ? 'this trial'
        : `all ${outcomes.length} of these trials`
  return `In ${where} the machine was more than 80 % busy (at most ${highestLoad(busy)} %), so times include waiting for a core.`
}

/** For what must never happen: no other figure excuses it. @param where Where it was found: `round 2: 3 lost`. */
export const lossReason = (where: readonly string[]): string =>
  joinSentences(
    'This must never happen, however busy the machine is: it is a fault of the program.',
    where.length > 0 ? `Found in ${where.join('; ')}.` : '',
  )

/** For an aim without a reason of its own: what is known of the machine. */
export const machineReason = (rounds: MachineStates): string =>
  joinSentences(
    busyReason(rounds) ||
      `The machine was at most ${highestLoad(rounds.outcomes)} % busy, so nothing waited long for a core: the time is the program’s own.`,
    diskText(rounds),
  )

/** The load of the busiest trial, in per cent of all cores. */
export const highestLoad = (outcomes: MachineStates['outcomes']): number =>
  Math.round(100 * Math.max(...outcomes.map(({ load }) => load)))

/** Joins the sentences that are not empty. */
export const joinSentences = (...all: readonly string[]): string => all.filter(Boolean).join(' ')
