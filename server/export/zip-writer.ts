/**
 * Writes a zip as it is read: of each file no more than a chunk is in memory. It knows names and bytes; it does not know documents. The
 * format without its extension has 4 GiB and 65,535 files: whoever adds more has to ask first.
 */
import { crc32 } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'
import type { Chunks } from '../versions/state-downloads.ts'
import { chunksOf, type OpenFile } from './export-chunks.ts'
import type { WrittenEntry } from './export-job.ts'

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
    const file = new ZippedFile(name, new Date(modifiedAt))
    const isDeflated = only !== undefined && 'deflated' in only
    if (isDeflated) file.setDeflated(only.size, only.crc)
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

class ZippedFile implements ZipInputFile {
  readonly filename: string
  readonly mtime: Date
  size = 0
  crc = 0
  compression = 0
  ondata?: NonNullable<ZipInputFile['ondata']>

  constructor(filename: string, mtime: Date) {
    this.filename = filename
    this.mtime = mtime
  }

  /** What is pushed is deflated already. */
  setDeflated(size: number, crc: number): void {
    this.compression = DEFLATED
    this.size = size
    this.crc = crc
  }

  push(chunk: Uint8Array<ArrayBuffer>): void {
    if (this.compression !== DEFLATED) {
      this.size += chunk.length
      this.crc = crc32(chunk, this.crc)
    }
    this.ondata!(null, chunk, false)
  }

  end(): void {
    this.ondata!(null, new Uint8Array(0), true)
  }
}
