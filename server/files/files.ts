/** The files of documents, as the server composes them: where bytes are stored, what documents have, and what leaves the disk by itself. */
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { PauseBetweenSteps } from '../retention/remove-document.ts'
import type { Database } from '../store/schema.ts'
import type { DocumentStore } from '../store/store.ts'
import { FileContents } from './file-contents.ts'
import type { FileStorage } from './file-storage.ts'
import { UploadFolder } from './upload-folder.ts'
import { Uploads } from './uploads.ts'
import { removeUnusedFiles } from './unused-files.ts'

/** The storage of this server alone, for what is on its way. */
const UPLOADS_FOLDER = 'uploads'
const IMPORTS_FOLDER = 'imports'

/** The storage lists all its keys once a day. */
const STRAYS_INTERVAL_MS = 24 * 3600_000

export interface FilesOptions {
  readonly db: Kysely<Database>
  readonly store: Pick<DocumentStore, 'load'>
  readonly storage: FileStorage
  readonly dataDir: string
  /** The identity of the database; null for a storage within `dataDir`, which nobody else has. */
  readonly database?: string | null
  readonly log?: Logger
  /** The name of this node. */
  readonly node?: string
  readonly now?: () => number
  readonly uploadsKeptDays?: number
  readonly unusedFilesKeptDays?: number | null
}

export interface FilesSweep {
  readonly uploads: number
  readonly files: number
  readonly contents: number
  readonly strays: number
}

export class Files {
  readonly storage: FileStorage
  readonly uploads: Uploads
  /** Where files are that become documents. */
  readonly importsFolder: string
  readonly #options: FilesOptions
  readonly #folder: UploadFolder
  readonly #contents: FileContents
  #straysAt = -Infinity

  constructor(options: FilesOptions) {
    const { db, storage, dataDir, node, now, uploadsKeptDays } = options
    this.#options = options
    this.storage = storage
    this.importsFolder = join(dataDir, IMPORTS_FOLDER)
    this.#folder = new UploadFolder(join(dataDir, UPLOADS_FOLDER))
    this.#contents = new FileContents(db, storage, now)
    this.uploads = new Uploads({
      db,
      folder: this.#folder,
      contents: this.#contents,
      ...(node !== undefined && { node }),
      ...(now && { now }),
      ...(uploadsKeptDays !== undefined && { keptDays: uploadsKeptDays }),
    })
  }

  /** How many bytes are free where uploads arrive. */
  freeBytes(): Promise<number> {
    return this.#folder.freeBytes()
  }

  /** A storage that cannot be reached now is claimed by the next sweep. */
  async claimStorage(): Promise<void> {
    await this.#ownsStorage().catch((error: unknown) => {
      this.#options.log?.warn({ err: error }, 'the storage of files cannot be reached')
    })
  }

  /** Removes what nobody needs any more, in small steps. */
  async sweep(pause: PauseBetweenSteps): Promise<FilesSweep> {
    const { now = Date.now } = this.#options
    const uploads = await this.uploads.removeExpired(pause)
    const files = await removeUnusedFiles(this.#options, pause)
    if (!(await this.#ownsStorage())) return { uploads, files, contents: 0, strays: 0 }
    const contents = await this.#contents.removeUnused(pause)
    const isDue = now() - this.#straysAt >= STRAYS_INTERVAL_MS
    const strays = isDue ? await this.#contents.removeStrays(pause) : 0
    if (isDue) this.#straysAt = now()
    return { uploads, files, contents, strays }
  }

  /**
   * A copy of a database, which somebody tries out, has the same folder or bucket in its settings: what it does not know of is not its to
   * remove. The first database owns a storage that is new.
   */
  async #ownsStorage(): Promise<boolean> {
    const { database = null, storage, log } = this.#options
    if (database === null) return true
    if ((await storage.readNote('owner')) === null) await storage.writeNote('owner', database)
    // Another server may have written at the same moment.
    const owner = await storage.readNote('owner')
    const isOwn = owner === database
    if (!isOwn) log?.warn({ owner, database }, 'the files belong to another database: their bytes stay')
    return isOwn
  }
}
