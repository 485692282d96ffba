import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { defaultSettings, MIRROR_KEY, type SettingsMirror, SettingsStore } from './settings.ts'
import { settle } from '../fixtures/wait.ts'

class FakeMirror implements SettingsMirror {
  readonly items = new Map<string, string>()
  getItem = (key: string) => this.items.get(key) ?? null
  setItem = (key: string, value: string) => void this.items.set(key, value)
}

/** Two devices' desks, which are in step when a test says so. */
function twoDesks() {
  const [a, b] = [new Y.Doc(), new Y.Doc()]
  const syncDesks = () => {
    Y.applyUpdate(a, Y.encodeStateAsUpdate(b), 'network')
    Y.applyUpdate(b, Y.encodeStateAsUpdate(a), 'network')
    Y.applyUpdate(a, Y.encodeStateAsUpdate(b), 'network')
  }
  const desk = (doc: Y.Doc) => ({ doc, whenSynced: Promise.resolve() })
  return { a: desk(a), b: desk(b), syncDesks }
}

const storeWith = (mirror = new FakeMirror(), now = Date.now(), person = 'user:ada') =>
  new SettingsStore({ mirror, now: () => now, person: () => person })

describe('a setting', () => {
  test('is there at the next opening, and in another window of this browser', () => {
    const mirror = new FakeMirror()
    const local = storeWith(mirror)
    const remote = storeWith(mirror)
    local.set('theme', 'dark')
    expect(remote.get()).toEqual(defaultSettings)
    remote.readMirror()
    expect(remote.get().theme).toBe('dark')
    expect(storeWith(mirror).get()).toEqual({ ...defaultSettings, theme: 'dark' })
  })

  test('comes to another device, and changes there at once', async () => {
    const { a, b, syncDesks } = twoDesks()
    const [local, remote] = [storeWith(), storeWith()]
    local.attachDesk(a)
    remote.attachDesk(b)
    let notifications = 0
    remote.subscribe(() => (notifications += 1))
    local.set('undo', 'all')
    syncDesks()
    expect([remote.get().undo, notifications]).toEqual(['all', 1])
    remote.set('undo', 'window')
    syncDesks()
    expect(local.get().undo).toBe('window')
  })

  test('chosen where no desk was open comes to the desk with the next one, unless a later choice is there', async () => {
    for (const [elsewhere, expected] of [
      [100, 'dark'],
      [300, 'light'],
    ] as const) {
      const { a, b, syncDesks } = twoDesks()
      const remote = storeWith(new FakeMirror(), elsewhere)
      remote.attachDesk(b)
      remote.set('theme', 'light')
      syncDesks()
      const local = storeWith(new FakeMirror(), 200)
      local.set('theme', 'dark')
      local.attachDesk(a)
      await settle()
      syncDesks()
      expect([local.get().theme, remote.get().theme]).toEqual([expected, expected])
    }
  })

  test('chosen on two devices at once ends as the later choice on both, whichever the desk keeps', () => {
    for (const [first, second] of [
      [1, 2],
      [2, 1],
    ] as const) {
      const { a, b, syncDesks } = twoDesks()
      const local = storeWith(new FakeMirror(), first)
      const remote = storeWith(new FakeMirror(), second)
      local.attachDesk(a)
      remote.attachDesk(b)
      local.set('language', 'de')
      remote.set('language', 'fr')
      syncDesks()
      syncDesks()
      const expected = first > second ? 'de' : 'fr'
      expect([local.get().language, remote.get().language]).toEqual([expected, expected])
    }
  })

  test('counts though the clock of its device is behind', () => {
    const mirror = new FakeMirror()
    storeWith(mirror, 1_000).set('theme', 'dark')
    const local = storeWith(mirror, 1)
    local.set('theme', 'light')
    expect(storeWith(mirror).get().theme).toBe('light')
  })

  describe('a choice by a clock that is more than a day ahead', () => {
    const day = 24 * 60 * 60 * 1000
    const dark = (at: number) => ({ version: 1, value: 'dark', at })

    test.each([
      [day, 'dark'],
      [day + 1, null],
      [Number.MAX_VALUE, null],
    ])('of %d ms ahead gives %j', (ahead, expected) => {
      const now = Date.now()
      const { a } = twoDesks()
      a.doc.getMap('settings').set('theme', dark(now + ahead))
      const mirror = new FakeMirror()
      mirror.items.set(MIRROR_KEY, JSON.stringify({ person: '', choices: { theme: dark(now + ahead) } }))
      const [store, other] = [storeWith(new FakeMirror(), now), storeWith(mirror, now)]
      store.attachDesk(a)
      expect([store.get().theme, other.get().theme]).toEqual([expected, expected])
    })

    test('counts as none, and the next choice replaces it', () => {
      const { a, b, syncDesks } = twoDesks()
      a.doc.getMap('settings').set('theme', dark(Number.MAX_VALUE))
      const [local, remote] = [storeWith(), storeWith()]
      local.attachDesk(a)
      remote.attachDesk(b)
      local.set('theme', 'light')
      syncDesks()
      expect([local.get().theme, remote.get().theme]).toEqual(['light', 'light'])
    })

    test('does not outlive a choice made here, though it came from as far ahead as is allowed', () => {
      const now = Date.now()
      const { a } = twoDesks()
      a.doc.getMap('settings').set('theme', dark(now + day))
      const store = storeWith(new FakeMirror(), now)
      store.attachDesk(a)
      store.set('theme', 'light')
      expect(store.get().theme).toBe('light')
    })

    test('does not make two devices that differ by days write to the desk for ever', async () => {
      const { a, b, syncDesks } = twoDesks()
      const [local, remote] = [storeWith(new FakeMirror(), 1), storeWith(new FakeMirror(), 1 + 2 * day)]
      local.attachDesk(a)
      remote.attachDesk(b)
      await settle()
      local.set('theme', 'light')
      remote.set('theme', 'dark')
      for (let time = 0; time < 3; time++) syncDesks()
      const before = Y.encodeStateVector(a.doc)
      for (let time = 0; time < 3; time++) syncDesks()
      expect(Y.encodeStateVector(a.doc)).toEqual(before)
      expect([local.get().theme, remote.get().theme]).toEqual(['light', 'dark'])
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
    const mirror = new FakeMirror()
    mirror.items.set(MIRROR_KEY, stored)
    expect(storeWith(mirror).get()).toEqual(defaultSettings)
    const doc = new Y.Doc()
    doc.getMap('settings').set('theme', stored)
    const store = storeWith()
    store.attachDesk({ doc, whenSynced: Promise.reject(new Error('refused')) })
    expect(store.get()).toEqual(defaultSettings)
  })

  test('of an earlier user of this browser is not the next person’s', () => {
    const mirror = new FakeMirror()
    storeWith(mirror, 1, 'user:ada').set('theme', 'dark')
    expect(storeWith(mirror, 2, 'user:bob').get()).toEqual(defaultSettings)
    expect(storeWith(mirror, 2, 'user:ada').get().theme).toBe('dark')
    // The server has not named the principal yet.
    expect(storeWith(mirror, 2, '').get().theme).toBe('dark')
  })

  test('is not written to a desk that it was detached from', () => {
    const { a } = twoDesks()
    const store = storeWith()
    store.attachDesk(a)()
    store.set('theme', 'dark')
    expect(a.doc.getMap('settings').size).toBe(0)
  })
})
