/** Defines what a crowd counts in one run, as plain JSON, and adds up the tallies of its parts. */
import type { Samples } from '../support/histogram.ts'
import type { DeliveryCounts } from './delivery-audit.ts'
import type { SecondCounts } from './second-counters.ts'

export interface CrowdTally {
  readonly sent: number
  readonly acknowledged: number
  /** Edits that arrived at another client. */
  readonly delivered: number
  /** The counts since the crowd was opened: an edit that is missing in one run may arrive in the next. */
  readonly audit: DeliveryCounts
  /** The number of connections that ended by themselves since the crowd was opened, and the reason of the first. */
  readonly lost: { readonly count: number; readonly why: string }
  /** The times from when an edit was due to its arrival at one other client, by thread. */
  readonly delivery: readonly Samples[]
  /** The times from when an edit was due to its acknowledgement, or its return to the author. */
  readonly acknowledgement: readonly Samples[]
  /** The times by which the crowd itself sent edits too late. */
  readonly lateness: readonly Samples[]
  /** The counts of each second since the schedule's start. */
  readonly perSecond: readonly SecondCounts[]
}

export function sumTallies(tallies: readonly CrowdTally[]): CrowdTally {
  return {
    ...sumOfFields(tallies, ['sent', 'acknowledged', 'delivered']),
    audit: sumCounts(tallies.map(({ audit }) => audit)),
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

export const sumCounts = (audits: readonly DeliveryCounts[]): DeliveryCounts =>
  sumOfFields(audits, ['delivered', 'missing', 'doubled', 'disordered'])

/** Adds up each second; a part that did not have that second counts as 0. */
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
