/**
 * The file that a store is moved in, and backed up in (docs/operations/moving.md). It is written and read record by record, and can be
 * checked whole before anything of it is used. It knows bytes and hashes; it does not know tables.
 *
 *   file     = "diptych export\n", record*, end
 *   record   = length (u32, big-endian) of what follows, kind (u8), body
 *   sections = begin, row*, finish
 */
import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { SectionHash, SectionName } from './store-sections.ts'
import { titleOfSection } from './store-sections.ts'

export const EXPORT_FORMAT = 1

const MAGIC = 'diptych export\n'

const KIND = { head: 1, begin: 2, row: 3, finish: 4, end: 5 } as const

/** No row is longer: a longer length is damage, and not worth its memory. */
const MAX_RECORD_BYTES = 256 * 1024 * 1024
const BUFFER_BYTES = 1024 * 1024

export interface ExportHead {
  readonly format: number
  /** The last migration of the store: an import needs the same one. */
  readonly schema: string
  readonly store: string
  /** The version of the program. */
  readonly version: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** What a whole file contains. */
export interface ExportSummary {
  readonly documents: number
  readonly rows: number
  /** SHA-256 of all sections' names and hashes: the same for the same content, whichever store it came from. */
  readonly hash: string
}

/** Sums up sections while they are written or read. */
class SummaryBuilder {
  readonly #hash = createHash('sha256')
  #documents = 0
  #rows = 0

  add(section: SectionName, { rows, hash }: SectionHash): void {
    this.#hash.update(`${titleOfSection(section)} ${rows} ${hash}\n`)
    this.#rows += rows
    if (section.kind === 'document') this.#documents += 1
  }

  finish(): ExportSummary {
    return { documents: this.#documents, rows: this.#rows, hash: this.#hash.digest('hex') }
  }
}

export interface ExportFileWriter {
  section(name: SectionName, rows: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>
  /** How many bytes were written so far. */
  readonly bytes: number
}

/**
 * Writes a file that nobody else can read. It has its name once it is whole and on the disk; after a failure nothing is left.
 * @throws {Error} one sentence when there is such a file already.
 */
export async function writeExportFile(
  file: string,
  head: ExportHead,
  write: (writer: ExportFileWriter) => Promise<void>,
): Promise<ExportSummary> {
  if (await exists(file)) throw new Error(`${file} is there already: name a file that is not.`)
  const part = `${file}.part`
  try {
    const summary = await writePart(file, part, head, write)
    await rename(part, file)
    return summary
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const exists = async (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

async function writePart(
  file: string,
  part: string,
  head: ExportHead,
  write: (writer: ExportFileWriter) => Promise<void>,
): Promise<ExportSummary> {
  await rm(part, { force: true })
  await using handle = await open(part, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw openError(`${file} cannot be written`, error, `there is no folder ${dirname(file)}`)
  })
  const output = new RecordWriter(handle)
  const summary = new SummaryBuilder()
  await output.write(Buffer.from(MAGIC))
  await output.writeRecord(KIND.head, jsonOf(head))
  await write({
    async section(name, rows) {
      const hash = createHash('sha256')
      let count = 0
      await output.writeRecord(KIND.begin, jsonOf(name))
      for await (const row of rows) {
        hash.update(row)
        count += 1
        await output.writeRecord(KIND.row, row)
      }
      const sectionHash: SectionHash = { rows: count, hash: hash.digest('hex') }
      summary.add(name, sectionHash)
      await output.writeRecord(KIND.finish, jsonOf(sectionHash))
    },
    get bytes() {
      return output.bytes
    },
  })
  await output.writeRecord(KIND.end, jsonOf({ sha256: output.digest() }))
  await output.flush()
  await handle.sync()
  return summary.finish()
}

/** @param missing What is not there when the system says ENOENT. */
function openError(problem: string, error: NodeJS.ErrnoException, missing: string): Error {
  const { code = '' } = error
  const reasons: Record<string, string> = { ENOENT: missing, EACCES: 'this user may not do that' }
  return new Error(`${problem}: ${reasons[code] ?? code}.`, { cause: error })
}

const jsonOf = (value: object): Uint8Array => Buffer.from(JSON.stringify(value))

class RecordWriter {
  readonly #handle: FileHandle
  readonly #hash = createHash('sha256')
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  bytes = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async writeRecord(kind: number, body: Uint8Array): Promise<void> {
    const start = Buffer.alloc(5)
    start.writeUInt32BE(body.length + 1)
    start.writeUInt8(kind, 4)
    await this.write(start)
    await this.write(body)
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes)
    this.#pending.push(bytes)
    this.#pendingBytes += bytes.length
    this.bytes += bytes.length
    if (this.#pendingBytes >= BUFFER_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pending)
    this.#pending = []
    this.#pendingBytes = 0
    await this.#handle.writeFile(bytes)
  }

  /** The hash of everything so far. */
  digest(): string {
    return this.#hash.copy().digest('hex')
  }
}

export interface ExportSection extends SectionName {
  /** Must be read to its end before the next section. */
  readonly rows: AsyncIterable<Uint8Array>
  /** What the file says of the rows; is known once they are read. */
  sectionHash(): SectionHash
}

/** Reads a file whose hashes are checked on the way: the last one comes after the last section. @throws {Error} one sentence. */
export class ExportFileReader implements AsyncDisposable {
  readonly head: ExportHead
  readonly totalBytes: number
  readonly #input: RecordReader
  readonly #summary = new SummaryBuilder()

  /** @param schema The last migration of this program's store. */
  static async open(file: string, schema: string): Promise<ExportFileReader> {
    const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
      throw openError(`${file} cannot be read`, error, 'there is no such file')
    })
    try {
      const input = new RecordReader(handle, file)
      const head = await readHead(input, file)
      checkHead(head, schema, file)
      return new ExportFileReader(input, head, (await handle.stat()).size)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  private constructor(input: RecordReader, head: ExportHead, totalBytes: number) {
    this.#input = input
    this.head = head
    this.totalBytes = totalBytes
  }

  /** How many bytes were read so far. */
  get bytes(): number {
    return this.#input.position
  }

  async *sections(): AsyncGenerator<ExportSection> {
    for (;;) {
      const digest = this.#input.digest()
      const { kind, body } = await this.#input.readRecord()
      if (kind === KIND.end) return await this.#checkEnd(body, digest)
      if (kind !== KIND.begin) throw this.#input.damageError()
      const name = parseJson(body, this.#input) as SectionName
      let sectionHash: SectionHash | undefined
      const rows = this.#readRows(name, (read) => (sectionHash = read))
      yield { ...name, rows, sectionHash: () => sectionHash! }
      if (sectionHash === undefined) throw new Error(`${titleOfSection(name)} was not read to its end`)
    }
  }

  /** Is known after the last section. */
  summary(): ExportSummary {
    return this.#summary.finish()
  }

  async *#readRows(
    name: SectionName,
    onRead: (sectionHash: SectionHash) => void,
  ): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256')
    for (let rows = 0; ; rows += 1) {
      const { kind, body } = await this.#input.readRecord()
      if (kind === KIND.finish) {
        const written = parseJson(body, this.#input) as SectionHash
        if (written.rows !== rows || written.hash !== hash.digest('hex')) throw this.#input.damageError(name)
        this.#summary.add(name, written)
        return onRead(written)
      }
      if (kind !== KIND.row) throw this.#input.damageError(name)
      hash.update(body)
      yield body
    }
  }

  async #checkEnd(body: Uint8Array, digest: string): Promise<void> {
    const { sha256 } = parseJson(body, this.#input) as { sha256?: string }
    if (sha256 !== digest || !(await this.#input.isAtEnd())) throw this.#input.damageError()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#input.close()
  }
}

async function readHead(input: RecordReader, file: string): Promise<ExportHead> {
  const magic = await input.read(MAGIC.length).catch(() => null)
  if (magic === null || Buffer.from(magic).toString('latin1') !== MAGIC)
    throw new Error(`${file} is no export of Diptych.`)
  const { kind, body } = await input.readRecord()
  if (kind !== KIND.head) throw input.damageError()
  return parseJson(body, input) as ExportHead
}

function checkHead({ format, schema, version }: ExportHead, ownSchema: string, file: string): void {
  const problem = (age: string, advice: string) =>
    new Error(`${file} was written by ${age} Diptych (${version}, format ${format}, ${schema}): ${advice}.`)
  if (format > EXPORT_FORMAT || schema > ownSchema) throw problem('a newer', 'import it with that one')
  if (format < EXPORT_FORMAT || schema < ownSchema)
    throw problem('an older', 'import it with that one, whose store this one then brings up to date')
}

function parseJson(body: Uint8Array, input: RecordReader): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    throw input.damageError()
  }
}

class RecordReader {
  readonly #handle: FileHandle
  readonly #file: string
  readonly #hash: Hash = createHash('sha256')
  #buffer = Buffer.alloc(0)
  position = 0

  constructor(handle: FileHandle, file: string) {
    this.#handle = handle
    this.#file = file
  }

  damageError(section?: SectionName): Error {
    const where = section ? `in ${titleOfSection(section)}` : `before byte ${this.position}`
    return new Error(`${this.#file} is damaged ${where}.`)
  }

  async readRecord(): Promise<{ kind: number; body: Uint8Array }> {
    const length = Buffer.from(await this.read(4)).readUInt32BE()
    if (length < 1 || length > MAX_RECORD_BYTES) throw this.damageError()
    const payload = await this.read(length)
    return { kind: payload[0]!, body: payload.subarray(1) }
  }

  /** Returns a view that stays as it is. */
  async read(length: number): Promise<Uint8Array> {
    if (this.#buffer.length < length) await this.#fill(length)
    const bytes = this.#buffer.subarray(0, length)
    if (bytes.length < length) throw new Error(`${this.#file} is cut off after byte ${this.position}.`)
    this.#buffer = this.#buffer.subarray(length)
    this.position += length
    this.#hash.update(bytes)
    return bytes
  }

  async #fill(length: number): Promise<void> {
    const pieces = [this.#buffer]
    for (let bytes = this.#buffer.length; bytes < length;) {
      const piece = Buffer.allocUnsafe(Math.max(BUFFER_BYTES, length - bytes))
      const { bytesRead } = await this.#handle.read(piece)
      if (bytesRead === 0) break
      pieces.push(piece.subarray(0, bytesRead))
      bytes += bytesRead
    }
    this.#buffer = Buffer.concat(pieces)
  }

  async isAtEnd(): Promise<boolean> {
    await this.#fill(1)
    return this.#buffer.length === 0
  }

  digest(): string {
    return this.#hash.copy().digest('hex')
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
