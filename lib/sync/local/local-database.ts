/** The IndexedDB database of this origin. It opens when it is first needed, and again when the browser closed it. */
import { errorOf, resultOf } from './request-result.ts'

export type IDBFactoryLike = Pick<IDBFactory, 'open'>

export interface StoreAccess {
  /** Returns one object store. A request that fails ends the whole transaction. */
  objectStore(name: string): IDBObjectStore
}

/** `strict` completes only when it is on the disk, `relaxed` when the operating system has it. */
export type Durability = 'strict' | 'relaxed'

export class LocalDatabase {
  readonly #factory: IDBFactoryLike
  readonly #name: string
  readonly #version: number
  readonly #createStores: (database: IDBDatabase) => void
  #opening: Promise<IDBDatabase> | undefined

  /** @param create Creates the object stores in a new database. */
  constructor(
    factory: IDBFactoryLike,
    name: string,
    { version, create }: { version: number; create: (database: IDBDatabase) => void },
  ) {
    this.#factory = factory
    this.#name = name
    this.#version = version
    this.#createStores = create
  }

  read<T>(names: readonly string[], work: (requests: StoreAccess) => Promise<T>): Promise<T> {
    return this.#runTransaction(names, 'readonly', 'relaxed', work)
  }

  /**
   * All of it happens or nothing. Resolves when it is as safe as `durability` says.
   * @param work Must await nothing but requests: a transaction ends by itself once none is under way.
   */
  write<T>(
    names: readonly string[],
    durability: Durability,
    work: (requests: StoreAccess) => Promise<T>,
  ): Promise<T> {
    return this.#runTransaction(names, 'readwrite', durability, work)
  }

  async close(): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    const database = await opening?.catch(() => undefined)
    database?.close()
  }

  async #runTransaction<T>(
    names: readonly string[],
    mode: IDBTransactionMode,
    durability: Durability,
    work: (requests: StoreAccess) => Promise<T>,
  ): Promise<T> {
    const database = await (this.#opening ??= this.#open())
    const transaction = this.#beginTransaction(database, names, mode, durability)
    const done = whenComplete(transaction)
    try {
      const result = await work({ objectStore: (name) => transaction.objectStore(name) })
      await done
      return result
    } catch (error) {
      abortTransaction(transaction)
      await done.catch(() => {})
      throw error
    }
  }

  /** The browser may have closed it meanwhile, because it ran out of space or the person cleared the site's data. */
  #beginTransaction(
    database: IDBDatabase,
    names: readonly string[],
    mode: IDBTransactionMode,
    durability: Durability,
  ): IDBTransaction {
    try {
      return database.transaction([...names], mode, { durability })
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  async #open(): Promise<IDBDatabase> {
    try {
      const request = this.#factory.open(this.#name, this.#version)
      request.onupgradeneeded = () => this.#createStores(request.result)
      const database = await resultOf(request)
      const closeDatabase = () => {
        database.close()
        this.#opening = undefined
      }
      // A newer page wants to change the stores; an open connection here would hold it up.
      database.onversionchange = closeDatabase
      database.onclose = closeDatabase
      return database
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }
}

function whenComplete(transaction: IDBTransaction): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  transaction.oncomplete = () => resolve()
  transaction.onabort = () => reject(errorOf(transaction))
  promise.catch(() => {}) // it may be aborted before anybody waits for it
  return promise
}

function abortTransaction(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // The transaction was over already.
  }
}
