/** One measurement, what came of it, and the order in which measurements are made. */

/** What a trial is about beside subject and lane: `{ clients: 200 }`. */
export type Params = Readonly<Record<string, string | number | boolean>>

/** One measurement of one subject. It starts from nothing and leaves nothing behind, so that a run can go on from any of them. */
export interface Trial<Of extends Params = Params> {
  /** What is measured: `diptych`, `hocuspocus`. */
  readonly subject: string
  /** The way it is measured by: a transport, or what there is instead. */
  readonly lane: string
  readonly params: Of
  /** From 1. */
  readonly round: number
}

/** A trial and what came of it, as it is kept in the run's folder. */
export interface Outcome<Of extends Params = Params, Data = unknown> {
  readonly trial: Trial<Of>
  readonly data: Data
  /** ISO 8601, at the end of the trial. */
  readonly at: string
  readonly seconds: number
  /** Of all cores, 0 to 1, while `ctx.measure` ran; of the whole trial where it was not used. */
  readonly load: number
  /** The load was above 80 %: what was measured is the waiting for a core. */
  readonly saturated: boolean
  /** Milliseconds each of the disk's own fdatasync right before the trial; runs of before had none. */
  readonly fsync?: readonly number[]
}

/** Names a trial among all of its scenario; also its file's name. */
export function keyOf({ subject, lane, params, round }: Trial): string {
  const more = Object.entries(params).map(([name, value]) => `${name}=${value}`)
  return [subject, lane, ...more, `round=${round}`]
    .map((part) => part.toLowerCase().replaceAll(/[^a-z0-9.=]+/g, '-'))
    .join('~')
}

/** `diptych, websocket, clients 60` */
export const nameOf = ({ subject, lane, params }: Trial): string =>
  [subject, lane, ...Object.entries(params).map(([name, value]) => `${name} ${value}`)].join(', ')

/** `diptych, websocket, clients 60, round 1` */
export const wordsOf = (trial: Trial): string => `${nameOf(trial)}, round ${trial.round}`

/** A trial before it is repeated. It measures Diptych unless it names another subject. */
export interface PlannedTrial<Of extends Params = Params> extends Pick<Trial<Of>, 'lane' | 'params'> {
  readonly subject?: string
  /** How often it is made; by default as often as the scenario has rounds. */
  readonly rounds?: number
}

/** Trials, or groups of trials of which one has all its rounds before the next begins. */
export type TrialPlan<Of extends Params = Params> =
  readonly PlannedTrial<Of>[] | readonly (readonly PlannedTrial<Of>[])[]

export const trialsOf = <Of extends Params>(plan: TrialPlan<Of>, rounds: number): Trial<Of>[] => {
  const isGrouped = (all: TrialPlan<Of>): all is readonly (readonly PlannedTrial<Of>[])[] =>
    Array.isArray(all[0])
  return isGrouped(plan) ? plan.flatMap((group) => interleaved(group, rounds)) : interleaved(plan, rounds)
}

/** Rounds of the same trials, every other one backwards: A B, B A. What drifts meets all alike. */
const interleaved = <Of extends Params>(planned: readonly PlannedTrial<Of>[], usual: number): Trial<Of>[] => {
  const most = Math.max(0, ...planned.map(({ rounds = usual }) => rounds))
  return Array.from({ length: most }, (_, index) => {
    const own = planned.filter(({ rounds = usual }) => rounds > index)
    return (index % 2 === 0 ? own : own.toReversed()).map(({ subject = 'diptych', lane, params }) => ({
      subject,
      lane,
      params,
      round: index + 1,
    }))
  }).flat()
}
