import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'

/**
 * The next window in this browser, in a circle. The order is the same in all windows, and stays when a window is reopened in its slot.
 * Undefined if this is the only one.
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

/**
 * Keeps one window per slot: a window whose slot another has taken is closing, and going there would open a third, which would take the
 * second's slot in turn.
 */
function onePerSlot(entries: readonly OwnWindowEntry[]): readonly OwnWindowEntry[] {
  const latestLast = entries.toSorted((a, b) => Number(a.self) - Number(b.self) || a.openedAt - b.openedAt)
  return [...new Map(latestLast.map((entry) => [entry.place, entry])).values()]
}
