import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'

/**
 * The next one in this browser, all round: in an order that all of them know, and that stays when one is opened anew in its place.
 * Undefined where this is the only one.
 */
export function nextWindow(
  entries: readonly OwnWindowEntry[],
  direction: 1 | -1,
): OwnWindowEntry | undefined {
  const localWindows = onePerSlot(entries.filter(({ sameBrowser }) => sameBrowser)).toSorted((a, b) =>
    a.place < b.place ? -1 : Number(a.place > b.place),
  )
  const self = localWindows.findIndex((entry) => entry.self)
  const next = localWindows[(self + direction + localWindows.length) % localWindows.length]
  return next?.self ? undefined : next
}

/** Whose place another has taken is on its way out: to go there would open a third, which takes the second's place in turn. */
function onePerSlot(entries: readonly OwnWindowEntry[]): readonly OwnWindowEntry[] {
  const latestLast = entries.toSorted((a, b) => Number(a.self) - Number(b.self) || a.openedAt - b.openedAt)
  return [...new Map(latestLast.map((entry) => [entry.place, entry])).values()]
}
