/**
 * When each edit is due (open loop: whatever became of those before it). Everybody who knows an edit's id can tell its time, so
 * no time travels with it.
 */

export interface Schedule {
  /** On the clock of crowd-clock.ts. */
  readonly startAt: number
  readonly intervalMs: number
  /** Edits of each client. */
  readonly edits: number
  /** `spread`: clients are out of step with each other, as people are. `together`: all at the same moment. */
  readonly rhythm: 'spread' | 'together'
  /** Edits of each client before this schedule began. */
  readonly firstClock: number
}

/** @param client Its index in the crowd. */
export const dueAt = (schedule: Schedule, client: number, clock: number): number =>
  schedule.startAt + phaseOf(schedule, client) + (clock - schedule.firstClock) * schedule.intervalMs

/** The golden ratio's multiples lie as evenly as can be, however many there are. */
const phaseOf = ({ rhythm, intervalMs }: Schedule, client: number): number =>
  rhythm === 'together' ? 0 : ((client * 0.618_033_988_749_895) % 1) * intervalMs

export const endOf = ({ startAt, intervalMs, edits }: Schedule): number => startAt + edits * intervalMs

/** The clients from `first` on in the order of their turns, the same in each interval. */
export function turnsOf(schedule: Schedule, first: number, count: number): number[] {
  const clients = Array.from({ length: count }, (_, index) => first + index)
  return clients.toSorted((a, b) => phaseOf(schedule, a) - phaseOf(schedule, b))
}
