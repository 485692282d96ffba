/**
 * Writes documents into one zip, each in a folder of its own, one after the other: no more than one is in memory. What could not be written
 * is named in a file at its end.
 */
import { safeFileName, UniqueNames } from '../../lib/export/file-names.ts'
import { commonStrings } from '../../lib/strings/common.ts'
import { exportStrings } from '../../lib/strings/export.ts'
import type { Chunks } from '../versions/state-downloads.ts'
import type { OpenFile } from './export-chunks.ts'
import type { WrittenEntry } from './export-job.ts'
import { ZipWriter } from './zip-writer.ts'

export interface ZippedDocument {
  readonly title: string
  /** Where it can be opened. */
  readonly address: string
  /** In ms since 1970. */
  readonly modifiedAt: number
  /** Of its files. */
  readonly bytes: number
  readonly openFile: OpenFile
  /** Null where it cannot be written. */
  write(): Promise<WrittenDocument | null>
}

interface WrittenDocument {
  readonly entries: readonly WrittenEntry[]
  /** Called once its entries are read. */
  close(): void
}

/** @param hasFolders False for one document, whose files then stand in no folder. */
export async function* zipDocuments(
  documents: AsyncIterable<ZippedDocument> | Iterable<ZippedDocument>,
  hasFolders: boolean,
): Chunks {
  const [zip, folders, leftOut] = [new ZipWriter(), new UniqueNames(), [] as string[]]
  for await (const document of documents) {
    const { title, address } = document
    const folder = hasFolders ? `${folders.add(safeFileName(title, commonStrings.untitled))}/` : ''
    const leaveOut = (what: string): void => void leftOut.push(exportStrings.leftOut.line(what, address))
    yield* zipDocument(zip, document, folder, leaveOut)
  }
  if (leftOut.length > 0) {
    const letters = [exportStrings.leftOut.head, '', ...leftOut, ''].join('\r\n')
    const parts = [Uint8Array.from(Buffer.from(letters))]
    yield* zip.add(exportStrings.leftOut.file, { parts }, Date.now(), () => Promise.resolve(null))
  }
  yield* zip.end()
}

/** A file that is not there is empty. */
export async function* zipEntries(
  entries: readonly WrittenEntry[],
  modifiedAt: number,
  openFile: OpenFile,
): Chunks {
  const zip = new ZipWriter()
  for (const entry of entries) yield* zip.add(entry.name, entry, modifiedAt, openFile)
  yield* zip.end()
}

async function* zipDocument(
  zip: ZipWriter,
  { title, modifiedAt, bytes, openFile, write }: ZippedDocument,
  folder: string,
  leaveOut: (what: string) => void,
): Chunks {
  const name = title || commonStrings.untitled
  const written = await write()
  if (!written) return leaveOut(name)
  try {
    const { entries } = written
    if (!zip.hasRoomFor(entries.length, bytes)) return leaveOut(name)
    for (const entry of entries) {
      const opened = await openEntry(entry, openFile)
      if (opened) yield* zip.add(folder + entry.name, entry, modifiedAt, opened)
      else leaveOut(`${name}, ${entry.name}`)
    }
  } finally {
    written.close()
  }
}

/** Null where the bytes of a file are not there. */
async function openEntry({ parts }: WrittenEntry, openFile: OpenFile): Promise<OpenFile | null> {
  const [only] = parts
  if (!only || !('file' in only)) return openFile
  const stream = await openFile(only.file)
  return stream && (() => Promise.resolve(stream))
}
