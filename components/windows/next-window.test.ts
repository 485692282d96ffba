import { expect, test } from 'vitest'
import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import { nextWindow } from './next-window.ts'

const entry = (place: string, overrides: Partial<OwnWindowEntry> = {}): OwnWindowEntry => ({
  id: `window ${place}`,
  place,
  n: 1,
  kind: 'text',
  document: null,
  title: place,
  device: { id: 'd', name: 'Chrome on Linux' },
  openedAt: 0,
  focusedAt: 0,
  active: true,
  popup: false,
  linked: false,
  self: false,
  sameBrowser: true,
  ...overrides,
})

/** Visits windows with the list that each of them has: itself first. */
function visitOrder(places: readonly string[], step: 1 | -1): string[] {
  const visited: string[] = []
  let self = places[0]!
  for (let steps = 0; steps < places.length; steps++) {
    visited.push(self)
    const otherWindows = places.filter((place) => place !== self).map((place) => entry(place))
    self = nextWindow([entry(self, { self: true }), ...otherWindows], step)!.place
  }
  return visited
}

test('stepping from window to window reaches each of them once, in either direction', () => {
  expect(visitOrder(['b', 'c', 'a'], 1)).toEqual(['b', 'c', 'a'])
  expect(visitOrder(['b', 'c', 'a'], -1)).toEqual(['b', 'a', 'c'])
})

test('windows of other devices are skipped, and a single window has no next one', () => {
  const own = entry('b', { self: true })
  expect(nextWindow([own], 1)).toBeUndefined()
  expect(nextWindow([own, entry('c', { sameBrowser: false })], 1)).toBeUndefined()
  expect(nextWindow([own, entry('c', { sameBrowser: false }), entry('d')], -1)?.place).toBe('d')
})

test('a window whose slot was taken over is never the next one', () => {
  const own = entry('b', { self: true, openedAt: 2 })
  const before = entry('b', { id: 'taken over by this one', openedAt: 1 })
  expect(nextWindow([own, before], 1)).toBeUndefined()
  const [first, second] = [entry('c', { openedAt: 1 }), entry('c', { id: 'in its place', openedAt: 2 })]
  expect(nextWindow([own, before, second, first], 1)?.id).toBe('in its place')
})
