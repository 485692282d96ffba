import { expect, test } from 'vitest'
import { isRandomId, randomId } from '../protocol/ids.ts'
import { FakeLocks } from '../fixtures/fake-locks.ts'
import {
  readWindowSlot,
  claimSlot,
  slotHashOf,
  createSlot,
  type SlotStorage,
  withoutSlot,
} from './window-slot.ts'

function tabStorage(copied?: Map<string, string>): SlotStorage & { readonly all: Map<string, string> } {
  const all = new Map(copied)
  return { all, getItem: (key) => all.get(key) ?? null, setItem: (key, value) => void all.set(key, value) }
}

test('a window keeps its slot over a reload', async () => {
  const browser = new FakeLocks()
  const storage = tabStorage()
  const locks = browser.window()
  const first = await claimSlot(locks, readWindowSlot('', storage), storage)
  locks.die()
  expect(await claimSlot(browser.window(), readWindowSlot('', storage), storage)).toBe(first)
})

test('a window that is opened in a slot inherits it, even while the former window is still there', async () => {
  const browser = new FakeLocks()
  const storage = tabStorage()
  const former = await claimSlot(browser.window(), readWindowSlot('', storage), storage)
  const slot = readWindowSlot(slotHashOf(former), tabStorage())
  expect(slot).toEqual({ id: former, popup: true, inherits: true, sure: true })
})

test('a reload remembers that a window of ours opened it', () => {
  const storage = tabStorage()
  const place = randomId()
  readWindowSlot(slotHashOf(place), storage)
  expect(readWindowSlot('', storage)).toMatchObject({ id: place, popup: true, inherits: false, sure: false })
})

test.each(['p', '', 'A'.repeat(21), 'A'.repeat(23), 'A'.repeat(21) + 'B', '<script>alert(1)</script>'])(
  'an address that names a place nobody can have, %j, is as one that names none',
  (place) => {
    const hash = `#token=t&place=${encodeURIComponent(place)}`
    const slot = readWindowSlot(hash, tabStorage())
    expect(slot).toMatchObject({ popup: false, inherits: false, sure: true })
    expect(isRandomId(slot.id)).toBe(true)
    expect(withoutSlot(hash)).toBe('#token=t')
  },
)

test('a duplicated tab has a copy of the slot, and gets one of its own', async () => {
  const browser = new FakeLocks()
  const storage = tabStorage()
  const first = await claimSlot(browser.window(), readWindowSlot('', storage), storage)
  const copy = tabStorage(storage.all)
  const second = await claimSlot(browser.window(), readWindowSlot('', copy), copy, 10)
  expect(second).not.toBe(first)
  expect(readWindowSlot('', copy).id).toBe(second)
})

test('a window that lost its slot to another has a new one', () => {
  const storage = tabStorage()
  const { id } = readWindowSlot('', storage)
  expect(createSlot(new FakeLocks().window(), storage)).not.toBe(id)
})

test('where storage is forbidden each load is a window of its own', () => {
  const forbidden: SlotStorage = {
    getItem: () => {
      throw new Error('forbidden')
    },
    setItem: () => {
      throw new Error('forbidden')
    },
  }
  expect(readWindowSlot('', forbidden).id).not.toBe(readWindowSlot('', forbidden).id)
})

test.each([
  ['#place=p', ''],
  ['#token=t&place=p', '#token=t'],
  ['#token=t', '#token=t'],
  ['#a-heading', '#a-heading'],
  ['', ''],
])('%j without the slot is %j', (hash, rest) => {
  expect(withoutSlot(hash)).toBe(rest)
})
