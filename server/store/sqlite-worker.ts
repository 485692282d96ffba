/**
 * The thread that owns the only connection that writes, so that its fsync blocks nobody else, and one that loads documents.
 * store-connection.ts starts it.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { serializeError } from './serialized-error.ts'
import { createDocumentLog, type DocumentLog } from './document-log.ts'
import { createDocumentReader, type DocumentReader } from './document-reader.ts'
import type { PackedLoadedPart } from './batch.ts'
import type {
  WorkerResults,
  WorkerCommand,
  WorkerCommands,
  CommandKind,
  WorkerReply,
  WorkerRequest,
} from './worker-messages.ts'
import { createTransactionQueue, IDLE_TRANSACTION_MS, type TransactionPhase } from './transaction-queue.ts'

const port = parentPort!

// Nobody else writes, but a backup or a person's shell may read: wait for its locks.
const db = new DatabaseSync(workerData as string, { open: false, timeout: 5000 })
let log: DocumentLog | undefined
/** Whether the open transaction of a service has written. SQLite's own begins only then, so that commits of edits go on until then. */
let hasWritten = false

const openDatabase = ({ attached }: WorkerCommands['open']): void => {
  db.open()
  const mode = db.prepare('pragma journal_mode = wal').get()?.journal_mode
  if (mode !== 'wal')
    throw new Error(`its file system does not support a write-ahead log (journal mode ${String(mode)})`)
  db.exec(`
    pragma synchronous = ${attached === undefined ? 'full' : 'normal'};
    pragma foreign_keys = on;
    pragma wal_autocheckpoint = 1000;
    pragma journal_size_limit = ${64 * 1024 * 1024};
  `)
  if (attached === undefined) return
  const { href } = pathToFileURL(attached)
  db.prepare('attach database ? as store').run(`${href}?mode=ro`)
}

/** Must not run before the migrations. */
const openDocumentLog = (): DocumentLog => (log ??= createDocumentLog(db))

const checkWrite = (): void => {
  db.prepare('insert or replace into health (id, written_at) values (1, ?)').run(Date.now())
}

const runQuery = ({ sql, parameters }: WorkerCommands['query']): WorkerResults['query'] => {
  const statement = db.prepare(sql)
  const values = parameters as SQLInputValue[]
  if (statement.columns().length > 0)
    return { rows: statement.all(...values), changes: 0, lastInsertRowid: 0 }
  return { rows: [], ...statement.run(...values) }
}

const runQueryOutsideTransaction = (command: WorkerCommands['query']): WorkerResults['query'] => {
  const result = runQuery(command)
  if (db.isTransaction) {
    db.exec('rollback')
    throw new Error('A transaction is opened by db.transaction(), not by a statement')
  }
  return result
}

const isRead = (sql: string): boolean => /^\s*select\b/i.test(sql)

const beginToWrite = (): void => {
  if (hasWritten) return
  db.exec('begin immediate')
  hasWritten = true
}

/** Rolls back after a failed commit, which may leave the transaction open while its client considers it over. */
const commitTransaction = (): void => {
  try {
    db.exec('commit')
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

/** Leaves the port open for the answer; the caller then ends the thread. */
const closeDatabase = (): void => {
  while (loads.length > 0) runLoadStep()
  reader?.close()
  reader = undefined
  if (db.isOpen) db.close()
}

const runCommand = (
  command: Exclude<WorkerCommand, { kind: 'load' }>,
  isOpen: boolean,
): WorkerResults[CommandKind] => {
  switch (command.kind) {
    case 'open':
      return openDatabase(command)
    case 'append':
      return openDocumentLog().append(command)
    case 'write piece':
      return openDocumentLog().snapshots.writePiece(command)
    case 'compact':
      return openDocumentLog().compact(command)
    case 'remove unused pieces':
      return openDocumentLog().snapshots.removeUnusedPieces(command.document, command.part)
    case 'check':
      return checkWrite()
    case 'begin':
      hasWritten = false
      return undefined
    case 'query':
      if (command.transaction === undefined) return runQueryOutsideTransaction(command)
      requireOpenTransaction(isOpen)
      if (!isRead(command.sql)) beginToWrite()
      return runQuery(command)
    case 'commit':
      requireOpenTransaction(isOpen)
      return hasWritten ? commitTransaction() : undefined
    case 'rollback':
      return isOpen && db.isTransaction ? db.exec('rollback') : undefined
    case 'close':
      return closeDatabase()
  }
}

/**
 * Rejects a statement of a transaction that is over, because it must not run on its own. After a full disk SQLite ends a
 * transaction by itself.
 */
const requireOpenTransaction = (isOpen: boolean) => {
  if (isOpen && (!hasWritten || db.isTransaction)) return
  throw new Error(
    `The transaction was rolled back: it failed before, or was silent for ${IDLE_TRANSACTION_MS / 1000} s`,
  )
}

type LoadRequest = Extract<WorkerRequest, { kind: 'load' }>
type QueuedRequest = Exclude<WorkerRequest, { kind: 'load' }>

const sendReply = (reply: WorkerReply, transfer: ArrayBuffer[] = []) => port.postMessage(reply, transfer)

const answer = (request: QueuedRequest, isOpen: boolean): TransactionPhase => {
  try {
    sendReply({ id: request.id, value: runCommand(request, isOpen) })
  } catch (error) {
    sendReply({ id: request.id, failure: serializeError(error) })
  }
  return phaseAfter(request, isOpen)
}

const phaseAfter = ({ kind }: QueuedRequest, isOpen: boolean): TransactionPhase => {
  const isOver = kind === 'commit' || kind === 'rollback' || !(isOpen || kind === 'begin')
  if (isOver || !db.isOpen) return 'over'
  if (!hasWritten) return 'reading'
  return db.isTransaction ? 'writing' : 'over'
}

const transactionQueue = createTransactionQueue<QueuedRequest>(answer, () => {
  if (db.isTransaction) db.exec('rollback')
})

let reader: DocumentReader | undefined
/** Those that wait, behind the one that is under way. */
const loads: { readonly id: number; readonly steps: Iterator<undefined, PackedLoadedPart> }[] = []

/** Must not run before the migrations. */
function* load({ document, part }: LoadRequest): Generator<undefined, PackedLoadedPart> {
  if (!db.isOpen) throw new Error('The database is closed')
  reader ??= createDocumentReader(workerData as string)
  return yield* reader.load(document, part)
}

const runLoadStep = (): void => {
  const { id, steps } = loads[0]!
  try {
    const { done, value } = steps.next()
    if (!done) return
    sendReply({ id, value }, [value.updates.bytes.buffer])
  } catch (error) {
    sendReply({ id, failure: serializeError(error) })
  }
  loads.shift()
}

/** Other requests have their turn between two steps. */
const runLoads = (): void => {
  runLoadStep()
  if (loads.length > 0) setImmediate(continueLoads)
}

const continueLoads = (): void => {
  if (loads.length > 0) runLoads()
}

port.on('message', (request: WorkerRequest) => {
  if (request.kind !== 'load') return transactionQueue.submit(request)
  loads.push({ id: request.id, steps: load(request) })
  if (loads.length === 1) runLoads()
})
