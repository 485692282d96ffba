import { describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { StoreError } from '../store/store.ts'
import { TurnLimit } from '../turn-limit.ts'
import {
  docOf,
  type RoomsFixture,
  isPending,
  openRoomsFixture,
  refusalOf,
  openRoomsFixtureForFile,
  RoomWindow,
} from './fixtures/rooms-fixture.ts'
import { waitUntil, settle } from '../../lib/fixtures/wait.ts'
import { hasSameState } from './fixtures/editing-session.ts'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import { ClientIdBudget } from './client-id-budget.ts'
import { Meter } from '../metering/meter.ts'
import { DocumentMemory } from './document-memory.ts'
import { Room } from './room.ts'
import { TextWorkerPool } from './text-worker-pool.ts'
import { UnsavedEdits } from './unsaved-edits.ts'

let fixture: RoomsFixture
openRoomsFixtureForFile((opened) => (fixture = opened))

/** With fake timers, nothing may wait by a timer. */
async function openAtOnce(
  id: string,
  owner: Awaited<ReturnType<RoomsFixture['document']>>['owner'],
): Promise<RoomWindow> {
  const window = new RoomWindow()
  await window.join(fixture.rooms, id, owner)
  await settle(20)
  return window
}

async function openDocumentAtOnce() {
  const { id, owner } = await fixture.document()
  return { id, owner, windows: [await openAtOnce(id, owner), await openAtOnce(id, owner)] }
}

const textOf = (text: string): Uint8Array => Y.encodeStateAsUpdate(docOf(text))

const edit = (document: string, principal: string, update: Uint8Array) =>
  ({ document, part: 'body', update, principal, session: 'test', number: 1, clients: [1] }) as const

describe('[D4] a document that cannot be loaded', () => {
  test('is never served empty: it is refused as overloaded, and loads when it can be read', async () => {
    const { id, owner } = await fixture.document()
    await fixture.store.append([edit(id, owner.id, textOf('kept'))])
    const load = vi.spyOn(fixture.store, 'load').mockRejectedValue(new StoreError('disk I/O error'))
    expect(await refusalOf(RoomWindow.open(fixture.rooms, id, owner))).toMatchObject({
      code: 'overloaded',
      retryAfterMs: 1_000,
    })
    load.mockRestore()
    expect((await RoomWindow.open(fixture.rooms, id, owner)).text).toBe('kept')
  })

  test('is refused as well if its log holds bytes that Yjs refuses, or lacks an edit that others build on', async () => {
    const whole = new Y.Doc()
    whole.getText('trace').insert(0, 'lost ')
    const before = Y.encodeStateVector(whole)
    whole.getText('trace').insert(5, 'kept')
    for (const update of [Uint8Array.of(1, 2, 3), Y.encodeStateAsUpdate(whole, before)]) {
      const { id, owner } = await fixture.document()
      await fixture.store.append([edit(id, owner.id, update)])
      expect((await refusalOf(RoomWindow.open(fixture.rooms, id, owner))).code).toBe('overloaded')
    }
  })

  test('is loaded once, however many join at the same time', async () => {
    const { id, owner } = await fixture.document()
    const load = vi.spyOn(fixture.store, 'load')
    const windows = await Promise.all(
      Array.from({ length: 20 }, () => RoomWindow.open(fixture.rooms, id, owner)),
    )
    await windows[0]!.type('hello')
    expect(load).toHaveBeenCalledTimes(1)
    await waitUntil(() => windows.every(({ text }) => text === 'hello'))
  })
})

describe('a room after the last member left', () => {
  const passLingerTime = () => vi.advanceTimersByTimeAsync(40_000)

  test('is kept a while, then is loaded again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const load = vi.spyOn(fixture.store, 'load')
    const { id, owner, windows } = await openDocumentAtOnce()
    await windows[0]!.type('text')
    for (const window of windows) window.membership.leave()
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await openAtOnce(id, owner)).text).toBe('text')
    expect(load).toHaveBeenCalledTimes(1)
    const [last] = [await openAtOnce(id, owner)]
    await passLingerTime()
    await last.type(' more')
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('is retired when empty, after evictions too', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const load = vi.spyOn(fixture.store, 'load')
    const { id, owner } = await openDocumentAtOnce()
    fixture.rooms.evict(id, { code: 'overloaded' })
    await passLingerTime()
    await openAtOnce(id, owner)
    expect(load).toHaveBeenCalledTimes(2)
  })

  test('is not retired under somebody who joins meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { id, owner, windows } = await openDocumentAtOnce()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    fixture.store.hold()
    const saved = ada.type('last words')
    for (const window of [ada, bob]) window.membership.leave()
    await passLingerTime() // the retirement waits for the commit
    const eve = new RoomWindow()
    await eve.join(fixture.rooms, id, owner)
    fixture.store.release()
    await saved
    await settle(20)
    expect(eve.text).toBe('last words')
    await passLingerTime()
    await eve.type(', heard')
    const late = await openAtOnce(id, owner)
    expect(late.text).toBe('last words, heard')
    await late.type('!')
    expect(eve.text).toBe('last words, heard!')
  })

  test('is not retired by a server edit while somebody joins', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { id, owner } = await fixture.document()
    const [, ada] = await Promise.all([
      fixture.rooms.edit(id, 'body', owner, (doc) => doc.getText('title').insert(0, 'Plan')),
      openAtOnce(id, owner),
    ])
    await passLingerTime()
    await ada.type('still here')
    expect((await fixture.read(id)).getText('trace').toJSON()).toBe('still here')
  })
})

describe('during the life of a room', () => {
  test('[D5] a long log is compacted while people type, and the text stays', async () => {
    const { windows, id } = await fixture.documentWithWindows()
    const [ada, bob] = windows as [RoomWindow, RoomWindow]
    const saved = Array.from({ length: 700 }, (_, index) => ada.type(`${index} `))
    await Promise.all(saved)
    await bob.type('end')
    await waitUntil(async () => (await fixture.store.load(id, 'body')).logLength < 500)
    await ada.type('!')
    const read = await fixture.read(id)
    expect(read.getText('trace').toJSON()).toBe(ada.text)
    expect(hasSameState(read, bob.doc)).toBe(true)
  })

  test('the title in SQL follows the text’s own, after edits of windows and of the server', async () => {
    const { windows, id, owner } = await fixture.documentWithWindows(1)
    const [ada] = windows as [RoomWindow]
    const titleOf = async () =>
      (await fixture.db.selectFrom('documents').select('title').where('id', '=', id).executeTakeFirst())
        ?.title
    ada.doc.getText('title').insert(0, 'Budget')
    await ada.send(Y.encodeStateAsUpdate(ada.doc))
    await waitUntil(async () => (await titleOf()) === 'Budget')
    await fixture.rooms.edit(id, 'body', owner, (doc) => doc.getText('title').insert(6, ' plan'))
    expect(await titleOf()).toBe('Budget plan')
    expect(ada.doc.getText('title').toJSON()).toBe('Budget plan')
  })
})

describe('versions are notified of a body', () => {
  const openObservedRooms = async () => {
    const edited = vi.fn<(document: string, principal: string) => void>()
    const left = vi.fn<(document: string) => void>()
    const fixture = await openRoomsFixture({ versions: { onEdited: edited, onLeft: left } })
    return { fixture, edited, left, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() }
  }

  test('[D1] with its writers, when their edits are on disk; server edits have none', async () => {
    await using observed = await openObservedRooms()
    const { fixture, edited } = observed
    const { id, owner } = await fixture.document()
    const ada = await RoomWindow.open(fixture.rooms, id, owner)
    await fixture.rooms.edit(id, 'body', owner, (doc) => doc.getText('title').insert(0, 'Title'))
    expect(edited).not.toHaveBeenCalled()
    fixture.store.hold()
    const saved = ada.type('text')
    expect(await isPending(saved)).toBe(true)
    expect(edited).not.toHaveBeenCalled()
    fixture.store.release()
    await saved
    expect(edited.mock.calls).toEqual([[id, owner.id]])
  })

  test('when the last person has left, after the time of a reload; not when the server ends', async () => {
    await using observed = await openObservedRooms()
    const { fixture, left } = observed
    const { id, owner } = await fixture.document()
    const ada = await RoomWindow.open(fixture.rooms, id, owner)
    await ada.type('text')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    ada.membership.leave()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(left).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(30_000)
    vi.useRealTimers()
    await waitUntil(() => left.mock.calls.length > 0)
    expect(left.mock.calls).toEqual([[id]])
    await RoomWindow.open(fixture.rooms, id, owner)
    await fixture.rooms.close()
    expect(left).toHaveBeenCalledTimes(1)
  })
})

test('[D1] a snapshot holds nothing that is on its way to the disk', async () => {
  const { id, owner } = await fixture.document()
  const ignoredEvents = { onCommitted: () => {}, onEmpty: () => {}, onFault: () => {} }
  const budgets = {
    meter: new Meter(),
    clientIds: new ClientIdBudget(),
    memory: new DocumentMemory(),
    unsaved: new UnsavedEdits(),
    editLimit: new TurnLimit(128),
  }
  const shared = { counts: new ServerCounts(), textWorkers: new TextWorkerPool(), ...budgets }
  const room = await Room.load({
    document: id,
    part: 'body',
    store: fixture.store,
    log: silentLogger,
    ...shared,
    ...ignoredEvents,
  })
  const write = (text: string) => room.applyServerEdit(owner, (doc) => doc.getText('trace').insert(0, text))
  await write('kept')
  expect(room.snapshot()).not.toBeNull()
  fixture.store.hold()
  const saved = write('queued ')
  await settle(20) // it is being appended
  expect(room.snapshot()).toBeNull()
  fixture.store.release()
  await saved
  expect(room.snapshot()).not.toBeNull()
  room.close()
})

test('[A5] a client that is not admitted has announced no id', async () => {
  const { id, owner, open } = await fixture.documentWithWindows(1)
  const { principal, token } = await fixture.linkPrincipalTo(id, 'editor', owner)
  const doc = new Y.Doc()
  const stranger = new RoomWindow(doc)
  const joined = stranger.join(fixture.rooms, id, principal, Uint8Array.of(255), { token })
  expect((await refusalOf(joined)).code).toBe('bad-message')
  await RoomWindow.open(fixture.rooms, id, owner, doc)
  await open()
})

test('[W7] a member that left shows no presence', async () => {
  const { windows, open } = await fixture.documentWithWindows()
  const [ada, bob] = windows as [RoomWindow, RoomWindow]
  const awareness = new Awareness(bob.doc)
  awareness.setLocalState({ user: { name: 'Bob' } })
  const presence = encodeAwarenessUpdate(awareness, [bob.doc.clientID])
  awareness.destroy()
  bob.membership.leave()
  bob.membership.sendPresence(presence)
  const late = await open()
  await ada.type('.')
  expect(late.presence.map(({ update }) => [...update])).toEqual([[0]])
})
