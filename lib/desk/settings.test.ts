import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { defaults, MIRROR_KEY, type MirrorLike, SettingsStore } from './settings.ts'

class Mirror implements MirrorLike {
  readonly items = new Map<string, string>()
  getItem = (key: string) => this.items.get(key) ?? null
  setItem = (key: string, value: string) => void this.items.set(key, value)
}

/** Two devices' desks, in step as soon as they are told to be. */
function twoDesks() {
  const [a, b] = [new Y.Doc(), new Y.Doc()]
  const meet = () => {
    Y.applyUpdate(a, Y.encodeStateAsUpdate(b), 'network')
    Y.applyUpdate(b, Y.encodeStateAsUpdate(a), 'network')
    Y.applyUpdate(a, Y.encodeStateAsUpdate(b), 'network')
  }
  const desk = (doc: Y.Doc) => ({ doc, whenSynced: Promise.resolve() })
  return { a: desk(a), b: desk(b), meet }
}

const storeOver = (mirror = new Mirror(), now = Date.now(), person = 'user:ada') =>
  new SettingsStore({ mirror, now: () => now, person: () => person })
const turns = () => new Promise((resolve) => setImmediate(resolve))

describe('a setting', () => {
  test('is there at the next opening, and in another window of this browser', () => {
    const mirror = new Mirror()
    const here = storeOver(mirror)
    const there = storeOver(mirror)
    here.set('theme', 'dark')
    expect(there.get()).toEqual(defaults)
    there.reread()
    expect(there.get().theme).toBe('dark')
    expect(storeOver(mirror).get()).toEqual({ ...defaults, theme: 'dark' })
  })

  test('comes to another device, and changes there at once', async () => {
    const { a, b, meet } = twoDesks()
    const [here, there] = [storeOver(), storeOver()]
    here.attach(a)
    there.attach(b)
    let heard = 0
    there.subscribe(() => (heard += 1))
    here.set('undo', 'all')
    meet()
    expect([there.get().undo, heard]).toEqual(['all', 1])
    there.set('undo', 'window')
    meet()
    expect(here.get().undo).toBe('window')
  })

  test('chosen where no desk was open comes to the desk with the next one, unless a later choice is there', async () => {
    for (const [elsewhere, expected] of [
      [100, 'dark'],
      [300, 'light'],
    ] as const) {
      const { a, b, meet } = twoDesks()
      const there = storeOver(new Mirror(), elsewhere)
      there.attach(b)
      there.set('theme', 'light')
      meet()
      const here = storeOver(new Mirror(), 200)
      here.set('theme', 'dark')
      here.attach(a)
      await turns()
      meet()
      expect([here.get().theme, there.get().theme]).toEqual([expected, expected])
    }
  })

  test('chosen on two devices at once ends as the later choice on both, whichever the desk keeps', () => {
    for (const [first, second] of [
      [1, 2],
      [2, 1],
    ] as const) {
      const { a, b, meet } = twoDesks()
      const here = storeOver(new Mirror(), first)
      const there = storeOver(new Mirror(), second)
      here.attach(a)
      there.attach(b)
      here.set('language', 'de')
      there.set('language', 'fr')
      meet()
      meet()
      const expected = first > second ? 'de' : 'fr'
      expect([here.get().language, there.get().language]).toEqual([expected, expected])
    }
  })

  test('counts though the clock of its device is behind', () => {
    const mirror = new Mirror()
    storeOver(mirror, 1_000).set('theme', 'dark')
    const here = storeOver(mirror, 1)
    here.set('theme', 'light')
    expect(storeOver(mirror).get().theme).toBe('light')
  })

  describe('of a clock that is more than a day ahead', () => {
    const day = 24 * 60 * 60 * 1000
    const dark = (at: number) => ({ version: 1, value: 'dark', at })

    test.each([
      [day, 'dark'],
      [day + 1, null],
      [Number.MAX_VALUE, null],
    ])('by %d ms: %j', (ahead, expected) => {
      const now = Date.now()
      const { a } = twoDesks()
      a.doc.getMap('settings').set('theme', dark(now + ahead))
      const mirror = new Mirror()
      mirror.items.set(MIRROR_KEY, JSON.stringify({ person: '', choices: { theme: dark(now + ahead) } }))
      const [store, other] = [storeOver(new Mirror(), now), storeOver(mirror, now)]
      store.attach(a)
      expect([store.get().theme, other.get().theme]).toEqual([expected, expected])
    })

    test('counts as none, and the next choice comes in its stead', () => {
      const { a, b, meet } = twoDesks()
      a.doc.getMap('settings').set('theme', dark(Number.MAX_VALUE))
      const [here, there] = [storeOver(), storeOver()]
      here.attach(a)
      there.attach(b)
      here.set('theme', 'light')
      meet()
      expect([here.get().theme, there.get().theme]).toEqual(['light', 'light'])
    })

    test('a choice made here counts though the one before it came from as far ahead as may be', () => {
      const now = Date.now()
      const { a } = twoDesks()
      a.doc.getMap('settings').set('theme', dark(now + day))
      const store = storeOver(new Mirror(), now)
      store.attach(a)
      store.set('theme', 'light')
      expect(store.get().theme).toBe('light')
    })

    test('two devices whose clocks differ by days do not write to the desk for ever', async () => {
      const { a, b, meet } = twoDesks()
      const [here, there] = [storeOver(new Mirror(), 1), storeOver(new Mirror(), 1 + 2 * day)]
      here.attach(a)
      there.attach(b)
      await turns()
      here.set('theme', 'light')
      there.set('theme', 'dark')
      for (let time = 0; time < 3; time++) meet()
      const before = Y.encodeStateVector(a.doc)
      for (let time = 0; time < 3; time++) meet()
      expect(Y.encodeStateVector(a.doc)).toEqual(before)
      expect([here.get().theme, there.get().theme]).toEqual(['light', 'dark'])
    })
  })

  test.each([
    '{',
    'null',
    '7',
    '{"person":"","choices":7}',
    ...[
      { theme: 'dark' },
      { theme: { version: 2, value: 'dark', at: 1 } },
      { theme: { version: 1, value: 'pink', at: 1 } },
      { theme: { version: 1, value: 'dark', at: 'soon' } },
      { language: { version: 1, value: '<script>', at: 1 } },
      { language: { version: 1, value: 'en-US-GB', at: 1 } },
    ].map((choices) => JSON.stringify({ person: '', choices })),
  ])('that is nonsense or of another version is the default: %s', (stored) => {
    const mirror = new Mirror()
    mirror.items.set(MIRROR_KEY, stored)
    expect(storeOver(mirror).get()).toEqual(defaults)
    const doc = new Y.Doc()
    doc.getMap('settings').set('theme', stored)
    const store = storeOver()
    store.attach({ doc, whenSynced: Promise.reject(new Error('refused')) })
    expect(store.get()).toEqual(defaults)
  })

  test('of whoever used this browser before is not the next person’s', () => {
    const mirror = new Mirror()
    storeOver(mirror, 1, 'user:ada').set('theme', 'dark')
    expect(storeOver(mirror, 2, 'user:bob').get()).toEqual(defaults)
    expect(storeOver(mirror, 2, 'user:ada').get().theme).toBe('dark')
    // Before the server has said who this is.
    expect(storeOver(mirror, 2, '').get().theme).toBe('dark')
  })

  test('is not written to a desk that was let go of', () => {
    const { a } = twoDesks()
    const store = storeOver()
    store.attach(a)()
    store.set('theme', 'dark')
    expect(a.doc.getMap('settings').size).toBe(0)
  })
})
