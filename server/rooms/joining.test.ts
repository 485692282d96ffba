import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { digestOf } from '../../lib/protocol/digest.ts'
import { compactDocument } from '../store/compaction.ts'
import { DocumentMerger } from '../store/document-merger.ts'
import { StoreError } from '../store/store.ts'
import {
  type RoomsFixture,
  openRoomsFixtureForFile,
  isPending,
  openRoomsFixture,
  RoomWindow,
} from './fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { hasSameState } from './fixtures/editing-session.ts'

let fixture: RoomsFixture
openRoomsFixtureForFile((opened) => (fixture = opened))

async function openDocument() {
  const { id, owner } = await fixture.document()
  const open = (doc?: Y.Doc) => RoomWindow.open(fixture.rooms, id, owner, doc)
  return { id, owner, open, ada: await open() }
}

/** Makes the next compaction stop once it has begun, until it is released. */
function holdNextCompaction() {
  const { compact } = fixture.store
  const started = Promise.withResolvers<void>()
  const resume = Promise.withResolvers<void>()
  vi.spyOn(fixture.store, 'compact').mockImplementationOnce(async (...what) => {
    started.resolve()
    await resume.promise
    return compact.apply(fixture.store, what)
  })
  return { started: started.promise, resume: () => resume.resolve() }
}

/** Ada leaves a document as the last one while it is compacted, and its room is closed. */
async function leaveDuringCompaction() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { started, resume } = holdNextCompaction()
  const { id, open, ada } = await openDocument()
  await Promise.all(Array.from({ length: 500 }, () => ada.type('.')))
  await started
  ada.membership.leave()
  await vi.advanceTimersByTimeAsync(40_000)
  vi.useRealTimers()
  return { id, ada, open, resume }
}

const loadBody = (id: string) => fixture.store.load(id, 'body')

/** Waits until the log holds at most this many edits, because a compaction took the others. */
const waitForShortLog = (id: string, most = 499) =>
  waitUntil(async () => (await loadBody(id)).logLength <= most)

/** Writes a log before there is any room. */
async function writeLog(text: string) {
  const { id, owner } = await fixture.document()
  const doc = new Y.Doc()
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => updates.push(update))
  for (const [index, letter] of text.split('').entries()) doc.getText('trace').insert(index, letter)
  const edit = {
    document: id,
    part: 'body',
    principal: owner.id,
    session: 's',
    number: 1,
    clients: [1],
  } as const
  const append = (update: Uint8Array) => fixture.store.append([{ ...edit, update }])
  for (const update of updates) await append(update)
  return {
    id,
    owner,
    doc,
    append,
    open: (ownDoc?: Y.Doc) => RoomWindow.open(fixture.rooms, id, owner, ownDoc),
  }
}

test('[S3] windows that join while others write end with the same text, and receive each edit once', async () => {
  const { open, ada, id } = await openDocument()
  const joining: Promise<RoomWindow>[] = []
  const saved: Promise<void>[] = []
  for (let index = 0; index < 60; index++) {
    saved.push(ada.type(`${index} `))
    if (index % 6 === 0) joining.push(open())
    if (index % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(saved)
  const windows = await Promise.all(joining)
  await waitUntil(() => windows.every(({ text }) => text === ada.text))
  for (const window of windows) expect(hasSameState(window.doc, ada.doc)).toBe(true)
  expect(hasSameState(await fixture.read(id), ada.doc)).toBe(true)
})

test('[D1] a new member does not receive what is on its way to the disk until it is there', async () => {
  const { open, ada } = await openDocument()
  await ada.type('on disk ')
  const [bob] = [await open()]
  fixture.store.hold()
  const saved = ada.type('on its way')
  const [cold, half] = [open(), open(bob.doc)]
  expect([await isPending(cold), await isPending(half)]).toEqual([true, true])
  expect(bob.text).toBe('on disk ')
  fixture.store.release()
  await saved
  expect([(await cold).text, (await half).text]).toEqual(Array(2).fill('on disk on its way'))
})

test('[S3] a client that has part of a text receives the rest, deletions of its part included', async () => {
  const { open, ada } = await openDocument()
  await ada.type('one two ')
  const bob = await open()
  bob.membership.leave()
  ada.doc.getText('trace').delete(0, 4)
  await ada.send(Y.encodeStateAsUpdate(ada.doc, Y.encodeStateVector(bob.doc)))
  await ada.type('three')
  const again = await open(bob.doc)
  expect(again.text).toBe('two three')
  expect(hasSameState(again.doc, ada.doc)).toBe(true)
})

test('[S3] a text from before this room is sent as it is stored, and takes edits at once', async () => {
  const { id, doc, open } = await writeLog('what the log holds')
  const [ada, bob] = [await open(), await open()]
  expect([hasSameState(ada.doc, doc), hasSameState(bob.doc, doc)]).toEqual([true, true])
  ada.doc.getText('trace').delete(0, 5)
  await ada.send(Y.encodeStateAsUpdate(ada.doc, Y.encodeStateVector(doc)))
  await waitUntil(() => bob.text === 'the log holds')
  expect((await open()).text).toBe('the log holds')
  expect(hasSameState(await fixture.read(id), bob.doc)).toBe(true)
})

test('[S3] a long text is sent packed, to the first member and after a compaction, with what was typed since', async () => {
  const { id, doc, open, append } = await writeLog('a')
  const long = Array.from({ length: 9_000 }, (_, index) => `word${index}`).join(' ')
  doc.getText('trace').insert(1, long)
  await append(Y.encodeStateAsUpdate(doc))
  await compactDocument(fixture.store, id, 'body', new DocumentMerger())
  const [bob, cem] = await Promise.all([open(), open()])
  expect([bob.isStatePacked, cem.isStatePacked, bob.text]).toEqual([true, true, `a${long}`])
  await bob.type(' and more')
  const dora = await open()
  expect([dora.isStatePacked, dora.text]).toEqual([true, `a${long} and more`])
  expect(hasSameState(dora.doc, bob.doc)).toBe(true)
})

test('[D7] the digest is that of the text, also before anybody has written', async () => {
  const { doc, open } = await writeLog('compared at rest')
  const ada = await open()
  expect(await ada.membership.computeDigest()).toEqual(await digestOf(doc))
  expect(await ada.membership.computeDigest()).toEqual(await digestOf(ada.doc))
  await ada.type('!')
  expect(await ada.membership.computeDigest()).toEqual(await digestOf(ada.doc))
})

test('[D5] a client that joins while the log grows and a snapshot replaces it receives all of it', async () => {
  const { id, open, ada } = await openDocument()
  const compact = vi.spyOn(fixture.store, 'compact')
  for (let round = 0; round < 12; round++) {
    await Promise.all(Array.from({ length: 100 }, (_, index) => ada.type(`${round}.${index} `)))
    const late = await open()
    await waitUntil(() => late.text === ada.text)
    expect(hasSameState(late.doc, ada.doc)).toBe(true)
    late.membership.leave()
  }
  await waitForShortLog(id)
  expect(compact).toHaveBeenCalled()
  const { updates, stateVector } = await loadBody(id)
  const snapshot = new Y.Doc()
  Y.applyUpdate(snapshot, updates[0]!)
  expect(stateVector).toEqual(Y.encodeStateVector(snapshot))
  expect(hasSameState(await fixture.read(id), ada.doc)).toBe(true)
})

test('[D5] a log that grows long during a compaction is compacted again, though nobody writes any more', async () => {
  const { id, ada } = await openDocument()
  const { started, resume } = holdNextCompaction()
  const type = (count: number) => Promise.all(Array.from({ length: count }, () => ada.type('.')))
  await type(500)
  await started
  await type(600)
  resume()
  await waitForShortLog(id, 0)
  expect(hasSameState(await fixture.read(id), ada.doc)).toBe(true)
})

test('[D5] a client that opens a document that was left during a compaction waits for nothing, and loses nothing', async () => {
  const { id, ada, open, resume } = await leaveDuringCompaction()
  const next = await open()
  expect(next.text).toBe(ada.text)
  await next.type('while it is shortened ')
  resume()
  await waitForShortLog(id)
  await next.type('behind that')
  expect((await open()).text).toBe(next.text)
  expect(hasSameState(await fixture.read(id), next.doc)).toBe(true)
})

test('[D5] a room that was left does not replace the next room’s newer snapshot by an older one', async () => {
  const { id, open, resume } = await leaveDuringCompaction()
  const next = await open()
  await Promise.all(Array.from({ length: 500 }, () => next.type(':')))
  await waitForShortLog(id)
  const before = await loadBody(id)
  resume()
  await next.type('behind that')
  expect((await loadBody(id)).updates[0]).toEqual(before.updates[0])
  expect(hasSameState(await fixture.read(id), next.doc)).toBe(true)
})

test('the close waits for no compaction, and the list still gets the last title', async () => {
  const ownFixture = await openRoomsFixture()
  try {
    const { id, owner } = await ownFixture.document()
    const ada = await RoomWindow.open(ownFixture.rooms, id, owner)
    const started = Promise.withResolvers<void>()
    vi.spyOn(ownFixture.store, 'compact').mockImplementationOnce(() => {
      started.resolve()
      return new Promise(() => {})
    })
    await Promise.all(Array.from({ length: 500 }, () => ada.type('.')))
    await started.promise
    ada.doc.getText('title').insert(0, 'The last title')
    await ada.send(Y.encodeStateAsUpdate(ada.doc, Y.encodeStateVector(await ownFixture.read(id))))
    await ownFixture.rooms.close()
    const row = await ownFixture.db
      .selectFrom('documents')
      .select('title')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row?.title).toBe('The last title')
  } finally {
    await ownFixture[Symbol.asyncDispose]()
  }
})

test('[D5] a log that was left long is compacted when its room is loaded', async () => {
  const { id, doc, open } = await writeLog('.'.repeat(520))
  const ada = await open()
  await waitForShortLog(id, 0)
  await ada.type('!')
  expect((await open()).text).toBe(`${doc.getText('trace').toJSON()}!`)
})

test('[D5] a snapshot that comes while somebody joins and others write leaves nothing out', async () => {
  const { id, open, ada } = await openDocument()
  await Promise.all(Array.from({ length: 499 }, (_, index) => ada.type(`${index} `)))
  fixture.store.hold()
  const last = ada.type('last ') // with this commit the log is long enough
  const joining = open()
  fixture.store.release()
  await last
  const late = [await joining, await open()]
  const saved = ada.type('later ')
  const later = open()
  await saved
  for (const window of [...late, await later]) {
    await waitUntil(() => window.text === ada.text)
    expect(hasSameState(window.doc, ada.doc)).toBe(true)
  }
  await waitForShortLog(id, 9)
  expect(hasSameState((await open()).doc, ada.doc)).toBe(true)
})

test('[D5] one edit that brings a whole text is put into a snapshot', async () => {
  const { id, open, ada } = await openDocument()
  await ada.type('pasted '.repeat(20_000))
  await waitForShortLog(id, 0)
  await ada.type('and typed')
  expect((await loadBody(id)).logLength).toBe(1)
  expect(hasSameState((await open()).doc, ada.doc)).toBe(true)
})

test('[D5] a log whose compaction failed is left as it is until it has grown by as much again', async () => {
  const { ada, open } = await openDocument()
  const compact = vi.spyOn(fixture.store, 'compact').mockRejectedValue(new StoreError('disk full'))
  await ada.type('pasted '.repeat(20_000))
  await waitUntil(() => compact.mock.calls.length === 1)
  for (let index = 0; index < 20; index++) await ada.type(`${index} `)
  expect(compact).toHaveBeenCalledTimes(1)
  expect(hasSameState((await open()).doc, ada.doc)).toBe(true)
})

test('[D5] if another writer has appended to the log, the room’s own text never replaces it', async () => {
  const { id, owner, ada } = await openDocument()
  await ada.type('ours ')
  const doc = new Y.Doc()
  doc.getText('elsewhere').insert(0, 'theirs')
  const update = Y.encodeStateAsUpdate(doc)
  await fixture.store.append([
    { document: id, part: 'body', update, principal: owner.id, session: 's', number: 1, clients: [1] },
  ])
  await Promise.all(Array.from({ length: 600 }, (_, index) => ada.type(`${index} `)))
  await waitForShortLog(id)
  expect((await fixture.read(id)).getText('elsewhere').toJSON()).toBe('theirs')
})

test('[D4] a snapshot with a state vector that is not its own is served to nobody', async () => {
  const { id, open } = await writeLog('abc')
  await compactDocument(fixture.store, id, 'body', new DocumentMerger())
  await fixture.db
    .updateTable('snapshots')
    .set({ state_vector: Uint8Array.of(0) })
    .where('document', '=', id)
    .execute()
  await expect(open()).rejects.toThrow('The document cannot be loaded now.')
})
