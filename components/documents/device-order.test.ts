import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isInPlace, readDeviceOrder, rememberOrder } from './device-order.ts'

const storedItems = new Map<string, string>()

beforeEach(() => {
  storedItems.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storedItems.get(key) ?? null,
    setItem: (key: string, value: string) => void storedItems.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

const nowhere = { folder: null, favourite: false, template: false }
const work = { id: 'work', name: 'Work', parent: null }
const plan = { id: 'plan', title: 'Plan', role: 'owner', copiedAt: '' } as const
const isIn = (filter: 'favourites' | 'owned' | 'shared' | 'recent') =>
  isInPlace(plan, { kind: 'filter', filter }, readDeviceOrder('user:one'))

test('a document is where the latest list had it', () => {
  rememberOrder('user:one', [work], [{ id: 'plan', ...nowhere, folder: 'work' }])
  expect(readDeviceOrder('user:one').folders).toEqual([work])
  expect(isInPlace(plan, { kind: 'folder', id: 'work' }, readDeviceOrder('user:one'))).toBe(true)
  expect(['favourites', 'owned', 'shared', 'recent'].map((filter) => isIn(filter as 'owned'))).toEqual([
    false,
    true,
    false,
    true,
  ])
  rememberOrder('user:one', [work], [{ id: 'other', ...nowhere, template: true }])
  rememberOrder('user:one', [], [{ id: 'plan', ...nowhere, favourite: true }])
  expect(isInPlace(plan, { kind: 'folder', id: 'work' }, readDeviceOrder('user:one'))).toBe(false)
  expect(isIn('favourites')).toBe(true)
  rememberOrder('user:one', [], [{ id: 'plan', ...nowhere }])
  expect([...readDeviceOrder('user:one').placements.keys()]).toEqual(['other'])
})

test('nothing is shown that another person left, or that is not readable', () => {
  rememberOrder('user:one', [work], [{ id: 'plan', ...nowhere, folder: 'work' }])
  expect(readDeviceOrder('user:two')).toEqual({ folders: [], placements: new Map() })
  rememberOrder('user:two', [], [])
  expect(readDeviceOrder('user:one').folders).toEqual([])
  storedItems.set('diptych.order', '{')
  expect(readDeviceOrder('user:one').folders).toEqual([])
})

test('what is remembered is bounded, and what was listed last is kept', () => {
  const entries = Array.from({ length: 3_000 }, (_, at) => ({ id: String(at), ...nowhere, favourite: true }))
  rememberOrder('user:one', [], entries)
  const { placements } = readDeviceOrder('user:one')
  expect(placements.size).toBe(2_000)
  expect(placements.has('2999')).toBe(true)
})
