import type { OwnWindowEntry } from '@/lib/windows/register.ts'

/**
 * The next one in this browser, all round: in an order that all of them know, and that stays when one is opened anew in its place.
 * Undefined where this is the only one.
 */
export function nextWindow(entries: readonly OwnWindowEntry[], step: 1 | -1): OwnWindowEntry | undefined {
  const round = onePerPlace(entries.filter(({ here }) => here)).toSorted((a, b) =>
    a.place < b.place ? -1 : Number(a.place > b.place),
  )
  const self = round.findIndex((entry) => entry.self)
  const next = round[(self + step + round.length) % round.length]
  return next?.self ? undefined : next
}

/** Whose place another has taken is on its way out: to go there would open a third, which takes the second's place in turn. */
function onePerPlace(entries: readonly OwnWindowEntry[]): readonly OwnWindowEntry[] {
  const latestLast = entries.toSorted((a, b) => Number(a.self) - Number(b.self) || a.openedAt - b.openedAt)
  return [...new Map(latestLast.map((entry) => [entry.place, entry])).values()]
}
