/** The bytes of what was written, as they are read: those of files come from their storage. */
import type { Readable } from 'node:stream'
import type { FilePart } from '../../lib/export/write-entries.ts'
import { type Chunks, splitChunks } from '../versions/state-downloads.ts'
import { bytesIn, type WrittenPart } from './export-job.ts'

/** Opens the bytes of a file of the document. Null where nothing has them. */
export type OpenFile = (file: string) => Promise<Readable | null>

export async function* chunksOf(parts: readonly WrittenPart[], openFile: OpenFile): Chunks {
  for (const part of parts) {
    const bytes = bytesIn(part)
    yield* bytes ? splitChunks(bytes) : fileChunks(part as FilePart, openFile)
  }
}

async function* fileChunks({ file, encoding }: FilePart, openFile: OpenFile): Chunks {
  const stream = await openFile(file)
  if (!stream) return
  const bytes = stream as AsyncIterable<Buffer<ArrayBuffer>>
  yield* encoding === 'bytes' ? copied(bytes) : base64(bytes)
}

async function* copied(bytes: AsyncIterable<Buffer<ArrayBuffer>>): Chunks {
  for await (const chunk of bytes) yield chunk
}

/** Three bytes are four letters: what is left over waits for the next chunk. */
async function* base64(bytes: AsyncIterable<Buffer<ArrayBuffer>>): Chunks {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const joined = Buffer.concat([rest, chunk])
    const whole = joined.length - (joined.length % 3)
    rest = joined.subarray(whole)
    yield Buffer.from(joined.toString('base64', 0, whole))
  }
  yield Buffer.from(rest.toString('base64'))
}
