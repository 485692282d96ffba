import { expect, test } from 'vitest'
import { isRandomId, randomId } from '../protocol/ids.ts'
import { FakeLocks } from '../sync/fixtures/fake-locks.ts'
import { arrive, claim, hashOf, newPlace, type PlaceStorage, withoutPlace } from './place.ts'

function tab(copied?: Map<string, string>): PlaceStorage & { readonly all: Map<string, string> } {
  const all = new Map(copied)
  return { all, getItem: (key) => all.get(key) ?? null, setItem: (key, value) => void all.set(key, value) }
}

test('a window keeps its place over a reload', async () => {
  const browser = new FakeLocks()
  const storage = tab()
  const locks = browser.window()
  const first = await claim(locks, arrive('', storage), storage)
  locks.die()
  expect(await claim(browser.window(), arrive('', storage), storage)).toBe(first)
})

test('who is opened in a place inherits it, also while the former window is still there', async () => {
  const browser = new FakeLocks()
  const storage = tab()
  const former = await claim(browser.window(), arrive('', storage), storage)
  const arrival = arrive(hashOf(former), tab())
  expect(arrival).toEqual({ place: former, popup: true, inherits: true, sure: true })
})

test('a reload remembers that a window of ours opened it', () => {
  const storage = tab()
  const place = randomId()
  arrive(hashOf(place), storage)
  expect(arrive('', storage)).toMatchObject({ place, popup: true, inherits: false, sure: false })
})

test.each(['p', '', 'A'.repeat(21), 'A'.repeat(23), 'A'.repeat(21) + 'B', '<script>alert(1)</script>'])(
  'an address that names a place nobody can have, %j, is as one that names none',
  (place) => {
    const hash = `#token=t&place=${encodeURIComponent(place)}`
    const arrival = arrive(hash, tab())
    expect(arrival).toMatchObject({ popup: false, inherits: false, sure: true })
    expect(isRandomId(arrival.place)).toBe(true)
    expect(withoutPlace(hash)).toBe('#token=t')
  },
)

test('a duplicated tab has a copy of the place, and gets one of its own', async () => {
  const browser = new FakeLocks()
  const storage = tab()
  const first = await claim(browser.window(), arrive('', storage), storage)
  const copy = tab(storage.all)
  const second = await claim(browser.window(), arrive('', copy), copy, 10)
  expect(second).not.toBe(first)
  expect(arrive('', copy).place).toBe(second)
})

test('a window that lost its place to another has a new one', () => {
  const storage = tab()
  const { place } = arrive('', storage)
  expect(newPlace(new FakeLocks().window(), storage)).not.toBe(place)
})

test('storage that is forbidden makes each load a window of its own', () => {
  const forbidden: PlaceStorage = {
    getItem: () => {
      throw new Error('forbidden')
    },
    setItem: () => {
      throw new Error('forbidden')
    },
  }
  expect(arrive('', forbidden).place).not.toBe(arrive('', forbidden).place)
})

test.each([
  ['#place=p', ''],
  ['#token=t&place=p', '#token=t'],
  ['#token=t', '#token=t'],
  ['#a-heading', '#a-heading'],
  ['', ''],
])('of %j without the place is left %j', (hash, rest) => {
  expect(withoutPlace(hash)).toBe(rest)
})
