import * as Y from 'yjs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { httpClients } from '../../../server/fixtures/http-clients.ts'
import { testConfig } from '../../../server/fixtures/test-server.ts'
import { temporaryFolder } from '../../../server/fixtures/temporary-folder.ts'
import { silentLogger } from '../../../server/fixtures/silent-logger.ts'
import { type DocumentLink, createDocumentLink } from '../../../server/fixtures/document-link.ts'
import { type RunningServer, startServer } from '../../../server/server.ts'
import { type OpenDocument, openDocumentOver } from '../../client.ts'
import { ManualClock } from '../../session/fixtures/manual-clock.ts'
import { createNet } from '../../transports/net/node.ts'
import { transports } from '../../transports/registry.ts'
import type { WindowPlatform } from '../../window-group/window-group.ts'
import { FakeStorageBrowser, type FakeStorageWindow } from './fixtures/fake-storage-browser.ts'
import { copyWriterLock, lockIdOf } from './copy-locks.ts'
import { LocalCopy } from './local-copy.ts'
import type { PartKey } from './local-records.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: RunningServer
let shared: DocumentLink
let browser: FakeStorageBrowser
const net = createNet({})
const opened: OpenDocument[] = []

const start = (environment = {}): Promise<RunningServer> =>
  startServer(testConfig(folder.path, environment), { log: silentLogger, pages: false })

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await start()
})
beforeEach(async () => {
  shared = await createDocumentLink(server)
  browser = new FakeStorageBrowser()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
})
afterAll(async () => {
  net.dispose()
  await server.drain()
  await folder[Symbol.asyncDispose]()
})

const empty = Y.encodeStateAsUpdate(new Y.Doc())

/** Nothing listens on this port. */
const unreachableOrigin = 'http://localhost:1'

/** Opens the document in a window of this browser. Each has a principal of its own choosing: '' is whoever the server says. */
function open(
  window: FakeStorageWindow,
  origin = server.http,
  { document, token }: DocumentLink = shared,
  neighbours?: WindowPlatform,
): OpenDocument {
  const local = (place: PartKey) => new LocalCopy(place, window)
  const one = openDocumentOver({ origin, net, token }, transports, { document, token }, { local, neighbours })
  opened.push(one)
  return one
}

const yTextOf = ({ doc }: OpenDocument) => doc.getText('words')
const textOf = (one: OpenDocument): string => yTextOf(one).toJSON()
const type = (one: OpenDocument, text: string) => yTextOf(one).insert(yTextOf(one).length, text)

const waitUntilStored = (one: OpenDocument) => expect.poll(() => one.status.get().unstored).toBe(0)

const countUnsaved = async () =>
  (await browser.store.listUnsavedRows()).reduce((sum, { changes }) => sum + changes, 0)

const waitForCopy = () =>
  expect.poll(async () => (await browser.store.listCopies()).length, { timeout: 8_000 }).toBe(1)

/** The window is gone as by a crash; what remains of it in this process is cleared away. */
async function crash(window: FakeStorageWindow, one: OpenDocument): Promise<void> {
  window.crash()
  opened.splice(opened.indexOf(one), 1)
  await one.close()
}

/** An earlier visit left a copy in the browser. */
async function openAndType(text: string): Promise<void> {
  const window = browser.openWindow('')
  const one = open(window)
  await one.whenSynced
  type(one, text)
  await one.whenSaved()
  await waitForCopy()
  // Rows that are not marked yet count as unsaved at the next visit.
  await expect.poll(countUnsaved).toBe(0)
  await crash(window, one)
}

/** Stands for the same person later: the server identifies everybody by the token of the link they used. */
const principal = async (): Promise<string> => (await browser.store.listCopies())[0]!.principal

describe('[D6] a document without its server', () => {
  test('opens from this device, takes edits, and sends them when the server is back', async () => {
    await openAndType('before ')
    const window = browser.openWindow(await principal())
    const one = open(window, unreachableOrigin)
    await expect.poll(() => textOf(one)).toBe('before ')
    expect(one.status.get().document).toEqual({ state: 'local', role: 'editor' })
    type(one, 'offline ')
    type(one, 'twice ')
    expect(one.status.get()).toMatchObject({ unsaved: 2, unstored: 2 })
    await waitUntilStored(one)
    expect(one.status.get().unsaved).toBe(2)
    await crash(window, one)

    const next = browser.openWindow(await principal())
    const later = open(next)
    await expect.poll(() => textOf(later)).toBe('before offline twice ')
    await later.whenSaved()
    const otherBrowser = open(new FakeStorageBrowser().openWindow(''))
    await expect.poll(() => textOf(otherBrowser)).toBe('before offline twice ')
    await expect.poll(countUnsaved).toBe(0)
  })

  test('a pure deletion made there survives a crash and is sent, though it moves no clock', async () => {
    await openAndType('too much')
    const window = browser.openWindow(await principal())
    const one = open(window, unreachableOrigin)
    await expect.poll(() => textOf(one)).toBe('too much')
    yTextOf(one).delete(0, 4)
    await waitUntilStored(one)
    await crash(window, one)
    const later = open(browser.openWindow(await principal()))
    await later.whenSaved()
    const otherBrowser = open(new FakeStorageBrowser().openWindow(''))
    await otherBrowser.whenSynced
    expect(textOf(otherBrowser)).toBe('much')
  })

  test('what was typed before the server answered is kept, even where there was no copy', async () => {
    const window = browser.openWindow('')
    const one = open(window, unreachableOrigin)
    type(one, 'first')
    await waitUntilStored(one)
    await crash(window, one)
    const later = open(browser.openWindow(''))
    await later.whenSaved()
    expect(textOf(later)).toBe('first')
    await expect.poll(countUnsaved).toBe(0)
  })
})

describe('[D6] windows of one browser', () => {
  test('where one dies between storing and saving an edit, another that lives on sends it', async () => {
    await openAndType('')
    const living = open(browser.openWindow(await principal()))
    await living.whenSynced
    const window = browser.openWindow(await principal())
    const dying = open(window, unreachableOrigin)
    await expect.poll(() => dying.status.get().document.state).toBe('local')
    type(dying, 'inherited')
    await waitUntilStored(dying)
    await crash(window, dying)
    await expect.poll(() => textOf(living), { timeout: 15_000 }).toBe('inherited')
    await living.whenSaved()
    const otherBrowser = open(new FakeStorageBrowser().openWindow(''))
    await expect.poll(() => textOf(otherBrowser)).toBe('inherited')
    await expect.poll(countUnsaved).toBe(0)
  })

  test('one writes the copy; where it dies, the next writes it', async () => {
    const place = { document: shared.document, part: 'body' } as const
    const windows = [browser.openWindow(''), browser.openWindow('')] as const
    const [first, second] = [open(windows[0]), open(windows[1])]
    await Promise.all([first.whenSynced, second.whenSynced])
    await waitForCopy()
    await crash(windows[0], first)
    await expect.poll(() => browser.locks.isHeld(copyWriterLock(place))).toBe(true)
    type(second, 'kept by the next')
    await second.whenSaved()
    const copiedText = async () => (await browser.store.readPart(place, await principal())).rows.length
    await expect.poll(copiedText, { timeout: 8_000 }).toBe(0)
    const third = open(browser.openWindow(await principal()), unreachableOrigin)
    await expect.poll(() => textOf(third)).toBe('kept by the next')
  })

  test('rows of a window that lives are shown, and left to that window', async () => {
    await openAndType('')
    const one = open(browser.openWindow(await principal()), unreachableOrigin)
    await expect.poll(() => one.status.get().document.state).toBe('local')
    type(one, 'mine')
    await waitUntilStored(one)
    const two = open(browser.openWindow(await principal()), unreachableOrigin)
    await expect.poll(() => textOf(two)).toBe('mine')
    expect(two.status.get().unsaved).toBe(0)
  })
})

test('[D6] where the first copy falls due while something is unsaved, it is written once that is saved', async () => {
  const copies: (string | null)[] = []
  const window = browser.openWindow('user:one')
  const local = new LocalCopy({ document: 'one', part: 'body' }, window)
  let state: Uint8Array | null = null
  await local.open({
    applyUpdates: () => 0,
    onCopyFound: () => {},
    onStored: () => {},
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
  await waitForCopy()
  local.close()
})

test('[D6] a copy that falls due while another is being written follows it', async () => {
  const clock = new ManualClock()
  browser = new FakeStorageBrowser(clock)
  const window = browser.openWindow()
  const compact = window.store.compact.bind(window.store)
  const disk = Promise.withResolvers<void>()
  window.store.compact = (...what) => disk.promise.then(() => compact(...what))
  const place = { document: 'one', part: 'body' } as const
  const local = new LocalCopy(place, window)
  let asked = 0
  const currentText = () => ({ state: empty, title: String(++asked), role: 'editor' }) as const
  await local.open({ applyUpdates: () => 0, onCopyFound: () => {}, onStored: () => {}, currentText })
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
  browser = new FakeStorageBrowser(clock)
  const place = { document: 'one', part: 'body' } as const
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
  await local.open({ applyUpdates: () => 0, onCopyFound: () => {}, onStored: () => {}, currentText })
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

describe('[D6] a document that goes to the trash and comes back', () => {
  const request = (method: string, path: string) =>
    httpClients['http/1.1'](server, path, {
      method,
      headers: { origin: server.http, cookie: shared.cookie },
    })
  const moveToTrash = async () =>
    expect((await request('DELETE', `/api/documents/${shared.document}`)).status).toBe(204)
  const restore = async () =>
    expect((await request('POST', `/api/trash/${shared.document}/restore`)).status).toBe(204)

  test('gives a window that was away meanwhile the text of both sides', async () => {
    await openAndType('before ')
    const window = browser.openWindow(await principal())
    const one = open(window, unreachableOrigin)
    await expect.poll(() => textOf(one)).toBe('before ')
    type(one, 'offline')
    await waitUntilStored(one)
    await crash(window, one)
    await moveToTrash()
    await restore()
    const later = open(browser.openWindow(await principal()))
    await later.whenSynced
    await later.whenSaved()
    const otherBrowser = open(new FakeStorageBrowser().openWindow(''))
    await otherBrowser.whenSynced
    expect(textOf(otherBrowser)).toBe('before offline')
  })

  test('is sent what was written before a window learned of the trash, at its next opening', async () => {
    await openAndType('before ')
    const who = await principal()
    const away = browser.openWindow(who)
    const one = open(away, unreachableOrigin)
    await expect.poll(() => textOf(one)).toBe('before ')
    type(one, 'offline')
    await waitUntilStored(one)
    await crash(away, one)
    await moveToTrash()
    const window = browser.openWindow(who)
    const refused = open(window)
    await expect.poll(() => refused.status.get().document).toMatchObject({ state: 'refused' })
    await expect.poll(countUnsaved).toBe(0)
    await crash(window, refused)
    await restore()
    const back = open(browser.openWindow(who))
    await back.whenSynced
    await expect.poll(() => textOf(back)).toBe('before offline')
    await back.whenSaved()
    const otherBrowser = open(new FakeStorageBrowser().openWindow(''))
    await otherBrowser.whenSynced
    expect(textOf(otherBrowser)).toBe('before offline')
  })

  test('sends away whoever is in it, and has what was saved until then', async () => {
    const one = open(browser.openWindow(''))
    await one.whenSynced
    type(one, 'saved')
    await one.whenSaved()
    await moveToTrash()
    await expect
      .poll(() => one.status.get().document)
      .toMatchObject({ state: 'refused', reason: { code: 'forbidden', detail: 'The document was deleted.' } })
    await restore()
    const later = open(browser.openWindow(''))
    await later.whenSynced
    expect(textOf(later)).toBe('saved')
  })
})

describe('[D6] storing edits', () => {
  /** A document whose window's transactions are counted. */
  async function openCounted() {
    const clock = new ManualClock()
    browser = new FakeStorageBrowser(clock)
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
    const local = new LocalCopy({ document: 'one', part: 'body' }, platform)
    await local.open({
      applyUpdates: () => 0,
      onCopyFound: () => {},
      onStored: () => {},
      currentText: () => null,
    })
    return { clock, local, transactions }
  }

  test('edits of one frame share a transaction, and what is saved within half a second one mark', async () => {
    const { clock, local, transactions } = await openCounted()
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
    await expect.poll(countUnsaved).toBe(0)
    expect(transactions).toEqual({ rows: 1, marks: 1 })
    local.close()
  })

  test.each(['flush', 'close'] as const)('a %s writes at once what waits', async (end) => {
    const { local, transactions } = await openCounted()
    local.appendEdit(empty, 1)
    local.appendEdit(empty, 2)
    local.onSaved(1)
    local[end]()
    await expect.poll(() => transactions).toEqual({ rows: 1, marks: 1 })
    await expect.poll(countUnsaved).toBe(1)
    local.close()
  })
})

describe('[D6] what may not be sent', () => {
  test('once the server has said who this is, nothing goes out as somebody else', () => {
    const local = new LocalCopy({ document: 'one', part: 'body' }, browser.openWindow('user:one'))
    expect(['user:two', 'user:two', 'user:three'].map((who) => local.identify(who))).toEqual([
      true,
      true,
      false,
    ])
    local.close()
  })

  test('what is on its way to the disk when the server refuses is set aside with the rest', async () => {
    const place = { document: 'one', part: 'body' } as const
    const local = new LocalCopy(place, browser.openWindow())
    for (let edit = 1; edit <= 20; edit++) {
      local.appendEdit(empty, edit)
      await new Promise(setImmediate)
    }
    await local.quarantineRows('bad-update')
    local.close()
    const [name] = await browser.store.rowWindows(place)
    await expect.poll(() => browser.locks.isHeld(`window:${lockIdOf(name!)}`)).toBe(false)
    expect(await countUnsaved()).toBe(0)
  })

  test('a viewer stays a viewer, and what the server refuses is set aside rather than refused at each visit', async () => {
    const viewer = await createDocumentLink(server, 'viewer')
    const window = browser.openWindow('')
    const one = open(window, server.http, viewer)
    await one.whenSynced
    type(one, 'no')
    await expect.poll(() => one.status.get().refusal?.code).toBe('forbidden')
    expect(one.status.get()).toMatchObject({ unsaved: 1, unstored: 1 })
    await expect.poll(countUnsaved).toBe(0)
    await crash(window, one)
    const later = open(browser.openWindow(''), server.http, viewer)
    await later.whenSynced
    await later.whenSaved()
    expect(textOf(later)).toBe('')
  })

  test('the copy keeps the role', async () => {
    const viewer = await createDocumentLink(server, 'viewer')
    const window = browser.openWindow('')
    const one = open(window, server.http, viewer)
    await one.whenSynced
    await waitForCopy()
    await crash(window, one)
    const later = open(browser.openWindow(await principal()), unreachableOrigin, viewer)
    await expect.poll(() => later.status.get().document).toEqual({ state: 'local', role: 'viewer' })
  })

  test('text of one person is neither shown to another nor sent in another’s name', async () => {
    await openAndType('secret')
    const other = open(browser.openWindow('user:other'), unreachableOrigin)
    await expect.poll(() => browser.locks.isHeld(copyWriterLock({ ...shared, part: 'body' }))).toBe(true)
    expect(textOf(other)).toBe('')
    expect(other.status.get().document).toEqual({ state: 'loading' })
    // A window that remembers the first person, while the server has known somebody else since.
    const rights = await createDocumentLink(server)
    const changed = open(browser.openWindow(await principal()), server.http, {
      ...rights,
      document: shared.document,
    })
    await expect.poll(() => changed.status.get().link).toMatchObject({ reason: { code: 'sign-in' } })
  })

  test('a part that is opened later is stored under its session’s principal, whoever has signed in here since', async () => {
    const window = browser.openWindow('')
    let known = ''
    const local = (place: PartKey, principal: string) => {
      const { store, locks, clock } = window
      const remember = (who: string) => void (known = who)
      return new LocalCopy(place, { store, locks, clock, principal: principal || known, remember })
    }
    const { document, token } = shared
    const one = openDocumentOver(
      { origin: server.http, net, token },
      transports,
      { document, token },
      { local },
    )
    opened.push(one)
    await one.whenSynced
    const me = known
    known = 'user:other'
    const secret = new Y.Doc()
    secret.getArray('threads').push(['secret'])
    const [row, theirs] = [{ n: 1, update: Y.encodeStateAsUpdate(secret), changes: 1 }, 'w.1']
    await browser.store.append({ document, part: 'comments', window: theirs }, known, [row])
    one.comments.doc.getArray('threads').push(['mine'])
    await one.whenSaved()
    expect(one.comments.doc.getArray('threads').toArray()).toEqual(['mine'])
    await expect
      .poll(async () => (await browser.store.listCopies()).map(({ principal }) => principal))
      .toEqual([me, me])
    expect([known, await countUnsaved()]).toEqual(['user:other', 1])
  })

  test('a document that is gone is forgotten here, too', async () => {
    await openAndType('gone')
    const copy = (
      await browser.store.readPart({ document: shared.document, part: 'body' }, await principal())
    ).copy!
    await browser.store.compact({ ...copy, document: 'AAAAAAAAAAAAAAAAAAAAAA' }, copy.state, {
      window: 'w',
      upTo: 0,
    })
    const missing = { ...shared, document: 'AAAAAAAAAAAAAAAAAAAAAA' }
    const one = open(browser.openWindow(await principal()), server.http, missing)
    await expect.poll(() => one.status.get().document.state).toBe('refused')
    await expect.poll(async () => (await browser.store.listCopies()).length).toBe(1)
  })

  test('text that a newer editor wrote is not loaded into an older one', async () => {
    await openAndType('from the future')
    const { copy } = await browser.store.readPart(
      { document: shared.document, part: 'body' },
      await principal(),
    )
    await browser.store.compact({ ...copy!, schema: 1000 }, copy!.state, { window: 'w', upTo: 0 })
    const one = open(browser.openWindow(await principal()), unreachableOrigin)
    type(one, 'x')
    await expect.poll(() => one.status.get().link.state).toBe('retrying')
    expect(textOf(one)).toBe('x')
    expect(one.status.get()).toMatchObject({ document: { state: 'loading' }, unsaved: 1, unstored: 1 })
  })
})

describe('[D6] a store that fails', () => {
  test('is not said to hold anything, is tried again, and typing goes on', async () => {
    const window = browser.openWindow('')
    const one = open(window, unreachableOrigin)
    window.failing = true
    type(one, 'a')
    type(one, 'b')
    await expect.poll(() => window.failures).toBeGreaterThan(0)
    expect(one.status.get()).toMatchObject({ unsaved: 2, unstored: 2 })
    window.failing = false
    await waitUntilStored(one)
    expect(await countUnsaved()).toBe(2)
  })

  test('is not said to hold anything by a neighbour that shows the same text either, least of all once the author is gone', async () => {
    await openAndType('')
    const [window, nextWindow] = [
      browser.openWindow(await principal()),
      browser.openWindow(await principal()),
    ]
    const one = open(window, unreachableOrigin, shared, window)
    const two = open(nextWindow, unreachableOrigin, shared, nextWindow)
    await expect.poll(() => browser.meetingCount).toBe(1)
    window.failing = true
    type(one, 'a')
    await expect.poll(() => textOf(two)).toBe('a')
    expect(two.status.get()).toMatchObject({ unsaved: 1, unstored: 1 })
    window.failing = false
    await waitUntilStored(two)
    expect(two.status.get().unsaved).toBe(1)

    window.failing = true
    type(one, 'b')
    await expect.poll(() => textOf(two)).toBe('ab')
    await crash(window, one)
    await expect.poll(() => browser.locks.isHeld(copyWriterLock({ ...shared, part: 'body' }))).toBe(true)
    expect(textOf(two)).toBe('ab')
    expect(two.status.get().unstored).toBe(1)
  })
})
