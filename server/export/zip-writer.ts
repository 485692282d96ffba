/**
 * Writes a zip as it is read: of each file no more than a chunk is in memory. It knows names and bytes; it does not know documents. The
 * format without its extension has 4 GiB and 65,535 files: whoever adds more has to ask first.
 */
import { crc32 } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'
import type { Chunks } from '../versions/state-downloads.ts'
import { chunksOf, type OpenFile } from './export-chunks.ts'
import type { DeflatedPart, WrittenEntry } from './export-job.ts'

/** Of files alone: their names and the list of them at the end take the rest. */
const MAX_ZIP_BYTES = 4_000_000_000
const MAX_ZIP_ENTRIES = 60_000

const DEFLATED = 8

export class ZipWriter {
  readonly #ready: Uint8Array<ArrayBuffer>[] = []
  readonly #zip = new Zip((error, chunk) => {
    if (error) throw error
    this.#ready.push(chunk)
  })
  #bytes = 0
  #entries = 0

  /** @param bytes Of all files that would be added. */
  hasRoomFor(entries: number, bytes: number): boolean {
    return this.#entries + entries <= MAX_ZIP_ENTRIES && this.#bytes + bytes <= MAX_ZIP_BYTES
  }

  async *add(
    name: string,
    { parts }: Pick<WrittenEntry, 'parts'>,
    modifiedAt: number,
    openFile: OpenFile,
  ): Chunks {
    const [only] = parts
    const file = new ZippedFile(name, new Date(modifiedAt), only && 'deflated' in only ? only : null)
    this.#zip.add(file)
    this.#entries += 1
    for await (const chunk of chunksOf(parts, openFile)) {
      file.push(chunk)
      this.#bytes += chunk.length
      yield* this.#ready.splice(0)
    }
    file.end()
    yield* this.#ready.splice(0)
  }

  /** The list of all files. */
  end(): readonly Uint8Array<ArrayBuffer>[] {
    this.#zip.end()
    return this.#ready.splice(0)
  }
}

/** The most that a block of bytes that are not deflated holds. */
const MAX_BLOCK = 65_535

/**
 * Each file is deflated, as it was before or in blocks of bytes as they are: not every program reads a file that is stored, and whose size
 * follows it.
 */
class ZippedFile implements ZipInputFile {
  readonly filename: string
  readonly mtime: Date
  readonly compression = DEFLATED
  size = 0
  crc = 0
  ondata?: NonNullable<ZipInputFile['ondata']>
  readonly #isDeflated: boolean

  constructor(filename: string, mtime: Date, deflated: DeflatedPart | null) {
    this.filename = filename
    this.mtime = mtime
    this.#isDeflated = deflated !== null
    this.size = deflated?.size ?? 0
    this.crc = deflated?.crc ?? 0
  }

  push(chunk: Uint8Array<ArrayBuffer>): void {
    if (this.#isDeflated) return this.ondata!(null, chunk, false)
    this.size += chunk.length
    this.crc = crc32(chunk, this.crc)
    for (let at = 0; at < chunk.length; at += MAX_BLOCK) {
      const bytes = chunk.subarray(at, at + MAX_BLOCK)
      this.ondata!(null, blockHead(bytes.length, false), false)
      this.ondata!(null, bytes, false)
    }
  }

  end(): void {
    this.ondata!(null, this.#isDeflated ? new Uint8Array(0) : blockHead(0, true), true)
  }
}

/** RFC 1951, 3.2.4: the length, and the same with each bit turned. */
function blockHead(length: number, isLast: boolean): Uint8Array<ArrayBuffer> {
  const turned = length ^ 0xff_ff
  return Uint8Array.of(isLast ? 1 : 0, length & 0xff, length >> 8, turned & 0xff, turned >> 8)
}
