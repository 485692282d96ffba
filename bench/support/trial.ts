/** Defines trials, their outcomes, and the order of the trials. */

/** The parameters of a trial besides subject and lane: `{ clients: 200 }`. */
export type Params = Readonly<Record<string, string | number | boolean>>

/** One measurement of one subject. No trial depends on another, so that a run can be continued after any of them. */
export interface Trial<Of extends Params = Params> {
  /** The program that is measured: `diptych`, `hocuspocus`. */
  readonly subject: string
  /** The transport, or another variant of the subject. */
  readonly lane: string
  readonly params: Of
  /** From 1. */
  readonly round: number
}

/** A trial and its result, as the run's folder keeps it. */
export interface Outcome<Of extends Params = Params, Data = unknown> {
  readonly trial: Trial<Of>
  readonly data: Data
  /** ISO 8601, at the end of the trial. */
  readonly at: string
  readonly seconds: number
  /** The load of all cores, from 0 to 1, while `ctx.measure` ran, or during the whole trial if it was not used. */
  readonly load: number
  /** The load was above 80 %, so that times are those of waiting for a core. */
  readonly saturated: boolean
  /** The times of fdatasync right before the trial, in ms; old runs have none. */
  readonly fsync?: readonly number[]
  /** The trial's servers refused somebody this many things, or let them wait, by the name in their metrics. Old runs have none. */
  readonly refusals?: Readonly<Record<string, number>>
}

/** Returns a name that no other trial of the scenario has, and that a file can have. */
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

/** A trial without its rounds. It measures Diptych unless it names another subject. */
export interface PlannedTrial<Of extends Params = Params> extends Pick<Trial<Of>, 'lane' | 'params'> {
  readonly subject?: string
  /** The number of its rounds; by default the scenario's. */
  readonly rounds?: number
}

/** Trials, or groups of trials: a group has all its rounds before the next group begins. */
export type TrialPlan<Of extends Params = Params> =
  readonly PlannedTrial<Of>[] | readonly (readonly PlannedTrial<Of>[])[]

export const trialsOf = <Of extends Params>(plan: TrialPlan<Of>, rounds: number): Trial<Of>[] => {
  const isGrouped = (all: TrialPlan<Of>): all is readonly (readonly PlannedTrial<Of>[])[] =>
    Array.isArray(all[0])
  return isGrouped(plan) ? plan.flatMap((group) => interleaved(group, rounds)) : interleaved(plan, rounds)
}

/** Repeats the trials, every other round backwards (A B, B A), so that a machine that drifts treats all alike. */
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
