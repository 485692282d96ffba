import { IDBFactory } from 'fake-indexeddb'
import * as Y from 'yjs'
import { describe, expect, test } from 'vitest'
import { answer, Database } from './database.ts'
import { FakeBrowser } from './fixtures/browser.ts'
import { type Author, type CopyInfo, LocalStore } from './store.ts'

const place = { document: 'one', part: 'body' } as const
const author = { ...place, window: 'w.1' }
const me = 'user:one'

/** Each letter an update of its own. */
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

const info: CopyInfo = { ...place, title: 'Plan', role: 'editor', principal: me, schema: 1, at: 1 }

/** What somebody who opens the document finds. */
async function found(store: LocalStore): Promise<string> {
  const { copy, rows } = await store.read(place, me)
  return textIn([...(copy ? [copy.state] : []), ...rows.map(({ update }) => update)])
}

const empty = Y.encodeStateAsUpdate(new Y.Doc())

describe('[D6] rows', () => {
  test('are there for whoever opens next, in their order', async () => {
    const { store } = new FakeBrowser()
    await store.append(author, me, rowsOf('abc').slice(0, 2))
    await store.append(author, me, rowsOf('abc').slice(2))
    expect((await store.read(place, me)).rows.map(({ n }) => n)).toEqual([1, 2, 3])
    expect((await store.read({ ...place, document: 'two' }, me)).rows).toEqual([])
    expect(await store.leftovers()).toEqual([{ ...author, principal: me, changes: 3 }])
  })

  test('that the server has saved are no leftovers, and leave with the next copy', async () => {
    const { store } = new FakeBrowser()
    const rows = rowsOf('abc')
    await store.append(author, me, rows)
    await store.mark(author, 2)
    expect(await store.leftovers()).toMatchObject([{ changes: 1 }])
    await store.compact(info, empty, { window: 'other.1', upTo: 0 })
    const { copy, rows: left } = await store.read(place, me)
    expect(textIn([copy!.state])).toBe('ab')
    expect(left.map(({ n }) => n)).toEqual([3])
    await store.mark(author, 3)
    await store.compact(info, copy!.state, { window: 'other.1', upTo: 0 })
    expect(await found(store)).toBe('abc')
    expect((await store.read(place, me)).rows).toEqual([])
  })

  test('of another person are neither shown nor mixed with one’s own, saved or not', async () => {
    const { store } = new FakeBrowser()
    await store.append(author, 'user:two', rowsOf('ab'))
    await store.mark(author, 1)
    await store.compact(info, empty, { window: 'other.1', upTo: 0 })
    expect(await found(store)).toBe('')
    expect((await store.read(place, 'user:two')).rows.map(({ n }) => n)).toEqual([1, 2])
    expect(await store.leftovers()).toMatchObject([{ changes: 1, principal: 'user:two' }])
  })

  test('of the writer that its state does not hold yet stay', async () => {
    const { store } = new FakeBrowser()
    await store.append(author, me, rowsOf('ab'))
    await store.mark(author, 2)
    await store.compact(info, empty, { window: author.window, upTo: 1 })
    expect((await store.read(place, me)).rows.map(({ n }) => n)).toEqual([2])
  })

  test('become one when there are many, and are marked as one', async () => {
    const { store } = new FakeBrowser()
    await store.append(author, me, rowsOf('abcde'))
    await store.merge(author, 4)
    expect((await store.read(place, me)).rows.map(({ n, changes }) => [n, changes])).toEqual([
      [4, 4],
      [5, 1],
    ])
    expect(await found(store)).toBe('abcde')
    await store.mark(author, 3)
    expect(await store.leftovers()).toMatchObject([{ changes: 5 }])
    await store.mark(author, 4)
    expect(await store.leftovers()).toMatchObject([{ changes: 1 }])
  })

  test('of a dead window pass to another with what is known of them, and no row is lost on the way', async () => {
    const { store } = new FakeBrowser()
    await store.append(author, me, rowsOf('abc'))
    await store.mark(author, 1)
    const taken = await store.takeOver(author, 'v.1', me)
    expect(textIn(taken.saved.map(({ update }) => update))).toBe('a')
    expect(taken.unsaved.map(({ n }) => n)).toEqual([2, 3])
    expect(await store.authors(place)).toEqual(new Set(['v.1']))
    expect(await store.leftovers()).toEqual([{ ...author, window: 'v.1', principal: me, changes: 2 }])
    expect(await found(store)).toBe('abc')
    expect(await store.takeOver(author, 'u.1', me)).toEqual({ saved: [], unsaved: [] })
  })

  test('of another person are neither shown nor passed on', async () => {
    const { store } = new FakeBrowser()
    await store.append(author, 'user:two', rowsOf('abc'))
    await store.compact({ ...info, principal: 'user:two' }, empty, { window: 'v.1', upTo: 0 })
    expect(await store.read(place, me)).toEqual({ copy: undefined, rows: [] })
    expect((await store.takeOver(author, 'v.1', me)).unsaved).toEqual([])
    expect(await store.leftovers()).toMatchObject([{ principal: 'user:two', changes: 3 }])
    await store.mark(author, 2)
    await store.takeOver(author, 'v.1', me)
    expect(await store.leftovers(), 'nor is it forgotten what is saved of them').toMatchObject([
      { changes: 1 },
    ])
  })

  test('a copy of another person’s is not what one’s own is added to', async () => {
    const { store } = new FakeBrowser()
    const theirs = { ...info, principal: 'user:two' }
    await store.compact(theirs, Y.mergeUpdates(typed('abc')), { window: 'v.1', upTo: 0 })
    await store.compact(info, typed('x'), { window: 'w.1', upTo: 0 })
    expect((await store.read(place, me)).copy).toBe(undefined)
    expect(textIn([(await store.read(place, 'user:two')).copy!.state])).toBe('abc')
  })

  test('that the server refused are kept, and neither shown nor sent', async () => {
    const { store } = new FakeBrowser()
    await store.append(author, me, rowsOf('abc'))
    await store.setAside(author, 'bad-update')
    expect((await store.read(place, me)).rows).toEqual([])
    expect(await store.leftovers()).toEqual([])
    expect((await store.takeOver(author, 'v.1', me)).unsaved).toEqual([])
    expect(await store.authors(place)).toEqual(new Set([author.window]))
  })

  test('that were set aside while the document was missing are taken back with it, and those refused before are not', async () => {
    const { store } = new FakeBrowser()
    const [refused, theirs] = ['w.2', 'w.3'].map((window) => ({ ...author, window })) as [Author, Author]
    await store.append(author, me, rowsOf('abc'))
    await store.append(refused, me, rowsOf('x'))
    await store.append(theirs, 'user:other', rowsOf('y'))
    await store.setAside(refused, 'bad-update')
    for (const one of [author, refused, theirs]) await store.setAside(one, 'missing')
    expect(await store.leftovers()).toEqual([])
    await store.takeBack(place, me)
    expect(await found(store)).toBe('abc')
    expect(await store.leftovers()).toMatchObject([{ window: author.window, changes: 3 }])
  })

  test('that it had saved before it refused one are shown, and leave with the next copy', async () => {
    const { store } = new FakeBrowser()
    await store.append(author, me, rowsOf('abc'))
    await store.mark(author, 2)
    await store.setAside(author, 'bad-update')
    expect(await found(store)).toBe('ab')
    await store.compact(info, empty, { window: 'other.1', upTo: 0 })
    expect((await store.read(place, me)).rows).toEqual([])
    expect(await found(store)).toBe('ab')
  })
})

describe('[D6] copies', () => {
  test('are listed without their text, and forgotten with their document', async () => {
    const { store } = new FakeBrowser()
    await store.compact(info, typed('abc')[0]!, { window: author.window, upTo: 0 })
    expect(await store.copies()).toEqual([
      { ...place, title: 'Plan', role: 'editor', principal: me, schema: 1, at: 1 },
    ])
    await store.forget(place.document)
    expect(await store.copies()).toEqual([])
    expect((await store.read(place, me)).copy).toBe(undefined)
  })
})

describe('[D6] a copy while something is unsaved', () => {
  test('grows by what the server said and by rows it has saved', async () => {
    const { store } = new FakeBrowser()
    const own = { window: author.window, upTo: 3 }
    await store.compact(info, [typed('x')[0]!], own)
    expect(await store.copies()).toEqual([])
    await store.compact(info, empty, own)
    await store.append(author, me, rowsOf('abc'))
    await store.mark(author, 2)
    await store.compact(info, [typed('!')[0]!], own)
    const { copy, rows } = await store.read(place, me)
    expect(textIn([copy!.state]).split('').toSorted()).toEqual(['!', 'a', 'b'])
    expect(rows.map(({ n }) => n)).toEqual([3])
  })
})

describe('[D6] a window that dies', () => {
  test('in the middle of compaction leaves the former copy with all its rows, wherever it dies', async () => {
    for (let requests = 1; requests < 40; requests++) {
      const browser = new FakeBrowser()
      const keeper = browser.open()
      await keeper.store.compact(info, empty, { window: 'k.1', upTo: 0 })
      await keeper.store.append(author, me, rowsOf('abc'))
      await keeper.store.mark(author, 2)
      keeper.dieAfter(requests)
      const died = await keeper.store.compact(info, empty, { window: 'k.1', upTo: 0 }).then(
        () => false,
        () => true,
      )
      expect(await found(browser.store), `after ${requests} requests`).toBe('abc')
      expect(await browser.store.leftovers()).toMatchObject([{ changes: 1 }])
      const { rows } = await browser.store.read(place, me)
      expect(rows).toHaveLength(died ? 3 : 1)
      if (!died) return
    }
    throw new Error('It died each time: the last round was meant to get through.')
  })

  test('in the middle of taking over leaves each row once, wherever it dies', async () => {
    for (let requests = 1; requests < 40; requests++) {
      const browser = new FakeBrowser()
      const heir = browser.open()
      await heir.store.append(author, me, rowsOf('abc'))
      await heir.store.mark(author, 1)
      heir.dieAfter(requests)
      const died = await heir.store.takeOver(author, 'v.1', me).then(
        () => false,
        () => true,
      )
      const { rows } = await browser.store.read(place, me)
      expect(rows.map(({ n, window }) => [n, window])).toEqual(
        [1, 2, 3].map((n) => [n, died ? author.window : 'v.1']),
      )
      expect(await browser.store.leftovers()).toMatchObject([{ changes: 2 }])
      if (!died) return
    }
    throw new Error('It died each time: the last round was meant to get through.')
  })
})

describe('[A3] what other people left', () => {
  const other = 'user:other'
  const theirs = { document: 'two', part: 'body' } as const

  async function both(factory = new IDBFactory()) {
    const store = new LocalStore(factory)
    await store.compact(info, empty, { window: 'w.1', upTo: 0 })
    await store.append(author, me, rowsOf('a'))
    await store.append({ ...author, window: 'w.0' }, '', rowsOf('b'))
    await store.compact({ ...info, ...theirs, principal: other }, empty, { window: 'w.2', upTo: 0 })
    await store.append({ ...theirs, window: 'w.2' }, other, rowsOf('xyz'))
    await store.mark({ ...theirs, window: 'w.2' }, 1)
    await store.append({ ...author, window: 'w.3' }, other, rowsOf('x'))
    await store.setAside({ ...author, window: 'w.3' }, 'forbidden')
    return store
  }

  test('is found, and by nobody who left it', async () => {
    const store = await both()
    expect(await store.othersHere(me)).toEqual({ documents: 2, unsent: true })
    expect(await store.othersHere(other)).toEqual({ documents: 1, unsent: true })
    expect(await new FakeBrowser().store.othersHere(me)).toBeNull()
  })

  test('goes whole, and nothing else with it', async () => {
    const factory = new IDBFactory()
    const store = await both(factory)
    await store.forgetOthers(me)
    expect(await store.othersHere(me)).toBeNull()
    expect((await store.read(theirs, other)).copy).toBeUndefined()
    expect((await store.read(theirs, other)).rows).toEqual([])
    expect(await store.copies()).toEqual([info])
    expect((await store.leftovers()).map(({ principal }) => principal).toSorted()).toEqual(['', me])
    const database = new Database(factory, 'diptych', { version: 1, create: () => {} })
    const documentsIn = (name: string) =>
      database.read([name], async (requests) =>
        (await answer<{ document: string }[]>(requests.store(name).getAll())).map(({ document }) => document),
      )
    expect([await documentsIn('states'), await documentsIn('marks')]).toEqual([[info.document], []])
    await database.close()
  })
})
