import * as Y from 'yjs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDocumentLink } from '../../../server/fixtures/document-link.ts'
import { httpClients } from '../../../server/fixtures/http-clients.ts'
import { silentLogger } from '../../../server/fixtures/silent-logger.ts'
import { temporaryFolder } from '../../../server/fixtures/temporary-folder.ts'
import { testConfig } from '../../../server/fixtures/test-server.ts'
import { type RunningServer, startServer } from '../../../server/server.ts'
import { createNet } from '../../transports/net/node.ts'
import { copyWriterLock } from './copy-locks.ts'
import { LocalCopyFixture, textOf, type, waitUntilStored, yTextOf } from './fixtures/local-copy-fixture.ts'
import { LocalCopy } from './local-copy.ts'
import type { PartKey } from './local-records.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: RunningServer
let fixture: LocalCopyFixture
const net = createNet({})

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startServer(testConfig(folder.path, {}), { log: silentLogger, pages: false })
})
beforeEach(async () => {
  fixture = new LocalCopyFixture(server, net, await createDocumentLink(server))
})
afterEach(() => fixture[Symbol.asyncDispose]())
afterAll(async () => {
  net.dispose()
  await server.drain()
  await folder[Symbol.asyncDispose]()
})

describe('[D6] a document without its server', () => {
  test('opens from this device, takes edits, and sends them when the server is back', async () => {
    await fixture.openAndType('before ')
    const window = await fixture.openOwnWindow()
    const one = fixture.openOffline(window)
    await expect.poll(() => textOf(one)).toBe('before ')
    expect(one.status.get().document).toEqual({ state: 'local', role: 'editor' })
    type(one, 'offline ')
    type(one, 'twice ')
    expect(one.status.get()).toMatchObject({ unsaved: 2, unstored: 2 })
    await waitUntilStored(one)
    expect(one.status.get().unsaved).toBe(2)
    await fixture.crash(window, one)

    const next = await fixture.openOwnWindow()
    const later = fixture.open(next)
    await expect.poll(() => textOf(later)).toBe('before offline twice ')
    await later.whenSaved()
    const otherBrowser = fixture.openElsewhere()
    await expect.poll(() => textOf(otherBrowser)).toBe('before offline twice ')
    await expect.poll(() => fixture.countUnsaved()).toBe(0)
  })

  test('a pure deletion made there survives a crash and is sent, though it moves no clock', async () => {
    await fixture.openAndType('too much')
    const window = await fixture.openOwnWindow()
    const one = fixture.openOffline(window)
    await expect.poll(() => textOf(one)).toBe('too much')
    yTextOf(one).delete(0, 4)
    await waitUntilStored(one)
    await fixture.crash(window, one)
    const later = fixture.open(await fixture.openOwnWindow())
    await later.whenSaved()
    const otherBrowser = fixture.openElsewhere()
    await otherBrowser.whenSynced
    expect(textOf(otherBrowser)).toBe('much')
  })

  test('what was typed before the server answered is kept, even where there was no copy', async () => {
    const window = fixture.browser.openWindow('')
    const one = fixture.openOffline(window)
    type(one, 'first')
    await waitUntilStored(one)
    await fixture.crash(window, one)
    const later = fixture.open(fixture.browser.openWindow(''))
    await later.whenSaved()
    expect(textOf(later)).toBe('first')
    await expect.poll(() => fixture.countUnsaved()).toBe(0)
  })
})

describe('[D6] windows of one browser', () => {
  test('where one dies between storing and saving an edit, another that lives on sends it', async () => {
    await fixture.openAndType('')
    const living = fixture.open(await fixture.openOwnWindow())
    await living.whenSynced
    const window = await fixture.openOwnWindow()
    const dying = fixture.openOffline(window)
    await expect.poll(() => dying.status.get().document.state).toBe('local')
    type(dying, 'inherited')
    await waitUntilStored(dying)
    await fixture.crash(window, dying)
    await expect.poll(() => textOf(living), { timeout: 15_000 }).toBe('inherited')
    await living.whenSaved()
    const otherBrowser = fixture.openElsewhere()
    await expect.poll(() => textOf(otherBrowser)).toBe('inherited')
    await expect.poll(() => fixture.countUnsaved()).toBe(0)
  })

  test('one writes the copy; where it dies, the next writes it', async () => {
    const place = { document: fixture.shared.document, part: 'body' } as const
    const windows = [fixture.browser.openWindow(''), fixture.browser.openWindow('')] as const
    const [first, second] = [fixture.open(windows[0]), fixture.open(windows[1])]
    await Promise.all([first.whenSynced, second.whenSynced])
    await fixture.waitForCopy()
    await fixture.crash(windows[0], first)
    await expect.poll(() => fixture.browser.locks.isHeld(copyWriterLock(place))).toBe(true)
    type(second, 'kept by the next')
    await second.whenSaved()
    const copiedText = async () => {
      const { copy } = await fixture.browser.store.readPart(place, await fixture.readPrincipal())
      const doc = new Y.Doc()
      Y.applyUpdate(doc, copy!.state)
      return doc.getText('words').toJSON()
    }
    await expect.poll(copiedText, { timeout: 8_000 }).toBe('kept by the next')
    const third = fixture.openOffline(await fixture.openOwnWindow())
    await expect.poll(() => textOf(third)).toBe('kept by the next')
  })

  test('rows of a window that lives are shown, and left to that window', async () => {
    await fixture.openAndType('')
    const one = fixture.openOffline(await fixture.openOwnWindow())
    await expect.poll(() => one.status.get().document.state).toBe('local')
    type(one, 'mine')
    await waitUntilStored(one)
    const two = fixture.openOffline(await fixture.openOwnWindow())
    await expect.poll(() => textOf(two)).toBe('mine')
    expect(two.status.get().unsaved).toBe(0)
  })
})

describe('[D6] a document that goes to the trash and comes back', () => {
  const request = (method: string, path: string) =>
    httpClients['http/1.1'](server, path, {
      method,
      headers: { origin: server.http, cookie: fixture.shared.cookie },
    })
  const moveToTrash = async () =>
    expect((await request('DELETE', `/api/documents/${fixture.shared.document}`)).status).toBe(204)
  const restore = async () =>
    expect((await request('POST', `/api/trash/${fixture.shared.document}/restore`)).status).toBe(204)

  test('gives a window that was away meanwhile the text of both sides', async () => {
    await fixture.openAndType('before ')
    const window = await fixture.openOwnWindow()
    const one = fixture.openOffline(window)
    await expect.poll(() => textOf(one)).toBe('before ')
    type(one, 'offline')
    await waitUntilStored(one)
    await fixture.crash(window, one)
    await moveToTrash()
    await restore()
    const later = fixture.open(await fixture.openOwnWindow())
    await later.whenSynced
    await later.whenSaved()
    const otherBrowser = fixture.openElsewhere()
    await otherBrowser.whenSynced
    expect(textOf(otherBrowser)).toBe('before offline')
  })

  test('is sent what was written before a window learned of the trash, at its next opening', async () => {
    await fixture.openAndType('before ')
    const who = await fixture.readPrincipal()
    const away = fixture.browser.openWindow(who)
    const one = fixture.openOffline(away)
    await expect.poll(() => textOf(one)).toBe('before ')
    type(one, 'offline')
    await waitUntilStored(one)
    await fixture.crash(away, one)
    await moveToTrash()
    const window = fixture.browser.openWindow(who)
    const refused = fixture.open(window)
    await expect.poll(() => refused.status.get().document).toMatchObject({ state: 'refused' })
    await expect.poll(() => fixture.countUnsaved()).toBe(0)
    await fixture.crash(window, refused)
    await restore()
    const back = fixture.open(fixture.browser.openWindow(who))
    await back.whenSynced
    await expect.poll(() => textOf(back)).toBe('before offline')
    await back.whenSaved()
    const otherBrowser = fixture.openElsewhere()
    await otherBrowser.whenSynced
    expect(textOf(otherBrowser)).toBe('before offline')
  })

  test('sends away whoever is in it, and has what was saved until then', async () => {
    const one = fixture.open(fixture.browser.openWindow(''))
    await one.whenSynced
    type(one, 'saved')
    await one.whenSaved()
    await moveToTrash()
    await expect
      .poll(() => one.status.get().document)
      .toMatchObject({ state: 'refused', reason: { code: 'forbidden', detail: 'The document was deleted.' } })
    await restore()
    const later = fixture.open(fixture.browser.openWindow(''))
    await later.whenSynced
    expect(textOf(later)).toBe('saved')
  })
})

describe('[D6] what may not be sent', () => {
  test('a viewer stays a viewer, and what the server refuses is set aside rather than refused at each visit', async () => {
    const viewer = await createDocumentLink(server, 'viewer')
    const window = fixture.browser.openWindow('')
    const one = fixture.open(window, { link: viewer })
    await one.whenSynced
    type(one, 'no')
    await expect.poll(() => one.status.get().refusal?.code).toBe('forbidden')
    expect(one.status.get()).toMatchObject({ unsaved: 1, unstored: 1 })
    await expect.poll(() => fixture.countUnsaved()).toBe(0)
    await fixture.crash(window, one)
    const later = fixture.open(fixture.browser.openWindow(''), { link: viewer })
    await later.whenSynced
    await later.whenSaved()
    expect(textOf(later)).toBe('')
  })

  test('the copy keeps the role', async () => {
    const viewer = await createDocumentLink(server, 'viewer')
    const window = fixture.browser.openWindow('')
    const one = fixture.open(window, { link: viewer })
    await one.whenSynced
    await fixture.waitForCopy()
    await fixture.crash(window, one)
    const later = fixture.openOffline(await fixture.openOwnWindow(), { link: viewer })
    await expect.poll(() => later.status.get().document).toEqual({ state: 'local', role: 'viewer' })
  })

  test('text of one person is neither shown to another nor sent in another’s name', async () => {
    await fixture.openAndType('secret')
    const other = fixture.openOffline(fixture.browser.openWindow('user:other'))
    await expect
      .poll(() => fixture.browser.locks.isHeld(copyWriterLock({ ...fixture.shared, part: 'body' })))
      .toBe(true)
    expect(textOf(other)).toBe('')
    expect(other.status.get().document).toEqual({ state: 'loading' })
    // A window that remembers the first person, while the server has known somebody else since.
    const rights = await createDocumentLink(server)
    const changed = fixture.open(await fixture.openOwnWindow(), {
      link: { ...rights, document: fixture.shared.document },
    })
    await expect.poll(() => changed.status.get().link).toMatchObject({ reason: { code: 'sign-in' } })
  })

  test('a part that is opened later is stored under its session’s principal, whoever has signed in here since', async () => {
    const window = fixture.browser.openWindow('')
    let known = ''
    const local = (key: PartKey, principal: string) => {
      const { store, locks, clock } = window
      const remember = (who: string) => void (known = who)
      return new LocalCopy(key, { store, locks, clock, principal: principal || known, remember })
    }
    const { document } = fixture.shared
    const one = fixture.open(window, { local })
    await one.whenSynced
    const me = known
    known = 'user:other'
    const secret = new Y.Doc()
    secret.getArray('threads').push(['secret'])
    const [row, theirs] = [{ n: 1, update: Y.encodeStateAsUpdate(secret), changes: 1 }, 'w.1']
    await fixture.browser.store.append({ document, part: 'comments', window: theirs }, known, [row])
    one.comments.doc.getArray('threads').push(['mine'])
    await one.whenSaved()
    expect(one.comments.doc.getArray('threads').toArray()).toEqual(['mine'])
    await expect
      .poll(async () => (await fixture.browser.store.listCopies()).map(({ principal }) => principal))
      .toEqual([me, me])
    expect([known, await fixture.countUnsaved()]).toEqual(['user:other', 1])
  })

  test('a document that is gone is forgotten here, too', async () => {
    await fixture.openAndType('gone')
    const copy = (
      await fixture.browser.store.readPart(
        { document: fixture.shared.document, part: 'body' },
        await fixture.readPrincipal(),
      )
    ).copy!
    await fixture.browser.store.compact({ ...copy, document: 'AAAAAAAAAAAAAAAAAAAAAA' }, copy.state, {
      window: 'w',
      upTo: 0,
    })
    const missing = { ...fixture.shared, document: 'AAAAAAAAAAAAAAAAAAAAAA' }
    const one = fixture.open(await fixture.openOwnWindow(), { link: missing })
    await expect.poll(() => one.status.get().document.state).toBe('refused')
    await expect.poll(async () => (await fixture.browser.store.listCopies()).length).toBe(1)
  })

  test('text that a newer editor wrote is not loaded into an older one', async () => {
    await fixture.openAndType('from the future')
    const { copy } = await fixture.browser.store.readPart(
      { document: fixture.shared.document, part: 'body' },
      await fixture.readPrincipal(),
    )
    await fixture.browser.store.compact({ ...copy!, schema: 1000 }, copy!.state, { window: 'w', upTo: 0 })
    const one = fixture.openOffline(await fixture.openOwnWindow())
    type(one, 'x')
    await expect.poll(() => one.status.get().link.state).toBe('retrying')
    expect(textOf(one)).toBe('x')
    expect(one.status.get()).toMatchObject({ document: { state: 'loading' }, unsaved: 1, unstored: 1 })
  })
})

describe('[D6] a store that fails', () => {
  test('is not said to hold anything, is tried again, and typing goes on', async () => {
    const window = fixture.browser.openWindow('')
    const one = fixture.openOffline(window)
    window.failing = true
    type(one, 'a')
    type(one, 'b')
    await expect.poll(() => window.failures).toBeGreaterThan(0)
    expect(one.status.get()).toMatchObject({ unsaved: 2, unstored: 2 })
    expect(one.status.get()).not.toHaveProperty('isDeviceWritable')
    window.failing = false
    await waitUntilStored(one)
    expect(one.status.get()).toHaveProperty('isDeviceWritable', true)
    expect(await fixture.countUnsaved()).toBe(2)
  })

  test('is not said to hold anything by a neighbour that shows the same text either, least of all once the author is gone', async () => {
    await fixture.openAndType('')
    const [window, nextWindow] = [await fixture.openOwnWindow(), await fixture.openOwnWindow()]
    const one = fixture.openOffline(window, { neighbours: window })
    const two = fixture.openOffline(nextWindow, { neighbours: nextWindow })
    await expect.poll(() => fixture.browser.meetingCount).toBe(1)
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
    await fixture.crash(window, one)
    await expect
      .poll(() => fixture.browser.locks.isHeld(copyWriterLock({ ...fixture.shared, part: 'body' })))
      .toBe(true)
    expect(textOf(two)).toBe('ab')
    expect(two.status.get().unstored).toBe(1)
  })
})
