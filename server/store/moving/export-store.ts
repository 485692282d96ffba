/** Writes all that a store has into one file: people, documents with everything that belongs to them, desks, files of the data folder. */
import { latestMigration } from '../migrations/index.ts'
import { version } from '../../version.ts'
import { listDataFolderFiles, readDataFolderFile } from './data-folder-files.ts'
import { EXPORT_FORMAT, type ExportSummary, writeExportFile } from './export-file.ts'
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

/** Reads the store as it is at one moment; a server may go on writing in it. */
export const exportStore = (
  location: StoreLocation,
  file: string,
  onProgress: OnProgress = () => {},
): Promise<ExportSummary> =>
  readSnapshot(location, ({ kind, db }) => {
    const head = {
      format: EXPORT_FORMAT,
      schema: latestMigration,
      store: kind,
      version,
      createdAt: Date.now(),
    }
    return writeExportFile(file, head, async (writer) => {
      let documents = 0
      for await (const section of sectionsOf(db)) {
        await writer.section(section, rowsOfSection(db, section))
        if (section.kind === 'document') documents += 1
        onProgress({ documents, bytes: writer.bytes, totalBytes: null })
      }
      // They come last, so that a restore that fails before leaves none of them.
      const { dataDir } = location
      for (const name of await listDataFolderFiles(dataDir)) {
        const bytes = await readDataFolderFile(dataDir, name)
        await writer.section({ kind: 'file', name }, [writeRow({ table: 'file', values: { bytes } })])
      }
    })
  })
