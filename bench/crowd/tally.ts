/** What a crowd counted in one run, as plain JSON; a part of a crowd counts the same, and parts add up. */
import type { Samples } from '../support/histogram.ts'
import type { Audit } from './ledger.ts'
import type { SecondCounts } from './seconds.ts'

/** `Recorded`: how times are kept, as histograms or in a page as they are. */
export interface Tally<Recorded = Samples> {
  readonly sent: number
  readonly acknowledged: number
  /** Edits that arrived at another client. */
  readonly delivered: number
  /** Since the crowd was opened: what is lost in one run may turn up in the next. */
  readonly audit: Audit
  /** Connections that ended by themselves since the crowd was opened, and why the first did. */
  readonly lost: { readonly count: number; readonly why: string }
  /** From the time an edit was due to its arrival at one other client. By thread. */
  readonly delivery: readonly Recorded[]
  /** From the time an edit was due to its acknowledgement (or return) to its author. */
  readonly acknowledgement: readonly Recorded[]
  /** By how much edits were said later than due: the crowd's own fault. */
  readonly lateness: readonly Recorded[]
  /** By second since the schedule's start. */
  readonly perSecond: readonly SecondCounts[]
}

export function sumOf<Recorded>(tallies: readonly Tally<Recorded>[]): Tally<Recorded> {
  return {
    ...sumOfFields(tallies, ['sent', 'acknowledged', 'delivered']),
    audit: sumOfAudits(tallies.map(({ audit }) => audit)),
    lost: {
      ...sumOfFields(
        tallies.map(({ lost }) => lost),
        ['count'],
      ),
      why: tallies.find(({ lost }) => lost.count > 0)?.lost.why ?? '',
    },
    delivery: tallies.flatMap(({ delivery }) => delivery),
    acknowledgement: tallies.flatMap(({ acknowledgement }) => acknowledgement),
    lateness: tallies.flatMap(({ lateness }) => lateness),
    perSecond: sumOfSeconds(tallies.map(({ perSecond }) => perSecond)),
  }
}

export const sumOfAudits = (audits: readonly Audit[]): Audit =>
  sumOfFields(audits, ['delivered', 'missing', 'doubled', 'disordered'])

/** By second; one that a part did not have counts as none of it. */
function sumOfSeconds(parts: readonly (readonly SecondCounts[])[]): SecondCounts[] {
  const length = Math.max(0, ...parts.map((seconds) => seconds.length))
  return Array.from({ length }, (_, second) =>
    sumOfFields(
      parts.flatMap((seconds) => seconds[second] ?? []),
      ['sent', 'acknowledged', 'delivered'],
    ),
  )
}

const sumOfFields = <Name extends string>(
  parts: readonly Readonly<Record<Name, number>>[],
  names: readonly Name[],
): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, parts.reduce((sum, part) => sum + part[name], 0)])) as Record<
    Name,
    number
  >
