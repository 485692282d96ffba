/**
 * Writes all that a store has into one file: people, documents with everything that belongs to them, desks, the bytes of documents' files,
 * files of the data folder.
 */
import { latestMigration } from '../migrations/index.ts'
import { version } from '../../version.ts'
import { listDataFolderFiles, readDataFolderFile } from './data-folder-files.ts'
import { EXPORT_FORMAT, type ExportSummary, writeExportFile } from './export-file.ts'
import { contentsOfFiles, openContentRows } from './moved-contents.ts'
import { writeRow } from './moved-rows.ts'
import { readSnapshot } from './source-snapshot.ts'
import type { StoreLocation } from './store-location.ts'
import { rowsOfSection, sectionsOf } from './store-sections.ts'

export interface Progress {
  readonly documents: number
  readonly bytes: number
  /** Null where it is not known. */
  readonly totalBytes: number | null
}

export type OnProgress = (progress: Progress) => void

export interface ExportOutcome extends ExportSummary {
  /** The SHA-256 of bytes that a document's file has, and the storage has not. */
  readonly missingContents: readonly string[]
}

/** Reads the store as it is at one moment; a server may go on writing in it. */
export const exportStore = (
  location: StoreLocation,
  file: string,
  onProgress: OnProgress = () => {},
): Promise<ExportOutcome> =>
  readSnapshot(location, async ({ kind, db }) => {
    const head = {
      format: EXPORT_FORMAT,
      schema: latestMigration,
      store: kind,
      version,
      createdAt: Date.now(),
    }
    const missingContents: string[] = []
    const summary = await writeExportFile(file, head, async (writer) => {
      let documents = 0
      for await (const section of sectionsOf(db)) {
        await writer.section(section, rowsOfSection(db, section))
        if (section.kind === 'document') documents += 1
        onProgress({ documents, bytes: writer.bytes, totalBytes: null })
      }
      for await (const { sha256, key } of contentsOfFiles(db)) {
        const rows = await openContentRows(location.files, key)
        if (rows) await writer.section({ kind: 'content', name: sha256 }, rows)
        else missingContents.push(sha256)
        onProgress({ documents, bytes: writer.bytes, totalBytes: null })
      }
      // They come last, so that a restore that fails before leaves none of them.
      const { dataDir } = location
      for (const name of await listDataFolderFiles(dataDir)) {
        const bytes = await readDataFolderFile(dataDir, name)
        await writer.section({ kind: 'file', name }, [writeRow({ table: 'file', values: { bytes } })])
      }
    })
    return { ...summary, missingContents }
  })
