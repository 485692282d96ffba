/** The thread that owns the only connection: here fsync blocks nobody else. Started by connection.ts. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { describeFailure } from './failure.ts'
import { createLog, type Log } from './log.ts'
import type { Answers, Command, Commands, Kind, Reply, Request } from './messages.ts'
import { createTurns, SILENT_TRANSACTION_MS } from './turns.ts'

const port = parentPort!

// Nobody else writes, but a backup or a curious shell may read: wait for its locks.
const db = new DatabaseSync(workerData as string, { open: false, timeout: 5000 })
let log: Log | undefined

const open = (): void => {
  db.open()
  const mode = db.prepare('pragma journal_mode = wal').get()?.journal_mode
  if (mode !== 'wal')
    throw new Error(`its file system does not support a write-ahead log (journal mode ${String(mode)})`)
  db.exec(`
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma wal_autocheckpoint = 1000;
    pragma journal_size_limit = ${64 * 1024 * 1024};
  `)
}

/** Not before the migrations. */
const documentLog = (): Log => (log ??= createLog(db))

const check = (): void => {
  db.prepare('insert or replace into health (id, written_at) values (1, ?)').run(Date.now())
}

const query = ({ sql, parameters }: Commands['query']): Answers['query'] => {
  const statement = db.prepare(sql)
  const values = parameters as SQLInputValue[]
  if (statement.columns().length > 0)
    return { rows: statement.all(...values), changes: 0, lastInsertRowid: 0 }
  return { rows: [], ...statement.run(...values) }
}

const queryAlone = (command: Commands['query']): Answers['query'] => {
  const result = query(command)
  if (db.isTransaction) {
    db.exec('rollback')
    throw new Error('A transaction is opened by db.transaction(), not by a statement')
  }
  return result
}

/** A failed commit may leave the transaction open, and its client thinks that it is over. */
const commit = (): void => {
  try {
    db.exec('commit')
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

/** The port stays open for the answer; who asked then ends the thread. */
const close = (): void => {
  if (db.isOpen) db.close()
}

const perform = (command: Command, isOpen: boolean): Answers[Kind] => {
  switch (command.kind) {
    case 'open':
      return open()
    case 'append':
      return documentLog().append(command)
    case 'load':
      return documentLog().load(command.document, command.part)
    case 'compact':
      return documentLog().compact(command)
    case 'check':
      return check()
    case 'begin':
      return db.exec('begin immediate')
    case 'query':
      if (command.transaction === undefined) return queryAlone(command)
      requireOpen(isOpen)
      return query(command)
    case 'commit':
      requireOpen(isOpen)
      return commit()
    case 'rollback':
      return isOpen && db.isTransaction ? db.exec('rollback') : undefined
    case 'close':
      return close()
  }
}

/** A statement of a transaction that is over must not run by itself. After a full disk SQLite ends one unasked. */
const requireOpen = (isOpen: boolean) => {
  if (isOpen && db.isTransaction) return
  throw new Error(
    `The transaction was rolled back: it failed before, or was silent for ${SILENT_TRANSACTION_MS / 1000} s`,
  )
}

const reply = (answer: Reply) => {
  const loaded = 'value' in answer && answer.value !== undefined && 'updates' in answer.value
  port.postMessage(answer, loaded ? [(answer.value as Answers['load']).updates.bytes.buffer] : [])
}

const answer = (request: Request, isOpen: boolean): boolean => {
  try {
    reply({ id: request.id, value: perform(request, isOpen) })
  } catch (error) {
    reply({ id: request.id, failure: describeFailure(error) })
  }
  return db.isOpen && db.isTransaction
}

const turns = createTurns<Request>(answer, () => {
  if (db.isTransaction) db.exec('rollback')
})

port.on('message', (request: Request) => turns.take(request))
