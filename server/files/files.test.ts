/** [F2] [F3] Files are stored once, survive what is cut off, and leave with the last document that has them, on each store. */
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { createFileId } from '../../lib/files/file-reference.ts'
import { removeDocument } from '../retention/remove-document.ts'
import { countSizes, readBytesOf } from '../store/document-sizes.ts'
import { StoreError } from '../store/store.ts'
import { createVersionsTable } from '../versions/versions-table.ts'
import { copyFiles, findFile } from './file-records.ts'
import type { FileStorage } from './file-storage.ts'
import { Files } from './files.ts'
import { type FilesFixture, openFilesFixture, sha256Of } from './fixtures/files-fixture.ts'
import { UploadRefused } from './uploads.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000020000000108060000', 'hex')

let fixture: FilesFixture
let document: string
/** Replaces a method of the storage while it is set. */
let failing: Partial<FileStorage> = {}

beforeEach(async () => {
  failing = {}
  fixture = await openFilesFixture((storage) => ({
    put: (...of) => (failing.put ?? storage.put.bind(storage))(...of),
    open: (...of) => storage.open(...of),
    has: (...of) => storage.has(...of),
    delete: (...of) => (failing.delete ?? storage.delete.bind(storage))(...of),
    list: () => storage.list(),
    readNote: (note) => storage.readNote(note),
    writeNote: (note, text) => storage.writeNote(note, text),
  }))
  document = await fixture.createDocument(fixture.owner)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const begin = (bytes: number, id = createFileId(), of = document) =>
  fixture.files.uploads.begin({
    document: of,
    id,
    bytes,
    name: 'a.png',
    uploadedBy: fixture.uploadedBy,
  })

const append = (id: string, offset: number, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) =>
  fixture.files.uploads.append({ document, id }, { offset, body: Readable.from(chunks), checksum: null })

const receivedOf = async (id: string) => (await fixture.files.uploads.find({ document, id }))?.received

async function* cutAfter(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
  throw new Error('The network is gone.')
}

describe('an upload', () => {
  test('is read again, with type and size from its bytes', async () => {
    const id = await fixture.upload(document, png)
    expect(await fixture.read(document, id)).toEqual(png)
    expect(await findFile(fixture.db, { document, id })).toMatchObject({
      sha256: sha256Of(png),
      bytes: png.length,
      type: 'image/png',
      width: 2,
      height: 1,
    })
    expect(await fixture.arrived()).toEqual([])
  })

  test('of nothing is whole at once', async () => {
    const id = await fixture.upload(document, Buffer.alloc(0))
    expect(await fixture.read(document, id)).toEqual(Buffer.alloc(0))
  })

  test('[F2] goes on after each cut and restart where it was, and no byte is sent twice', async () => {
    const bytes = randomBytes(300_000)
    const id = createFileId()
    await begin(bytes.length, id)
    for (let offset = 0; offset < bytes.length; offset += 50_000) {
      expect(await receivedOf(id)).toBe(offset)
      const piece = bytes.subarray(offset, offset + 50_000)
      const isLast = offset + 50_000 === bytes.length
      await append(id, offset, isLast ? [piece] : cutAfter(piece)).catch(() => {})
      if (offset % 100_000 === 0) fixture.restart()
    }
    expect(await fixture.read(document, id)).toEqual(bytes)
  })

  test('goes on from the beginning where its bytes are on another server', async () => {
    const id = createFileId()
    await begin(png.length, id)
    await append(id, 0, [png.subarray(0, 9)])
    await fixture.files.uploads.find({ document, id })
    const { rm } = await import('node:fs/promises')
    await rm(`${fixture.dataDir}/uploads`, { recursive: true })
    fixture.restart()
    expect(await receivedOf(id)).toBe(0)
    await append(id, 0, [png])
    expect(await fixture.read(document, id)).toEqual(png)
  })

  test('takes no piece from elsewhere, and none that is too long', async () => {
    const id = createFileId()
    await begin(png.length, id)
    await expect(append(id, 5, [png])).rejects.toMatchObject({ problem: 'offset' })
    await expect(append(id, 0, [png, png])).rejects.toMatchObject({ problem: 'too long' })
    await expect(append(createFileId(), 0, [png])).rejects.toMatchObject({ problem: 'missing' })
  })

  test('with a wrong checksum leaves everything as it was, cut off too', async () => {
    const id = createFileId()
    await begin(png.length, id)
    await append(id, 0, [png.subarray(0, 4)])
    const piece = (body: Readable, digest: Buffer) =>
      fixture.files.uploads.append(
        { document, id },
        { offset: 4, body, checksum: { algorithm: 'sha1', digest } },
      )
    const digest = createHash('sha1').update(png.subarray(4)).digest()
    await expect(piece(Readable.from([png.subarray(4)]), Buffer.alloc(20))).rejects.toMatchObject({
      problem: 'checksum',
    })
    await expect(piece(Readable.from(cutAfter(png.subarray(4, 9))), digest)).rejects.toMatchObject({
      problem: 'cut',
    })
    expect(await receivedOf(id)).toBe(4)
    await piece(Readable.from([png.subarray(4)]), digest)
    expect(await fixture.read(document, id)).toEqual(png)
  })

  test('[F2] is continued by the last request that comes', async () => {
    const id = createFileId()
    await begin(png.length, id)
    const silent = new Readable({ read() {} })
    silent.push(png.subarray(0, 3))
    const first = fixture.files.uploads.append({ document, id }, { offset: 0, body: silent, checksum: null })
    const refused = expect(first).rejects.toBeInstanceOf(UploadRefused)
    await expect.poll(() => fixture.arrived()).not.toEqual([])
    const others = [1, 2].map((_) => append(id, 0, [png]).catch(() => null))
    await Promise.all([refused, ...others])
    const received = await receivedOf(id)
    if (received !== undefined) await append(id, received, [png.subarray(received)])
    expect(await fixture.read(document, id)).toEqual(png)
  })

  test('takes no id twice', async () => {
    const id = await fixture.upload(document, png)
    expect(await begin(3, id)).toBeNull()
    const other = createFileId()
    expect([await begin(3, other), await begin(3, other)]).toEqual([expect.anything(), null])
  })

  test('can be ended', async () => {
    const id = createFileId()
    await begin(png.length, id)
    await append(id, 0, [png.subarray(0, 9)])
    expect(await fixture.files.uploads.end({ document, id })).toBe(true)
    expect([await fixture.arrived(), await receivedOf(id)]).toEqual([[], undefined])
    expect(await fixture.files.uploads.end({ document, id })).toBe(false)
  })

  test('that nobody finishes is removed, with what has arrived', async () => {
    const id = createFileId()
    await begin(png.length, id)
    await append(id, 0, [png.subarray(0, 9)])
    fixture.waitHours(23)
    expect(await fixture.sweep()).toMatchObject({ uploads: 0 })
    fixture.waitHours(1)
    expect(await receivedOf(id)).toBeUndefined()
    expect(await fixture.sweep()).toMatchObject({ uploads: 1 })
    expect(await fixture.arrived()).toEqual([])
    expect(await readBytesOf(fixture.db, fixture.uploadedBy)).toBe(0)
  })

  test('is kept for as many days as UPLOADS_KEPT_DAYS says', async () => {
    fixture.restart({ uploadsKeptDays: 3 })
    const id = createFileId()
    await begin(png.length, id)
    fixture.waitHours(48)
    expect(await fixture.sweep()).toMatchObject({ uploads: 0 })
    fixture.waitHours(24)
    expect(await fixture.sweep()).toMatchObject({ uploads: 1 })
  })

  test('is tried again when the storage fails at its end', async () => {
    const id = createFileId()
    await begin(png.length, id)
    failing = { put: () => Promise.reject(new StoreError('The storage is gone.')) }
    await expect(append(id, 0, [png])).rejects.toBeInstanceOf(StoreError)
    failing = {}
    await append(id, (await receivedOf(id))!, [png])
    expect(await fixture.read(document, id)).toEqual(png)
  })

  test('counts for the owner of the document from its beginning', async () => {
    const id = createFileId()
    await begin(1000, id)
    expect(await readBytesOf(fixture.db, fixture.uploadedBy)).toBe(1000)
    await fixture.files.uploads.end({ document, id })
    await fixture.upload(document, png)
    expect(await readBytesOf(fixture.db, fixture.uploadedBy)).toBe(png.length)
    expect(await countSizes(fixture.db)).toEqual([{ document, part: 'files', bytes: png.length }])
  })
})

describe('the same bytes', () => {
  test('[F3] are stored once, also when they arrive at the same moment', async () => {
    const other = await fixture.createDocument(fixture.owner)
    await Promise.all([document, other, document].map((of) => fixture.upload(of, png)))
    await fixture.upload(other, png)
    expect(await fixture.storedKeys()).toHaveLength(1)
  })

  test('stay for as long as a document has them', async () => {
    const other = await fixture.createDocument(fixture.owner)
    await fixture.upload(document, png)
    const kept = await fixture.upload(other, png)
    await removeDocument(fixture.db, document, async () => {})
    fixture.waitHours(2)
    expect(await fixture.sweep()).toMatchObject({ contents: 0 })
    expect(await fixture.read(other, kept)).toEqual(png)
    await removeDocument(fixture.db, other, async () => {})
    expect(await fixture.sweep()).toMatchObject({ contents: 1 })
    expect(await fixture.storedKeys()).toEqual([])
  })

  test('that are removed while somebody uploads them are stored anew', async () => {
    await fixture.upload(document, png)
    await removeDocument(fixture.db, document, async () => {})
    fixture.waitHours(2)
    const other = await fixture.createDocument(fixture.owner)
    const { storage } = fixture
    let id = ''
    failing = {
      async delete(key) {
        failing = {}
        id = await fixture.upload(other, png) // between the row and its bytes
        await storage.delete(key)
      },
    }
    await fixture.sweep()
    expect(await fixture.read(other, id)).toEqual(png)
  })

  test('that a crash left behind are found a day later, and no others', async () => {
    const id = await fixture.upload(document, png)
    failing = { delete: () => Promise.reject(new StoreError('The program ends here.')) }
    const other = await fixture.createDocument(fixture.owner)
    await fixture.upload(other, Buffer.from('left behind'))
    await removeDocument(fixture.db, other, async () => {})
    fixture.waitHours(2)
    await expect(fixture.sweep()).rejects.toThrow('The program ends here.')
    failing = {}
    fixture.restart()
    expect(await fixture.sweep()).toMatchObject({ strays: 0 })
    fixture.waitHours(25)
    expect(await fixture.sweep()).toMatchObject({ strays: 1 })
    expect(await fixture.read(document, id)).toEqual(png)
  })

  test('[F3] stay where a copy of the database runs beside the one that owns them', async () => {
    const { db, store, storage, dataDir, now } = fixture
    const sweepAs = (database: string) =>
      new Files({ db, store, storage, dataDir, now, database }).sweep(async () => {})
    const other = await fixture.createDocument(fixture.owner)
    await fixture.upload(document, png)
    await fixture.upload(other, Buffer.from('left behind'))
    await sweepAs('own')
    fixture.waitHours(48)
    await removeDocument(db, other, async () => {})
    failing = { delete: () => Promise.reject(new StoreError('The program ends here.')) }
    await expect(sweepAs('own')).rejects.toThrow('The program ends here.')
    failing = {}
    await removeDocument(db, document, async () => {})
    expect(await sweepAs('copy')).toMatchObject({ contents: 0, strays: 0 })
    expect(await fixture.storedKeys()).toHaveLength(2)
    expect(await sweepAs('own')).toMatchObject({ contents: 1, strays: 1 })
    expect(await fixture.storedKeys()).toEqual([])
  })

  test('belong to a copy of the document without being copied', async () => {
    const id = await fixture.upload(document, png)
    const copy = await fixture.createDocument(fixture.owner)
    await copyFiles(fixture.db, document, { document: copy, by: fixture.uploadedBy, now: fixture.now() })
    await removeDocument(fixture.db, document, async () => {})
    fixture.waitHours(2)
    await fixture.sweep()
    expect(await fixture.read(copy, id)).toEqual(png)
    expect(await fixture.storedKeys()).toHaveLength(1)
  })
})

describe('a file that nothing names', () => {
  const DAYS = 24

  async function writePicture(id: string): Promise<void> {
    const doc = new Y.Doc()
    const element = new Y.XmlElement('picture')
    element.setAttribute('file', id)
    doc.getXmlFragment('default').insert(0, [element])
    await fixture.store.append([
      {
        document,
        part: 'body',
        update: Y.encodeStateAsUpdate(doc),
        principal: fixture.uploadedBy,
        session: '',
        number: 0,
        clients: [],
      },
    ])
  }

  const insertVersion = (id: string) =>
    createVersionsTable(fixture.db).insert({
      id: 'v',
      document,
      createdAt: 1,
      name: null,
      namedBy: null,
      authors: [],
      sequence: 1,
      state: gzipSync(`…${id}…`),
    })

  const isThere = async (id: string) => (await findFile(fixture.db, { document, id })) !== undefined

  test('[F3] leaves after a month, and one that the text or a version names stays', async () => {
    const [inText, inVersion, unused] = [
      await fixture.upload(document, Buffer.from('1')),
      await fixture.upload(document, Buffer.from('2')),
      await fixture.upload(document, Buffer.from('3')),
    ]
    await writePicture(inText)
    await insertVersion(inVersion)
    for (let day = 0; day < 31; day++) {
      fixture.waitHours(1 * DAYS)
      expect(await isThere(unused)).toBe(true)
      await fixture.sweep()
    }
    expect(await Promise.all([inText, inVersion, unused].map(isThere))).toEqual([true, true, false])
    expect(await countSizes(fixture.db)).toContainEqual({ document, part: 'files', bytes: 2 })
  })

  test.each([
    [3, [true, true, true, false]],
    [null, [true, true, true, true]],
  ])('leaves by UNUSED_FILES_KEPT_DAYS: %s', async (unusedFilesKeptDays, there) => {
    fixture.restart({ unusedFilesKeptDays })
    const id = await fixture.upload(document, png)
    const found: boolean[] = []
    for (const _day of there) {
      fixture.waitHours(1 * DAYS)
      await fixture.sweep()
      found.push(await isThere(id))
    }
    expect(found).toEqual(there)
  })

  test('begins its month anew once it was named again', async () => {
    const id = await fixture.upload(document, png)
    fixture.waitHours(1 * DAYS)
    await fixture.sweep()
    fixture.waitHours(29 * DAYS)
    await writePicture(id)
    await fixture.sweep()
    fixture.waitHours(2 * DAYS)
    await fixture.sweep()
    expect(await isThere(id)).toBe(true)
  })

  test('stays where the text cannot be read', async () => {
    const id = await fixture.upload(document, png)
    await createVersionsTable(fixture.db).insert({
      id: 'v',
      document,
      createdAt: 1,
      name: null,
      namedBy: null,
      authors: [],
      sequence: 1,
      state: Buffer.from('damaged'),
    })
    for (let day = 0; day < 32; day++) {
      fixture.waitHours(1 * DAYS)
      await fixture.sweep()
    }
    expect(await isThere(id)).toBe(true)
  })
})
