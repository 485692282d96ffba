/** An aim, and what a row has to own up to, in words: alike on the page, on the terminal and in the README. */
import { short } from './figures.ts'
import type { Aim, Headline, Section } from './section.ts'

/** `18 of at most 16 ms` */
export const amountOf = ({ measured, limit, unit, sum }: Aim): string =>
  `${short(measured)} of at most ${short(limit)} ${unit}${sum ? ` (${sum})` : ''}`

/** `≤ 0.5 × (0.5 of Hocuspocus): 0.42, reached; ≤ 16 ms: 18, missed`, for a cell of a table; with names where the limits alone would look alike. */
export function verdictsOf(aims: readonly Aim[]): string {
  const limits = aims.map(({ limit, unit }) => `≤ ${short(limit)} ${unit}`)
  return aims
    .map(({ name, measured, sum, reached }, index) => {
      const own = limits[index]!
      const isAlone = limits.indexOf(own) === limits.lastIndexOf(own)
      return `${isAlone ? '' : `${name} `}${own}${sum ? ` (${sum})` : ''}: ${short(measured)}, ${reached ? 'reached' : 'missed'}`
    })
    .join('; ')
}

const UNKNOWN = 'The reason is not known yet.'

/** '' where there is nothing to explain. */
export const reasonOf = ({ reached, reason }: Aim): string => (reached ? '' : reason || UNKNOWN)

/** Of one scenario. What was missed for one reason stands together: the amounts, then the reason. */
export function missesOf({ aims }: Section): { readonly what: string; readonly reason: string }[] {
  const byReason = Map.groupBy(
    aims.filter(({ reached }) => !reached),
    reasonOf,
  )
  return [...byReason].map(([reason, missed]) => ({
    what: missed.map((aim) => `${aim.name}: ${amountOf(aim)}`).join('; '),
    reason,
  }))
}

/** `saturated` where the whole row is, else how much of it; nothing where the machine had room. */
export const saturatedIn = ({ saturated }: Headline): string[] => {
  if (!saturated) return []
  const { count, trials } = saturated
  return [count === trials ? 'saturated' : `saturated in ${count} of ${trials} trials`]
}
