/** How an aim reads, and what must be said beside a row: the same on the page, on the terminal and in the README. */
import { formatShort } from './format-figures.ts'
import type { Aim, Headline, Section } from './section.ts'

/** `18 of at most 16 ms` */
export const aimAmount = ({ measured, limit, unit, sum }: Aim): string =>
  `${formatShort(measured)} of at most ${formatShort(limit)} ${unit}${sum ? ` (${sum})` : ''}`

/** `≤ 0.5 ×: 0.42, reached; ≤ 16 ms: 18, missed`, for a cell of a table. Aims with the same limit have their names before it. */
export function aimVerdicts(aims: readonly Aim[]): string {
  const limits = aims.map(({ limit, unit }) => `≤ ${formatShort(limit)} ${unit}`)
  return aims
    .map(({ name, measured, sum, reached }, index) => {
      const own = limits[index]!
      const isAlone = limits.indexOf(own) === limits.lastIndexOf(own)
      return `${isAlone ? '' : `${name} `}${own}${sum ? ` (${sum})` : ''}: ${formatShort(measured)}, ${reached ? 'reached' : 'missed'}`
    })
    .join('; ')
}

const UNKNOWN = 'The reason is not known yet.'

/** Empty for an aim that was reached. */
export const aimReason = ({ reached, reason }: Aim): string => (reached ? '' : reason || UNKNOWN)

/** The missed aims of a scenario. Those with the same reason stand together: the amounts, then the reason. */
export function missedAims({ aims }: Section): { readonly what: string; readonly reason: string }[] {
  const byReason = Map.groupBy(
    aims.filter(({ reached }) => !reached),
    aimReason,
  )
  return [...byReason].map(([reason, missed]) => ({
    what: missed.map((aim) => `${aim.name}: ${aimAmount(aim)}`).join('; '),
    reason,
  }))
}

/** `saturated` if all trials of the row ran on a busy machine, `saturated in 1 of 3 trials` if some did, nothing if none did. */
export const saturationMarks = ({ saturated }: Headline): string[] => {
  if (!saturated) return []
  const { count, trials } = saturated
  return [count === trials ? 'saturated' : `saturated in ${count} of ${trials} trials`]
}
