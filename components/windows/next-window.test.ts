import { expect, test } from 'vitest'
import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import { nextWindow } from './next-window'

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

/** As each of them would list them: itself first. */
function visitOrder(places: readonly string[], step: 1 | -1): string[] {
  const seen: string[] = []
  let self = places[0]!
  for (let steps = 0; steps < places.length; steps++) {
    seen.push(self)
    const others = places.filter((place) => place !== self).map((place) => entry(place))
    self = nextWindow([entry(self, { self: true }), ...others], step)!.place
  }
  return seen
}

test('whoever goes on from window to window comes to each of them once, in either direction', () => {
  expect(visitOrder(['b', 'c', 'a'], 1)).toEqual(['b', 'c', 'a'])
  expect(visitOrder(['b', 'c', 'a'], -1)).toEqual(['b', 'a', 'c'])
})

test('windows of other devices are passed over, and one window alone has no next', () => {
  const own = entry('b', { self: true })
  expect(nextWindow([own], 1)).toBeUndefined()
  expect(nextWindow([own, entry('c', { sameBrowser: false })], 1)).toBeUndefined()
  expect(nextWindow([own, entry('c', { sameBrowser: false }), entry('d')], -1)?.place).toBe('d')
})

test('a window whose place was taken is no next one', () => {
  const own = entry('b', { self: true, openedAt: 2 })
  const before = entry('b', { id: 'taken over by this one', openedAt: 1 })
  expect(nextWindow([own, before], 1)).toBeUndefined()
  const [first, second] = [entry('c', { openedAt: 1 }), entry('c', { id: 'in its place', openedAt: 2 })]
  expect(nextWindow([own, before, second, first], 1)?.id).toBe('in its place')
})
