/**
 * The files of documents on this device, in a database of IndexedDB of their own. A file is kept while a document that shows it is on this
 * device. Knows bytes and ids; does not know what shows them.
 */
import { LocalDatabase, type IDBFactoryLike } from '../sync/local/local-database.ts'
import { resultOf } from '../sync/local/request-result.ts'

export interface LocalFile {
  readonly id: string
  /** The documents that show it. */
  readonly documents: readonly string[]
  /** Who added it; '' where the server has not said yet who this is. */
  readonly principal: string
  readonly name: string
  /** As the bytes have it, or as the system says of a file that is no picture. */
  readonly type: string
  readonly bytes: Blob
}

/** Of all files of a browser together. */
const MAX_DEVICE_BYTES = 1024 * 1024 * 1024

/** The device has no room for a file. */
export class LocalFilesFull extends Error {}

const store = 'files'
const documentIndex = 'documents'

export class LocalFiles {
  readonly #database: LocalDatabase
  readonly #maxBytes: number

  constructor(factory: IDBFactoryLike, maxBytes = MAX_DEVICE_BYTES) {
    this.#database = new LocalDatabase(factory, 'diptych-files', { version: 1, create })
    this.#maxBytes = maxBytes
  }

  /** @throws {LocalFilesFull} */
  async add(file: LocalFile): Promise<void> {
    try {
      await this.#database.write([store], 'strict', async (requests) => {
        const files = requests.objectStore(store)
        const stored = await resultOf<LocalFile[]>(files.getAll())
        const used = stored.reduce((sum, { bytes }) => sum + bytes.size, 0)
        if (used + file.bytes.size > this.#maxBytes)
          throw new LocalFilesFull('All files together are too large.')
        await resultOf(files.put(file))
      })
    } catch (error) {
      if (error instanceof DOMException && error.name === 'QuotaExceededError')
        throw new LocalFilesFull('The browser has no room.', { cause: error })
      throw error
    }
  }

  /** @param document That of the text that shows it, which is remembered; '' for an earlier version. */
  get(id: string, document: string): Promise<LocalFile | undefined> {
    return this.#database.write([store], 'relaxed', async (requests) => {
      const files = requests.objectStore(store)
      const file = await resultOf<LocalFile | undefined>(files.get(id))
      if (file && document !== '' && !file.documents.includes(document))
        await resultOf(files.put({ ...file, documents: [...file.documents, document] }))
      return file
    })
  }

  /** The document has left this device, and with it the files that no other document shows. */
  removeDocument(document: string): Promise<void> {
    return this.#database.write([store], 'relaxed', async (requests) => {
      const files = requests.objectStore(store)
      const shown = await resultOf<LocalFile[]>(files.index(documentIndex).getAll(document))
      for (const file of shown) {
        const documents = file.documents.filter((one) => one !== document)
        await (documents.length > 0
          ? resultOf(files.put({ ...file, documents }))
          : resultOf(files.delete(file.id)))
      }
    })
  }

  removeOtherPeople(principal: string): Promise<void> {
    return this.#database.write([store], 'strict', async (requests) => {
      const files = requests.objectStore(store)
      for (const file of await resultOf<LocalFile[]>(files.getAll()))
        if (file.principal !== '' && file.principal !== principal) await resultOf(files.delete(file.id))
    })
  }

  close(): Promise<void> {
    return this.#database.close()
  }
}

function create(database: IDBDatabase): void {
  database
    .createObjectStore(store, { keyPath: 'id' })
    .createIndex(documentIndex, documentIndex, { multiEntry: true })
}
