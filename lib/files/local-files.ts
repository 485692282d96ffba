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
  /** The documents that the person put it into here, and whose server lacks it so far. */
  readonly unsent?: Readonly<Record<string, UnsentState>>
}

/** An upload that was cancelled waits until the person asks for it again. */
export type UnsentState = 'wanted' | 'cancelled'

export interface UnsentFile {
  readonly file: LocalFile
  readonly document: string
  readonly state: UnsentState
}

/** Safari stores no Blob for a private window. */
type StoredFile = Omit<LocalFile, 'bytes'> & { readonly bytes: Blob | ArrayBuffer }

const fileOf = ({ bytes, ...rest }: StoredFile): LocalFile => ({
  ...rest,
  bytes: bytes instanceof Blob ? bytes : new Blob([bytes], { type: rest.type }),
})

const sizeOf = ({ bytes }: StoredFile): number => (bytes instanceof Blob ? bytes.size : bytes.byteLength)

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

  /** Where there is no room, files that the server has make it. @throws {LocalFilesFull} */
  async add(file: LocalFile): Promise<void> {
    try {
      await this.#put(file, this.#maxBytes).catch(async (error: unknown) => {
        if (isQuotaError(error)) return this.#put(file, file.bytes.size)
        if (error instanceof LocalFilesFull) throw error
        return this.#put({ ...file, bytes: await file.bytes.arrayBuffer() }, this.#maxBytes)
      })
    } catch (error) {
      if (isQuotaError(error)) throw new LocalFilesFull('The browser has no room.', { cause: error })
      throw error
    }
  }

  /** @param maxBytes What files that the server has may take with this one; others stay whatever they take. */
  #put(file: StoredFile, maxBytes: number): Promise<void> {
    return this.#database.write([store], 'strict', async (requests) => {
      const files = requests.objectStore(store)
      const stored = await resultOf<StoredFile[]>(files.getAll())
      let used = stored.reduce((sum, one) => sum + sizeOf(one), sizeOf(file))
      for (const one of stored.filter(isSent)) {
        if (used <= maxBytes) break
        await resultOf(files.delete(one.id))
        used -= sizeOf(one)
      }
      if (used > this.#maxBytes) throw new LocalFilesFull('All files together are too large.')
      await resultOf(files.put(file))
    })
  }

  /** @param document That of the text that shows it, which is remembered; '' for an earlier version. */
  get(id: string, document: string): Promise<LocalFile | undefined> {
    return this.#database.write([store], 'relaxed', async (requests) => {
      const files = requests.objectStore(store)
      const file = await resultOf<StoredFile | undefined>(files.get(id))
      if (file && document !== '' && !file.documents.includes(document))
        await resultOf(files.put({ ...file, documents: [...file.documents, document] }))
      return file && fileOf(file)
    })
  }

  /** What the server lacks of this person's files. A file without a principal belongs to anybody. */
  async listUnsent(principal: string): Promise<readonly UnsentFile[]> {
    const files = await this.#database.read([store], (requests) =>
      resultOf<StoredFile[]>(requests.objectStore(store).getAll()),
    )
    return files
      .filter((file) => file.principal === '' || file.principal === principal)
      .flatMap((file) =>
        Object.entries(unsentOf(file)).map(([document, state]) => ({ file: fileOf(file), document, state })),
      )
  }

  /** @param state Null once the server has it. A file that is not on this device any more stays away. */
  setUnsent(id: string, document: string, state: UnsentState | null): Promise<void> {
    return this.#database.write([store], 'strict', async (requests) => {
      const files = requests.objectStore(store)
      const file = await resultOf<StoredFile | undefined>(files.get(id))
      if (!file) return
      const { [document]: _former, ...others } = unsentOf(file)
      const unsent = state === null ? others : { ...others, [document]: state }
      const documents = [...new Set([...file.documents, document])]
      await resultOf(files.put({ ...file, documents, unsent }))
    })
  }

  /** The document has left this device, and with it the files that no other document shows. */
  removeDocument(document: string): Promise<void> {
    return this.#database.write([store], 'relaxed', async (requests) => {
      const files = requests.objectStore(store)
      const shown = await resultOf<StoredFile[]>(files.index(documentIndex).getAll(document))
      for (const file of shown) {
        const documents = file.documents.filter((one) => one !== document)
        const { [document]: _former, ...unsent } = unsentOf(file)
        await (documents.length > 0
          ? resultOf(files.put({ ...file, documents, unsent }))
          : resultOf(files.delete(file.id)))
      }
    })
  }

  removeOtherPeople(principal: string): Promise<void> {
    return this.#database.write([store], 'strict', async (requests) => {
      const files = requests.objectStore(store)
      for (const file of await resultOf<StoredFile[]>(files.getAll()))
        if (file.principal !== '' && file.principal !== principal) await resultOf(files.delete(file.id))
    })
  }

  close(): Promise<void> {
    return this.#database.close()
  }
}

/** A file that was stored before files went up was put into the first of its documents. */
export const unsentOf = ({
  documents,
  unsent,
}: Pick<LocalFile, 'documents' | 'unsent'>): Readonly<Record<string, UnsentState>> =>
  unsent ?? Object.fromEntries(documents.slice(0, 1).map((document) => [document, 'wanted']))

const isSent = (file: StoredFile): boolean => Object.keys(unsentOf(file)).length === 0

const isQuotaError = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError'

function create(database: IDBDatabase): void {
  database
    .createObjectStore(store, { keyPath: 'id' })
    .createIndex(documentIndex, documentIndex, { multiEntry: true })
}
