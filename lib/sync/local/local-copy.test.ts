import * as Y from 'yjs'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../session/fixtures/manual-clock.ts'
import { copyWriterLock, lockIdOf } from './copy-locks.ts'
import { FakeStorageBrowser } from './fixtures/fake-storage-browser.ts'
import { countUnsavedIn, waitForCopyIn } from './fixtures/local-copy-fixture.ts'
import { LocalCopy } from './local-copy.ts'
import { settle } from '../../fixtures/wait.ts'

/** IndexedDB answers within so many turns of the event loop. */
const IDB_TURNS = 60

const empty = Y.encodeStateAsUpdate(new Y.Doc())

const place = { document: 'one', part: 'body' } as const

const rowsOf = async ({ store }: FakeStorageBrowser): Promise<number> =>
  (await store.readPart(place, 'user:one')).rows.length

test('[D6] where the first copy falls due while something is unsaved, it is written once that is saved', async () => {
  const browser = new FakeStorageBrowser()
  const copies: (string | null)[] = []
  const window = browser.openWindow('user:one')
  const local = new LocalCopy(place, window)
  let state: Uint8Array | null = null
  await local.open({
    applyUpdates: () => 0,
    onCopyFound: () => {},
    onWritten: () => {},
    isServerSaving: () => false,
    currentText: () => {
      copies.push(state && 'whole')
      return { state, title: '', role: 'editor' }
    },
  })
  local.onServerUpdate(empty)
  local.onChanged()
  await expect.poll(() => copies).toContain(null)
  expect(await browser.store.listCopies()).toEqual([])
  state = empty
  local.onSaved(1)
  await waitForCopyIn(browser)
  local.close()
})

test('[D6] a copy that falls due while another is being written follows it', async () => {
  const clock = new ManualClock()
  const browser = new FakeStorageBrowser(clock)
  const window = browser.openWindow()
  const compact = window.store.compact.bind(window.store)
  const disk = Promise.withResolvers<void>()
  window.store.compact = (...what) => disk.promise.then(() => compact(...what))
  const local = new LocalCopy(place, window)
  let asked = 0
  const currentText = () => ({ state: empty, title: String(++asked), role: 'editor' }) as const
  await local.open({
    applyUpdates: () => 0,
    onCopyFound: () => {},
    onWritten: () => {},
    isServerSaving: () => false,
    currentText,
  })
  await expect.poll(() => browser.locks.isHeld(copyWriterLock(place))).toBe(true)
  await clock.pass(5_000)
  expect(asked).toBe(1)
  local.onChanged()
  await clock.pass(5_000)
  disk.resolve()
  await expect.poll(async () => (await browser.store.listCopies())[0]?.title).toBe('2')
  local.close()
})

test('[D6] a window that is elected late adds nothing to a copy that may lack what it received before', async () => {
  const clock = new ManualClock()
  const browser = new FakeStorageBrowser(clock)
  const about = { title: '', role: 'editor', principal: 'user:one', schema: 1, at: 1 } as const
  await browser.store.compact({ ...place, ...about }, empty, { window: 'w.1', upTo: 0 })
  const former = Promise.withResolvers<void>()
  void browser.openWindow().locks.request(copyWriterLock(place), {}, () => former.promise)
  const local = new LocalCopy(place, browser.openWindow())
  const copies: string[] = []
  let state: Uint8Array | null = null
  const currentText = () => {
    copies.push(state ? 'whole' : 'more')
    return { state, title: copies.at(-1)!, role: 'editor' } as const
  }
  await local.open({
    applyUpdates: () => 0,
    onCopyFound: () => {},
    onWritten: () => {},
    isServerSaving: () => false,
    currentText,
  })
  local.onServerUpdate(empty)
  former.resolve()
  await clock.pass(0)
  local.onServerUpdate(empty)
  local.onChanged()
  await clock.pass(5_000)
  expect(copies).toEqual(['more'])
  state = empty
  local.onSaved(1)
  await expect.poll(async () => (await browser.store.listCopies())[0]?.title).toBe('whole')
  local.close()
})

test('[D6] a row that is saved while a copy is being written stays, because the copy lacks it', async () => {
  const clock = new ManualClock()
  const browser = new FakeStorageBrowser(clock)
  const window = browser.openWindow()
  const mark = window.store.mark.bind(window.store)
  const disk = Promise.withResolvers<void>()
  window.store.mark = (...what) => disk.promise.then(() => mark(...what))
  const local = new LocalCopy(place, window)
  await local.open({
    applyUpdates: () => 0,
    onCopyFound: () => {},
    onWritten: () => {},
    isServerSaving: () => false,
    currentText: () => ({ state: empty, title: '', role: 'editor' }),
  })
  const store = async (edit: number) => {
    local.appendEdit(empty, edit)
    await clock.pass(16)
    await expect.poll(() => local.unstored).toBe(0)
    local.onSaved(edit)
  }
  await store(1)
  // The mark of the first edit is on its way when the copy falls due.
  await clock.pass(2_500)
  await store(2)
  disk.resolve()
  await waitForCopyIn(browser)
  await expect.poll(() => countUnsavedIn(browser)).toBe(0)
  expect(await rowsOf(browser)).toBe(1)
  local.close()
})

describe('[D6] storing edits', () => {
  /** Opens a copy whose window's transactions are counted. */
  async function openCounted({ isServerSaving = false, state = null as Uint8Array | null } = {}) {
    const clock = new ManualClock()
    const browser = new FakeStorageBrowser(clock)
    const { store, ...window } = browser.openWindow()
    const transactions = { rows: 0, marks: 0 }
    const counted = Object.assign(Object.create(store) as typeof store, {
      append: (...what: Parameters<typeof store.append>) => {
        transactions.rows += 1
        return store.append(...what)
      },
      mark: (...what: Parameters<typeof store.mark>) => {
        transactions.marks += 1
        return store.mark(...what)
      },
    })
    const platform = { ...window, locks: window.locks, remember() {}, store: counted }
    const local = new LocalCopy(place, platform)
    await local.open({
      applyUpdates: () => 0,
      onCopyFound: () => {},
      onWritten: () => {},
      isServerSaving: () => isServerSaving,
      currentText: () => state && { state, title: '', role: 'editor' },
    })
    return { browser, clock, local, transactions }
  }

  test('edits of one frame share a transaction, and what is saved within half a second one mark', async () => {
    const { browser, clock, local, transactions } = await openCounted()
    for (let edit = 1; edit <= 5; edit++) local.appendEdit(empty, edit)
    expect([local.unstored, transactions]).toEqual([5, { rows: 0, marks: 0 }])
    await clock.pass(16)
    await expect.poll(() => local.unstored).toBe(0)
    for (let edit = 1; edit <= 5; edit++) {
      local.onSaved(edit)
      await clock.pass(50)
    }
    expect(transactions).toEqual({ rows: 1, marks: 0 })
    await clock.pass(500)
    await expect.poll(() => countUnsavedIn(browser)).toBe(0)
    expect(transactions).toEqual({ rows: 1, marks: 1 })
    local.close()
  })

  test('while the server saves, several keys share a transaction, and what waits is written as soon as it does not', async () => {
    const { clock, local, transactions } = await openCounted({ isServerSaving: true })
    for (let edit = 1; edit <= 6; edit++) {
      local.appendEdit(empty, edit)
      await clock.pass(50)
    }
    await expect.poll(() => local.unstored).toBe(0)
    expect(transactions.rows).toBe(2)
    local.appendEdit(empty, 7)
    local.writeWaiting()
    await expect.poll(() => local.unstored).toBe(0)
    expect(transactions.rows).toBe(3)
    local.close()
  })

  test('what the server has is written after 3 s, with its mark', async () => {
    const { browser, clock, local, transactions } = await openCounted({ isServerSaving: true })
    for (let edit = 1; edit <= 29; edit++) {
      local.appendEdit(empty, edit)
      local.onSaved(edit)
      await clock.pass(100)
    }
    expect(transactions).toEqual({ rows: 0, marks: 0 })
    await clock.pass(200)
    await expect.poll(() => rowsOf(browser)).toBe(29)
    await clock.pass(500)
    expect([await countUnsavedIn(browser), transactions]).toEqual([0, { rows: 1, marks: 0 }])
    local.close()
  })

  test('what the server has is written with what it lacks', async () => {
    const { browser, clock, local } = await openCounted({ isServerSaving: true })
    local.appendEdit(empty, 1)
    local.onSaved(1)
    await clock.pass(400)
    local.appendEdit(empty, 2)
    await clock.pass(150)
    await expect.poll(() => rowsOf(browser)).toBe(2)
    expect(await countUnsavedIn(browser)).toBe(1)
    local.close()
  })

  test('what a copy takes in is no row', async () => {
    const { browser, clock, local, transactions } = await openCounted({ isServerSaving: true, state: empty })
    for (let edit = 1; edit <= 60; edit++) {
      local.appendEdit(empty, edit)
      local.onChanged()
      local.onSaved(edit)
      await clock.pass(100)
      await settle(IDB_TURNS)
    }
    await clock.pass(5_000)
    await waitForCopyIn(browser)
    expect(transactions).toEqual({ rows: 0, marks: 0 })
    local.close()
    expect(await rowsOf(browser)).toBe(0)
  })

  test.each(['flush', 'close'] as const)('%s() writes at once what waits', async (end) => {
    const { browser, local, transactions } = await openCounted()
    local.appendEdit(empty, 1)
    local.appendEdit(empty, 2)
    local.onSaved(1)
    local[end]()
    await expect.poll(() => transactions).toEqual({ rows: 1, marks: 0 })
    await expect.poll(() => countUnsavedIn(browser)).toBe(1)
    local.close()
  })
})

describe('[D6] what may not be sent', () => {
  test('once the server has said who this is, nothing goes out as somebody else', () => {
    const window = new FakeStorageBrowser().openWindow('user:one')
    const local = new LocalCopy(place, window)
    expect(['user:two', 'user:two', 'user:three'].map((who) => local.identify(who))).toEqual([
      true,
      true,
      false,
    ])
    local.close()
  })

  test('what is on its way to the disk when the server refuses is set aside with the rest', async () => {
    const browser = new FakeStorageBrowser()
    const local = new LocalCopy(place, browser.openWindow())
    for (let edit = 1; edit <= 20; edit++) {
      local.appendEdit(empty, edit)
      await new Promise(setImmediate)
    }
    await local.quarantineRows('bad-update')
    local.close()
    const [name] = await browser.store.rowWindows(place)
    await expect.poll(() => browser.locks.isHeld(`window:${lockIdOf(name!)}`)).toBe(false)
    expect(await countUnsavedIn(browser)).toBe(0)
  })
})
