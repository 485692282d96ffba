/** [A6] A person's documents take no more of the store than is granted, and a room says so before it takes an edit. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { Principal } from '../access/principal.ts'
import { moveToTrash, purgeFromTrash } from '../api/trash.ts'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import {
  docOf,
  openRoomsFixture,
  refusalOf,
  RoomWindow,
  type RoomsFixture,
} from '../rooms/fixtures/rooms-fixture.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import { readAllBytes, readBytesOf } from '../store/document-sizes.ts'
import { textEdit } from '../store/fixtures/text-edits.ts'
import { createVersions } from '../versions/create-versions.ts'
import { ServerSpace } from './server-space.ts'
import { NoSpace, StorageQuota } from './storage-quota.ts'

const LIMIT = 100_000

let fixture: RoomsFixture
let freeBytes: number
let server: ServerSpace
let storage: StorageQuota
let rooms: Rooms
let owner: Principal
let document: string

async function open(personBytes: number | null = LIMIT, limitBytes: number | null = null) {
  const { db } = fixture
  server = new ServerSpace({
    db,
    log: silentLogger,
    limitBytes,
    reservedBytes: 1_000,
    readFreeBytes: async () => freeBytes,
  })
  await server.start()
  storage = new StorageQuota({ db, log: silentLogger, personBytes, server })
  rooms = fixture.openRooms({ storage })
}

beforeEach(async () => {
  fixture = await openRoomsFixture()
  freeBytes = 1e12
  ;({ owner, id: document } = await fixture.document())
})
afterEach(async () => {
  server.close()
  await rooms.close()
  await fixture[Symbol.asyncDispose]()
})

const join = (principal = owner, id = document) => RoomWindow.open(rooms, id, principal)
const neverStored = () => Promise.reject(new Error('It was stored.'))
const letters = (bytes: number) => 'x'.repeat(bytes)

/** Deletes as a window does whose text the server has. */
function deletion(window: RoomWindow, length: number): Uint8Array {
  const before = Y.encodeStateVector(window.doc)
  window.doc.getText('trace').delete(0, length)
  return Y.encodeStateAsUpdate(window.doc, before)
}

describe('a full space', () => {
  test('takes no text of anybody, in words for each, and still deletions', async () => {
    await open()
    const ada = await join()
    await ada.type(letters(60_000))
    const { principal: bob, token } = await fixture.linkPrincipalTo(document, 'editor', owner)
    const visitor = new RoomWindow()
    await visitor.join(rooms, document, bob, undefined, { token })
    expect(await refusalOf(ada.send(Y.encodeStateAsUpdate(docOf(letters(60_000)))))).toEqual({
      code: 'full',
      detail: expect.stringMatching(/^Your space is full: .*Delete documents or versions/),
      retryAfterMs: 15_000,
    })
    await ada.type(letters(39_000))
    expect(await refusalOf(visitor.send(Y.encodeStateAsUpdate(docOf(letters(2_000)))))).toMatchObject({
      code: 'full',
      detail: expect.stringContaining(`${owner.name}’s space is full`),
    })
    await ada.send(deletion(ada, 50_000))
    expect((await fixture.read(document)).getText('trace').length).toBe(49_000)
  })

  test('takes what was typed and deleted again before it was sent', async () => {
    await open()
    const ada = await join()
    await ada.type(letters(99_800))
    const before = Y.encodeStateVector(ada.doc)
    ada.doc.getText('trace').insert(0, letters(50_000))
    const typed = Y.encodeStateAsUpdate(ada.doc, before)
    expect((await refusalOf(ada.send(typed))).code).toBe('full')
    ada.doc.getText('trace').delete(0, 50_000)
    await ada.send(Y.encodeStateAsUpdate(ada.doc, before))
  })

  test('has room again for who joins after a document was deleted for good, and not while it is in the trash', async () => {
    await open()
    const other = await fixture.createDocument(owner)
    await (await join(owner, other)).type(letters(90_000))
    const ada = await join()
    const more = Y.encodeStateAsUpdate(docOf(letters(50_000)))
    expect((await refusalOf(ada.send(more))).code).toBe('full')
    await moveToTrash(fixture.db, other)
    expect((await refusalOf((await join()).send(more))).code).toBe('full')
    await purgeFromTrash(fixture.db, owner, other)
    await (await join()).send(more)
  })

  test('has room again for who was refused and attaches again, before that is answered', async () => {
    await open()
    const other = await fixture.createDocument(owner)
    await (await join(owner, other)).type(letters(90_000))
    const ada = await join()
    const more = Y.encodeStateAsUpdate(docOf(letters(50_000)))
    expect((await refusalOf(ada.send(more))).code).toBe('full')
    await moveToTrash(fixture.db, other)
    await purgeFromTrash(fixture.db, owner, other)
    await ada.membership.resync(new Map())
    await ada.send(more)
  })

  test('is counted with comments, the desk and versions, and takes no named version', async () => {
    await open()
    await fixture.store.append([
      textEdit(document, letters(40_000), 'comments'),
      textEdit(owner.id, letters(61_000), 'desk'),
    ])
    const ada = await join()
    expect((await refusalOf(ada.type('x'))).code).toBe('full')
    const versions = createVersions({ db: fixture.db, store: fixture.store, log: silentLogger, storage })
    await expect(versions.create(document, 'Full', owner)).rejects.toThrow(NoSpace)
    await versions.close()
    await expect(storage.store(owner.id, 1, neverStored)).rejects.toThrow(NoSpace)
  })

  test('takes no more of the named versions that are made at once than fit', async () => {
    await open()
    const { next: random } = createSeededRandom(28)
    const randomLetters = (count: number) =>
      Array.from({ length: count }, () => random().toString(36)[2]).join('')
    const ids = [document, await fixture.createDocument(owner), await fixture.createDocument(owner)]
    for (const id of ids) await (await join(owner, id)).type(randomLetters(22_000))
    const versions = createVersions({ db: fixture.db, store: fixture.store, log: silentLogger, storage })
    const made = await Promise.allSettled(ids.map((id) => versions.create(id, 'Kept', owner)))
    await versions.close()
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))).toEqual([
      expect.any(NoSpace),
    ])
    expect(await readBytesOf(fixture.db, owner.id)).toBeLessThanOrEqual(LIMIT)
  })

  test('takes of what is asked for at once only what fits beside the others', async () => {
    await open()
    const copies = Array.from({ length: 4 }, async () => {
      const id = await fixture.createDocument(owner)
      return storage.store(owner.id, 30_000, () => fixture.store.append([textEdit(id, letters(30_000))]))
    })
    const outcomes = (await Promise.allSettled(copies)).map(({ status }) => status)
    expect(outcomes.toSorted()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
  })

  test('does not limit a person’s desk, which has a limit of its own', async () => {
    await open()
    await fixture.store.append([textEdit(document, letters(LIMIT + 1))])
    const desk = await RoomWindow.open(rooms, '', owner, undefined, { part: 'desk' })
    await desk.type('a window')
  })
})

test('the figure of open rooms is that of the store, after refused and repeated edits, too', async () => {
  await open()
  const ada = await join()
  for (let edit = 0; edit < 20; edit++) {
    await ada.type(letters(1_000))
    await refusalOf(ada.send(Uint8Array.of(1, 2, 3)))
    await ada.send(Y.encodeStateAsUpdate(ada.doc)) // again, as a window does that comes back
  }
  const used = await readBytesOf(fixture.db, owner.id)
  await ada.type(letters(LIMIT - used - 200))
  expect((await refusalOf(ada.type(letters(300)))).code).toBe('full')
})

test('without a limit nothing is refused', async () => {
  await open(null)
  await (await join()).type(letters(LIMIT * 2))
})

describe('a server without room', () => {
  test('keeps its reserve of the disk: no text grows, of whoever it is', async () => {
    freeBytes = 50_000
    await open()
    const ada = await join()
    await ada.type(letters(40_000))
    expect(await refusalOf(ada.send(Y.encodeStateAsUpdate(docOf(letters(20_000)))))).toMatchObject({
      code: 'full',
      detail: expect.stringContaining('This server has no space left'),
    })
    await ada.send(deletion(ada, 100))
    const stored = storage.store('user:bob', 20_000, neverStored)
    await expect(stored).rejects.toThrow('This server has no space left')
  })

  test('says how much is stored and free, with what was written since', async () => {
    freeBytes = 50_000
    await fixture.store.append([textEdit('another', letters(30_000))])
    const stored = await readAllBytes(fixture.db)
    await open()
    expect(server.figures).toEqual({ usedBytes: stored, limitBytes: null, freeBytes, reservedBytes: 1_000 })
    await (await join()).type(letters(1_000))
    const { usedBytes, freeBytes: left } = server.figures
    expect([usedBytes - stored, freeBytes - left!]).toEqual([
      expect.toSatisfy((n) => n > 1_000),
      usedBytes - stored,
    ])
  })

  test('has a limit for all people together', async () => {
    await fixture.store.append([textEdit('another', letters(30_000))])
    await open(LIMIT, (await readAllBytes(fixture.db)) + 10_000)
    const ada = await join()
    await ada.type(letters(5_000))
    expect((await refusalOf(ada.type(letters(6_000)))).code).toBe('full')
  })
})
