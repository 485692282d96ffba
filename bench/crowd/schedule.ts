/**
 * Calculates when each edit is due, whatever became of those before it (an open loop). The time follows from the edit's id, so that no
 * time needs to travel with it.
 */

export interface Schedule {
  /** A time on the crowd's clock. */
  readonly startAt: number
  readonly intervalMs: number
  /** The number of edits of each client. */
  readonly edits: number
  /** `spread`: clients write out of step with each other, as people do. `together`: all write at the same moment. */
  readonly rhythm: 'spread' | 'together'
  /** The number of edits that each client wrote before this schedule. */
  readonly firstClock: number
}

/** @param client The client's index in the crowd. */
export const dueAt = (schedule: Schedule, client: number, clock: number): number =>
  schedule.startAt + phaseOf(schedule, client) + (clock - schedule.firstClock) * schedule.intervalMs

/** Uses multiples of the golden ratio, which lie evenly however many there are. */
const phaseOf = ({ rhythm, intervalMs }: Schedule, client: number): number =>
  rhythm === 'together' ? 0 : ((client * 0.618_033_988_749_895) % 1) * intervalMs

export const endOf = ({ startAt, intervalMs, edits }: Schedule): number => startAt + edits * intervalMs

/** Returns `count` clients from `first` on, in the order of their turns, which is the same in each interval. */
export function turnsOf(schedule: Schedule, first: number, count: number): number[] {
  const clients = Array.from({ length: count }, (_, index) => first + index)
  return clients.toSorted((a, b) => phaseOf(schedule, a) - phaseOf(schedule, b))
}
