import { IDBFactory } from 'fake-indexeddb'
import * as Y from 'yjs'
import { describe, expect, test } from 'vitest'
import { LocalDatabase } from './local-database.ts'
import { resultOf } from './request-result.ts'
import { FakeStorageBrowser } from './fixtures/fake-storage-browser.ts'
import type { CopyInfo, RowOwner } from './local-records.ts'
import { LocalStore } from './local-store.ts'

const key = { document: 'one', part: 'body' } as const
const owner = { ...key, window: 'w.1' }
const ownPrincipal = 'user:one'

/** Encodes each letter as an update of its own. */
function typed(text: string): Uint8Array[] {
  const doc = new Y.Doc()
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => updates.push(update))
  for (const letter of text) doc.getText('words').insert(doc.getText('words').length, letter)
  return updates
}

const textIn = (updates: readonly Uint8Array[]): string => {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc.getText('words').toJSON()
}

const rowsOf = (text: string) => typed(text).map((update, at) => ({ n: at + 1, update, changes: 1 }))

const info: CopyInfo = { ...key, title: 'Plan', role: 'editor', principal: ownPrincipal, schema: 1, at: 1 }

/** The text that the next window to open the document finds. */
async function readText(store: LocalStore): Promise<string> {
  const { copy, rows } = await store.readPart(key, ownPrincipal)
  return textIn([...(copy ? [copy.state] : []), ...rows.map(({ update }) => update)])
}

const empty = Y.encodeStateAsUpdate(new Y.Doc())

describe('[D6] rows', () => {
  test('are there for the next window that opens the document, in their order', async () => {
    const { store } = new FakeStorageBrowser()
    await store.append(owner, ownPrincipal, rowsOf('abc').slice(0, 2))
    await store.append(owner, ownPrincipal, rowsOf('abc').slice(2))
    expect((await store.readPart(key, ownPrincipal)).rows.map(({ n }) => n)).toEqual([1, 2, 3])
    expect((await store.readPart({ ...key, document: 'two' }, ownPrincipal)).rows).toEqual([])
    expect(await store.listUnsavedRows()).toEqual([{ ...owner, principal: ownPrincipal, changes: 3 }])
  })

  test('that the server has saved are not unsaved any more, and leave with the next copy', async () => {
    const { store } = new FakeStorageBrowser()
    const rows = rowsOf('abc')
    await store.append(owner, ownPrincipal, rows)
    await store.mark(owner, 2)
    expect(await store.listUnsavedRows()).toMatchObject([{ changes: 1 }])
    await store.compact(info, empty, { window: 'other.1', upTo: 0 })
    const { copy, rows: left } = await store.readPart(key, ownPrincipal)
    expect(textIn([copy!.state])).toBe('ab')
    expect(left.map(({ n }) => n)).toEqual([3])
    await store.mark(owner, 3)
    await store.compact(info, copy!.state, { window: 'other.1', upTo: 0 })
    expect(await readText(store)).toBe('abc')
    expect((await store.readPart(key, ownPrincipal)).rows).toEqual([])
  })

  test('of another person are neither shown nor mixed with one’s own, saved or not', async () => {
    const { store } = new FakeStorageBrowser()
    await store.append(owner, 'user:two', rowsOf('ab'))
    await store.mark(owner, 1)
    await store.compact(info, empty, { window: 'other.1', upTo: 0 })
    expect(await readText(store)).toBe('')
    expect((await store.readPart(key, 'user:two')).rows.map(({ n }) => n)).toEqual([1, 2])
    expect(await store.listUnsavedRows()).toMatchObject([{ changes: 1, principal: 'user:two' }])
  })

  test('of the writer stay where its state does not hold them yet', async () => {
    const { store } = new FakeStorageBrowser()
    await store.append(owner, ownPrincipal, rowsOf('ab'))
    await store.mark(owner, 2)
    await store.compact(info, empty, { window: owner.window, upTo: 1 })
    expect((await store.readPart(key, ownPrincipal)).rows.map(({ n }) => n)).toEqual([2])
  })

  test('become one when there are many, and are marked as one', async () => {
    const { store } = new FakeStorageBrowser()
    await store.append(owner, ownPrincipal, rowsOf('abcde'))
    await store.mergeRows(owner, 4)
    expect((await store.readPart(key, ownPrincipal)).rows.map(({ n, changes }) => [n, changes])).toEqual([
      [4, 4],
      [5, 1],
    ])
    expect(await readText(store)).toBe('abcde')
    await store.mark(owner, 3)
    expect(await store.listUnsavedRows()).toMatchObject([{ changes: 5 }])
    await store.mark(owner, 4)
    expect(await store.listUnsavedRows()).toMatchObject([{ changes: 1 }])
  })

  test('of a dead window pass to another with their mark, and no row is lost on the way', async () => {
    const { store } = new FakeStorageBrowser()
    await store.append(owner, ownPrincipal, rowsOf('abc'))
    await store.mark(owner, 1)
    const taken = await store.adoptRows(owner, 'v.1', ownPrincipal)
    expect(textIn(taken.saved.map(({ update }) => update))).toBe('a')
    expect(taken.unsaved.map(({ n }) => n)).toEqual([2, 3])
    expect(await store.rowWindows(key)).toEqual(new Set(['v.1']))
    expect(await store.listUnsavedRows()).toEqual([
      { ...owner, window: 'v.1', principal: ownPrincipal, changes: 2 },
    ])
    expect(await readText(store)).toBe('abc')
    expect(await store.adoptRows(owner, 'u.1', ownPrincipal)).toEqual({ saved: [], unsaved: [] })
  })

  test('of another person are neither shown nor passed on', async () => {
    const { store } = new FakeStorageBrowser()
    await store.append(owner, 'user:two', rowsOf('abc'))
    await store.compact({ ...info, principal: 'user:two' }, empty, { window: 'v.1', upTo: 0 })
    expect(await store.readPart(key, ownPrincipal)).toEqual({ copy: undefined, rows: [] })
    expect((await store.adoptRows(owner, 'v.1', ownPrincipal)).unsaved).toEqual([])
    expect(await store.listUnsavedRows()).toMatchObject([{ principal: 'user:two', changes: 3 }])
    await store.mark(owner, 2)
    await store.adoptRows(owner, 'v.1', ownPrincipal)
    expect(await store.listUnsavedRows(), 'nor is it forgotten what is saved of them').toMatchObject([
      { changes: 1 },
    ])
  })

  test('a copy of another person is not the base of one’s own', async () => {
    const { store } = new FakeStorageBrowser()
    const theirs = { ...info, principal: 'user:two' }
    await store.compact(theirs, Y.mergeUpdates(typed('abc')), { window: 'v.1', upTo: 0 })
    await store.compact(info, typed('x'), { window: 'w.1', upTo: 0 })
    expect((await store.readPart(key, ownPrincipal)).copy).toBe(undefined)
    expect(textIn([(await store.readPart(key, 'user:two')).copy!.state])).toBe('abc')
  })

  test('that the server refused are kept, and neither shown nor sent', async () => {
    const { store } = new FakeStorageBrowser()
    await store.append(owner, ownPrincipal, rowsOf('abc'))
    await store.quarantineRows(owner, 'bad-update')
    expect((await store.readPart(key, ownPrincipal)).rows).toEqual([])
    expect(await store.listUnsavedRows()).toEqual([])
    expect((await store.adoptRows(owner, 'v.1', ownPrincipal)).unsaved).toEqual([])
    expect(await store.rowWindows(key)).toEqual(new Set([owner.window]))
  })

  test('that were set aside while the document was missing come back with it, and those refused before do not', async () => {
    const { store } = new FakeStorageBrowser()
    const [refused, theirs] = ['w.2', 'w.3'].map((window) => ({ ...owner, window })) as [RowOwner, RowOwner]
    await store.append(owner, ownPrincipal, rowsOf('abc'))
    await store.append(refused, ownPrincipal, rowsOf('x'))
    await store.append(theirs, 'user:other', rowsOf('y'))
    await store.quarantineRows(refused, 'bad-update')
    for (const one of [owner, refused, theirs]) await store.quarantineRows(one, 'missing')
    expect(await store.listUnsavedRows()).toEqual([])
    await store.restoreRows(key, ownPrincipal)
    expect(await readText(store)).toBe('abc')
    expect(await store.listUnsavedRows()).toMatchObject([{ window: owner.window, changes: 3 }])
  })

  test('that it had saved before it refused one are shown, and leave with the next copy', async () => {
    const { store } = new FakeStorageBrowser()
    await store.append(owner, ownPrincipal, rowsOf('abc'))
    await store.mark(owner, 2)
    await store.quarantineRows(owner, 'bad-update')
    expect(await readText(store)).toBe('ab')
    await store.compact(info, empty, { window: 'other.1', upTo: 0 })
    expect((await store.readPart(key, ownPrincipal)).rows).toEqual([])
    expect(await readText(store)).toBe('ab')
  })
})

describe('[D6] copies', () => {
  test('are listed without their text, and forgotten with their document', async () => {
    const { store } = new FakeStorageBrowser()
    await store.compact(info, typed('abc')[0]!, { window: owner.window, upTo: 0 })
    expect(await store.listCopies()).toEqual([
      { ...key, title: 'Plan', role: 'editor', principal: ownPrincipal, schema: 1, at: 1 },
    ])
    await store.removeCopies(key.document)
    expect(await store.listCopies()).toEqual([])
    expect((await store.readPart(key, ownPrincipal)).copy).toBe(undefined)
  })
})

describe('[D6] a copy while something is unsaved', () => {
  test('grows by the server’s updates and by rows it has saved', async () => {
    const { store } = new FakeStorageBrowser()
    const own = { window: owner.window, upTo: 3 }
    await store.compact(info, [typed('x')[0]!], own)
    expect(await store.listCopies()).toEqual([])
    await store.compact(info, empty, own)
    await store.append(owner, ownPrincipal, rowsOf('abc'))
    await store.mark(owner, 2)
    await store.compact(info, [typed('!')[0]!], own)
    const { copy, rows } = await store.readPart(key, ownPrincipal)
    expect(textIn([copy!.state]).split('').toSorted()).toEqual(['!', 'a', 'b'])
    expect(rows.map(({ n }) => n)).toEqual([3])
  })
})

describe('[D6] a window that dies', () => {
  test('in the middle of compaction leaves the former copy with all its rows, wherever it dies', async () => {
    for (let requests = 1; requests < 40; requests++) {
      const browser = new FakeStorageBrowser()
      const keeper = browser.openWindow()
      await keeper.store.compact(info, empty, { window: 'k.1', upTo: 0 })
      await keeper.store.append(owner, ownPrincipal, rowsOf('abc'))
      await keeper.store.mark(owner, 2)
      keeper.crashAfter(requests)
      const died = await keeper.store.compact(info, empty, { window: 'k.1', upTo: 0 }).then(
        () => false,
        () => true,
      )
      expect(await readText(browser.store), `after ${requests} requests`).toBe('abc')
      expect(await browser.store.listUnsavedRows()).toMatchObject([{ changes: 1 }])
      const { rows } = await browser.store.readPart(key, ownPrincipal)
      expect(rows).toHaveLength(died ? 3 : 1)
      if (!died) return
    }
    throw new Error('It died each time: the last round was meant to get through.')
  })

  test('in the middle of a takeover leaves each row once, wherever it dies', async () => {
    for (let requests = 1; requests < 40; requests++) {
      const browser = new FakeStorageBrowser()
      const adopter = browser.openWindow()
      await adopter.store.append(owner, ownPrincipal, rowsOf('abc'))
      await adopter.store.mark(owner, 1)
      adopter.crashAfter(requests)
      const died = await adopter.store.adoptRows(owner, 'v.1', ownPrincipal).then(
        () => false,
        () => true,
      )
      const { rows } = await browser.store.readPart(key, ownPrincipal)
      expect(rows.map(({ n, window }) => [n, window])).toEqual(
        [1, 2, 3].map((n) => [n, died ? owner.window : 'v.1']),
      )
      expect(await browser.store.listUnsavedRows()).toMatchObject([{ changes: 2 }])
      if (!died) return
    }
    throw new Error('It died each time: the last round was meant to get through.')
  })
})

describe('[A3] what other people left', () => {
  const other = 'user:other'
  const theirs = { document: 'two', part: 'body' } as const

  async function storeOfTwoPeople(factory = new IDBFactory()) {
    const store = new LocalStore(factory)
    await store.compact(info, empty, { window: 'w.1', upTo: 0 })
    await store.append(owner, ownPrincipal, rowsOf('a'))
    await store.append({ ...owner, window: 'w.0' }, '', rowsOf('b'))
    await store.compact({ ...info, ...theirs, principal: other }, empty, { window: 'w.2', upTo: 0 })
    await store.append({ ...theirs, window: 'w.2' }, other, rowsOf('xyz'))
    await store.mark({ ...theirs, window: 'w.2' }, 1)
    await store.append({ ...owner, window: 'w.3' }, other, rowsOf('x'))
    await store.quarantineRows({ ...owner, window: 'w.3' }, 'forbidden')
    return store
  }

  test('is found, but not by the person who left it', async () => {
    const store = await storeOfTwoPeople()
    expect(await store.findOtherPeopleData(ownPrincipal)).toEqual({ documents: 2, unsent: true })
    expect(await store.findOtherPeopleData(other)).toEqual({ documents: 1, unsent: true })
    expect(await new FakeStorageBrowser().store.findOtherPeopleData(ownPrincipal)).toBeNull()
  })

  test('is removed whole, and nothing else with it', async () => {
    const factory = new IDBFactory()
    const store = await storeOfTwoPeople(factory)
    await store.removeOtherPeopleData(ownPrincipal)
    expect(await store.findOtherPeopleData(ownPrincipal)).toBeNull()
    expect((await store.readPart(theirs, other)).copy).toBeUndefined()
    expect((await store.readPart(theirs, other)).rows).toEqual([])
    expect(await store.listCopies()).toEqual([info])
    expect((await store.listUnsavedRows()).map(({ principal }) => principal).toSorted()).toEqual([
      '',
      ownPrincipal,
    ])
    const database = new LocalDatabase(factory, 'diptych', { version: 1, create: () => {} })
    const documentsIn = (name: string) =>
      database.read([name], async (requests) =>
        (await resultOf<{ document: string }[]>(requests.objectStore(name).getAll())).map(
          ({ document }) => document,
        ),
      )
    expect([await documentsIn('states'), await documentsIn('marks')]).toEqual([[info.document], []])
    await database.close()
  })
})
