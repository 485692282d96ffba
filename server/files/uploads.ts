/**
 * Takes files of documents piece by piece, as requests bring them, until they are whole:
 *
 *   begin ─▶ a row ─▶ append, append, … each from where the disk is ─▶ whole: type and size read, bytes stored, file and no upload
 *                         └─▶ cut: what arrived stays ─▶ goes on, or expires
 *
 * The last bytes count once the file is stored: whoever does not hear of it sends them again. It knows rows and bytes; it does not know
 * rights or HTTP.
 */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import { realClock } from '../../lib/session/clock.ts'
import { requireBodyRate } from '../body-rate.ts'
import type { PauseBetweenSteps } from '../retention/remove-document.ts'
import type { Database } from '../store/schema.ts'
import type { FileContents } from './file-contents.ts'
import { readFileHeader } from './file-header.ts'
import {
  advanceUpload,
  claimUpload,
  deleteUpload,
  type FileAddress,
  findUpload,
  finishUpload,
  insertUpload,
  type UploadRow,
} from './file-records.ts'
import type { UploadFolder, UploadWriter } from './upload-folder.ts'

const DAY_MS = 24 * 3600_000
/** So much of one request may be lost with the power or the program. */
const SYNC_BYTES = 8 * 1024 * 1024

export const checksumAlgorithms = ['sha1', 'sha256'] as const

export interface Checksum {
  readonly algorithm: (typeof checksumAlgorithms)[number]
  readonly digest: Buffer
}

/** Why a piece was not taken. */
export type UploadProblem = 'missing' | 'offset' | 'too long' | 'checksum' | 'replaced' | 'cut'

export class UploadRefused extends Error {
  override readonly name = 'UploadRefused'
  readonly problem: UploadProblem

  constructor(problem: UploadProblem, options?: ErrorOptions) {
    super(`The upload was refused: ${problem}`, options)
    this.problem = problem
  }
}

export interface NewUpload extends FileAddress {
  readonly bytes: number
  readonly name: string
  readonly uploadedBy: string
}

export interface Piece {
  readonly offset: number
  readonly body: Readable
  /** Of the piece, which is then taken whole or not at all. */
  readonly checksum: Checksum | null
}

interface WritingRequest {
  readonly body: Readable
  readonly ended: Promise<void>
}

interface UploadsOptions {
  readonly db: Kysely<Database>
  readonly folder: UploadFolder
  readonly contents: FileContents
  /** The name of this node, which other nodes forward its uploads to. */
  readonly node?: string
  readonly now?: () => number
  /** For how long an upload is kept that nobody goes on with. */
  readonly keptDays?: number
}

export class Uploads {
  readonly #db: Kysely<Database>
  readonly #folder: UploadFolder
  readonly #contents: FileContents
  readonly #node: string
  readonly #now: () => number
  readonly #keptMs: number
  /** The request that writes each upload now. */
  readonly #writing = new Map<string, WritingRequest>()

  constructor({ db, folder, contents, node = '', now = Date.now, keptDays = 1 }: UploadsOptions) {
    this.#db = db
    this.#folder = folder
    this.#contents = contents
    this.#node = node
    this.#now = now
    this.#keptMs = keptDays * DAY_MS
  }

  /** Returns null where the document has a file or an upload with this id. */
  async begin({ uploadedBy, ...upload }: NewUpload): Promise<UploadRow | null> {
    const now = this.#now()
    const row = {
      ...upload,
      received: 0,
      uploaded_by: uploadedBy,
      created_at: now,
      expires_at: now + this.#keptMs,
      node: this.#node,
    }
    if (!(await insertUpload(this.#db, row))) return null
    await this.#folder.remove(nameOf(upload))
    if (upload.bytes === 0) await this.#finishEmpty(row)
    return row
  }

  async #finishEmpty(upload: UploadRow): Promise<void> {
    await using writer = await this.#folder.openWriter(nameOf(upload), 0)
    await this.#finish(upload, writer)
  }

  /** With the bytes that this server has. */
  async find(address: FileAddress): Promise<UploadRow | null> {
    const upload = await findUpload(this.#db, address)
    if (!upload || upload.expires_at <= this.#now()) return null
    const received = Math.min(upload.received, await this.#folder.sizeOf(nameOf(address)))
    return { ...upload, received }
  }

  /**
   * Writes what arrives. What came before the request was cut stays, unless it has a checksum. A later request ends the one before it: a
   * client whose network is gone comes back before anybody notices.
   * @returns how many bytes there are now. @throws {UploadRefused} @throws {NoSpace} @throws {StoreError}
   */
  async append(address: FileAddress, piece: Piece): Promise<UploadRow> {
    const name = nameOf(address)
    // Another request may end this one before anybody reads its body, and then nobody else would hear of the error.
    piece.body.on('error', () => {})
    // Nothing may be awaited between the last look and the entry.
    for (let other = this.#writing.get(name); other; other = this.#writing.get(name)) await endRequest(other)
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#writing.set(name, { body: piece.body, ended })
    try {
      const upload = await this.find(address)
      if (!upload) throw new UploadRefused('missing')
      if (upload.received !== piece.offset) throw new UploadRefused('offset')
      await using writer = await this.#folder.openWriter(name, piece.offset)
      await this.#write(upload, writer, piece)
      return { ...upload, received: writer.offset, expires_at: this.#now() + this.#keptMs }
    } finally {
      if (this.#writing.get(name)?.body === piece.body) this.#writing.delete(name)
      end()
    }
  }

  async #write(upload: UploadRow, writer: UploadWriter, { body, checksum }: Piece): Promise<void> {
    const hash = checksum && createHash(checksum.algorithm)
    let synced = writer.offset
    const rate = requireBodyRate(body, () => new UploadRefused('cut'), realClock)
    try {
      // The stream stays open for the answer to a piece that is refused.
      for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        rate.count(chunk.length)
        if (writer.offset + chunk.length > upload.bytes) throw new UploadRefused('too long')
        await writer.write(chunk)
        hash?.update(chunk)
        if (!hash && writer.offset - synced >= SYNC_BYTES && writer.offset < upload.bytes) {
          await this.#advance(upload, writer)
          synced = writer.offset
        }
      }
    } catch (error) {
      // The first error is the one to report, as of a full disk.
      if (!hash && writer.offset > synced && writer.offset < upload.bytes)
        await this.#advance(upload, writer).catch(() => {})
      throw body.destroyed && !(error instanceof UploadRefused)
        ? new UploadRefused('cut', { cause: error })
        : error
    } finally {
      rate.stop()
    }
    if (checksum && !hash!.digest().equals(checksum.digest)) throw new UploadRefused('checksum')
    if (writer.offset === upload.bytes) await this.#finish(upload, writer)
    else await this.#advance(upload, writer)
  }

  async #advance(upload: UploadRow, writer: UploadWriter): Promise<void> {
    await writer.sync()
    const progress = {
      received: writer.offset,
      expires_at: this.#now() + this.#keptMs,
      node: this.#node,
    }
    if (!(await advanceUpload(this.#db, upload, progress))) throw new UploadRefused('missing')
  }

  async #finish(upload: UploadRow, writer: UploadWriter): Promise<void> {
    const { document, id, bytes, name, uploaded_by } = upload
    const path = this.#folder.pathOf(nameOf(upload))
    const { sha256 } = writer
    const header = await readFileHeader(path)
    const file = { id, sha256, bytes, ...header, name, uploaded_by, uploaded_at: this.#now() }
    const isFinished = await this.#contents.store({ path, sha256, bytes }, (transaction) =>
      finishUpload(transaction, document, file),
    )
    await this.#folder.remove(nameOf(upload))
    if (!isFinished) throw new UploadRefused('missing')
  }

  /** Has the other nodes forward the requests of uploads that this server has from before its start. */
  async claim(): Promise<void> {
    for (const name of await this.#folder.list()) {
      const address = addressOf(name)
      if (address) await claimUpload(this.#db, address, this.#node)
    }
  }

  /** Returns false where there is none. */
  async end(address: FileAddress): Promise<boolean> {
    const isDeleted = await deleteUpload(this.#db, address)
    const writing = this.#writing.get(nameOf(address))
    if (writing) await endRequest(writing)
    if (isDeleted) await this.#folder.remove(nameOf(address))
    return isDeleted
  }

  /** Removes uploads that were never finished, and what has arrived of those that are no more. Returns how many uploads. */
  async removeExpired(pause: PauseBetweenSteps): Promise<number> {
    const expired = await this.#db
      .selectFrom('file_uploads')
      .select(['document', 'id'])
      .where('expires_at', '<=', this.#now())
      .execute()
    for (const address of expired) {
      await this.end(address)
      await pause()
    }
    for (const name of await this.#folder.list()) {
      const address = addressOf(name)
      if (this.#writing.has(name) || (address && (await findUpload(this.#db, address)))) continue
      await this.#folder.remove(name)
      await pause()
    }
    return expired.length
  }
}

async function endRequest({ body, ended }: WritingRequest): Promise<void> {
  body.destroy(new UploadRefused('replaced'))
  await ended
}

/** Ids have letters, digits, hyphens and underscores alone. */
const nameOf = ({ document, id }: FileAddress): string => `${document}.${id}`

function addressOf(name: string): FileAddress | null {
  const [document, id, ...others] = name.split('.')
  return document && id && others.length === 0 ? { document, id } : null
}
