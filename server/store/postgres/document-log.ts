/**
 * Writes the log and its snapshots in PostgreSQL's SQL, as the log on SQLite does. Writers of several processes may append to one
 * document part: they take turns by a lock that ends with the transaction, and the number that follows is read under it, so that
 * sequences have no gaps.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type pg from 'pg'
import { packUpdates } from '../batch.ts'
import type { DocumentBackend } from '../document-store.ts'
import { serializeError } from '../serialized-error.ts'
import { AppendConflict, type DocumentEdit, type DocumentPart } from '../store.ts'
import type { SerializedError } from '../worker-messages.ts'
import { findConflicts, isClientConflict, recordClients } from './client-rows.ts'
import { loadPart, readContinuation } from './log-reader.ts'
import { lockRooms } from './server-lock.ts'
import { type FencedPool, isFaultOfData, runTransaction, runTransactionAtOnce } from './transactions.ts'

type Call = readonly DocumentEdit[]
type Outcome = number[] | SerializedError

export interface PostgresLogOptions {
  /** Whose session holds what this node claims, so that it ends with the node. */
  readonly claimant: { readonly client: pg.ClientBase }
  /** Has one connection, since appends come one group after the other. */
  readonly writer: FencedPool
  /** For everything that must not wait for appends. */
  readonly shared: FencedPool
}

export const createPostgresLog = ({
  writer,
  shared,
  claimant,
}: PostgresLogOptions): Omit<DocumentBackend, 'end'> => ({
  async append(calls, mayBeStored) {
    const locks = [lockParts(calls.flat())]
    if (!mayBeStored)
      try {
        return await runTransactionAtOnce(writer, locks, (client) => insertAllCalls(client, calls))
      } catch (error) {
        if (!isFaultOfData(error as Error)) throw error
      }
    return runTransaction(writer, locks, async (client) => {
      const stored = mayBeStored ? await findStoredCalls(client, calls) : calls.map(() => null)
      const missing = calls.filter((_call, index) => stored[index] === null)
      const appended = await insertEachCall(client, missing)
      return stored.map((sequences) => sequences ?? appended.shift()!)
    })
  },

  load: (document, part) => loadPart(shared.pool, document, part),

  readSince: (document, part, sequence) => readContinuation(shared.pool, document, part, sequence),

  async claimCompaction(document, part) {
    const { client } = claimant
    const key = [lockRooms.compaction, lockOf(document, part)]
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', key)
    if (!rows[0]!.held) return null
    // Where the session is lost, so is the lock.
    return () => client.query('select pg_advisory_unlock($1, $2)', key).then(doNothing, doNothing)
  },

  async compact(document, part, state, sequence, stateVector) {
    await runTransaction(
      shared,
      [lockParts([{ document, part }])],
      async (client) => {
        const { rows } = await client.query<{ head: number; last: number }>(
          `select coalesce((select max(sequence) from log where document = $1 and part = $2), last, 0) as head,
                coalesce(last, 0) as last
         from (select (select sequence from snapshots where document = $1 and part = $2) as last) as snapshot`,
          [document, part],
        )
        const { head, last } = rows[0]!
        // An older snapshot would lose edits that only the newer one contains.
        if (sequence < last || sequence > head)
          throw new Error(
            `A snapshot up to ${sequence} does not fit ${part} of ${document}: its snapshot ends at ${last}, its log at ${head}`,
          )
        const checksum = stateVector ? crc32(stateVector, crc32(state)) : crc32(state)
        await client.query(
          `insert into snapshots (document, part, sequence, state, state_vector, checksum, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (document, part) do update
         set sequence = excluded.sequence, state = excluded.state, state_vector = excluded.state_vector,
             checksum = excluded.checksum, created_at = excluded.created_at, pieces = null`,
          [document, part, sequence, state, stateVector ?? null, checksum, Date.now()],
        )
        // Only an import from SQLite brings pieces.
        await client.query('delete from snapshot_pieces where document = $1 and part = $2', [document, part])
        await client.query('delete from log where document = $1 and part = $2 and sequence <= $3', [
          document,
          part,
          sequence,
        ])
        await client.query(
          `insert into document_sizes (document, part, bytes)
         select document, part, length(state) + coalesce(length(state_vector), 0) +
           coalesce((select sum(length("update")) from log where document = $1 and part = $2), 0)
         from snapshots where document = $1 and part = $2
         on conflict (document, part) do update set bytes = excluded.bytes`,
          [document, part],
        )
      },
      COMPACTION_LIMIT_MS,
    )
  },

  async check() {
    await runTransactionAtOnce(shared, [], (client) =>
      client.query(
        'insert into health (id, written_at) values (1, $1) on conflict (id) do update set written_at = excluded.written_at',
        [Date.now()],
      ),
    )
  },
})

/** A snapshot may have 24 MiB, and comes over a network. */
const COMPACTION_LIMIT_MS = 60_000

/** A transaction can hold a few thousand locks, and a group of appends may touch more parts. Parts that share one wait for each other. */
const PART_LOCKS = 1024

/** Locks in ascending order, so that two writers never wait for each other. */
const lockParts = (parts: readonly { document: string; part: DocumentPart }[]): string => {
  const keys = new Set(parts.map(({ document, part }) => lockOf(document, part)))
  const ordered = [...keys].sort((a, b) => a - b)
  return `select pg_advisory_xact_lock(${lockRooms.parts}, key) from unnest('{${ordered.join()}}'::int[]) as key`
}

const lockOf = (document: string, part: DocumentPart): number =>
  createHash('sha256').update(`${part} ${document}`).digest().readUInt32BE() % PART_LOCKS

type InsertCalls = (client: pg.ClientBase, calls: readonly Call[]) => Promise<Outcome[]>

const insertAllCalls: InsertCalls = async (client, calls) => {
  const edits = calls.flat()
  // All are sent before the first answer.
  const [sequences] = await Promise.all([insertEdits(client, edits), recordClients(client, edits)])
  return splitByCall(calls, sequences)
}

/** Does the same with a savepoint for each call, which takes longer, and leaves out the calls that fail. */
const insertEachCall: InsertCalls = async (client, calls) => {
  const outcomes: Outcome[] = []
  for (const call of calls) {
    await client.query('savepoint call')
    try {
      outcomes.push(...(await insertAllCalls(client, [call])))
      await client.query('release savepoint call')
    } catch (error) {
      if (!isFaultOfData(error as Error)) throw error
      await client.query('rollback to savepoint call; release savepoint call')
      const conflicting = isClientConflict(error as Error) ? await findConflicts(client, call) : []
      outcomes.push(serializeError(conflicting.length > 0 ? new AppendConflict(conflicting) : error))
    }
  }
  return outcomes
}

const splitByCall = <T>(calls: readonly Call[], values: readonly T[]): T[][] => {
  let offset = 0
  return calls.map(({ length }) => values.slice(offset, (offset += length)))
}

/** What edits look like as parameters: all updates in one, the rest as JSON. So the statement is the same for any number of them. */
const packEdits = (edits: readonly DocumentEdit[]) => {
  const { bytes } = packUpdates(edits.map(({ update }) => update))
  let start = 1
  const fields = edits.map(({ update, clients, claims: _claims, runs: _runs, ...edit }, position) => {
    const { length } = update
    const packed = {
      ...edit,
      position,
      start,
      length,
      checksum: crc32(update),
      clients: JSON.stringify(clients),
    }
    start += length
    return packed
  })
  return [JSON.stringify(fields), bytes]
}

const packedEdits = `
  edits as (
    select document, part, principal, session, number, clients, position, checksum,
           substring($2::bytea from start for length) as "update"
    from json_to_recordset($1::json) as edit (
      document text, part text, principal text, session text, number bigint, clients text,
      position int, start int, length int, checksum bigint))`

/** Returns the sequence numbers in the order of the edits. */
const insertEdits = async (client: pg.ClientBase, edits: readonly DocumentEdit[]): Promise<number[]> => {
  const { rows } = await client.query<{ document: string; part: string; sequence: number }>({
    name: 'insert edits',
    text: `
      with ${packedEdits}, heads as (
        select document, part, coalesce(
          (select max(sequence) from log where log.document = parts.document and log.part = parts.part),
          (select sequence from snapshots where snapshots.document = parts.document and snapshots.part = parts.part),
          0) as head
        from (select distinct document, part from edits) as parts),
      sizes as (
        insert into document_sizes (document, part, bytes)
        select document, part, sum(length("update")) from edits group by document, part
        on conflict (document, part) do update set bytes = document_sizes.bytes + excluded.bytes)
      insert into log (document, part, sequence, "update", checksum, principal, session, number, clients, created_at)
      select document, part, head + row_number() over (partition by document, part order by position),
             "update", checksum, principal, session, number, clients, $3
      from edits join heads using (document, part)
      returning document, part, sequence`,
    values: [...packEdits(edits), Date.now()],
  })
  // The rows come in any order, and the sequences of a part follow each other in the order of its edits.
  const byPart = Map.groupBy(
    rows.toSorted((a, b) => a.sequence - b.sequence),
    ({ document, part }) => `${part} ${document}`,
  )
  return edits.map(({ document, part }) => byPart.get(`${part} ${document}`)!.shift()!.sequence)
}

/** Returns for each call the sequence numbers of its edits in the log, byte for byte, or null when one is missing. */
const findStoredCalls = async (
  client: pg.ClientBase,
  calls: readonly Call[],
): Promise<(number[] | null)[]> => {
  const { rows } = await client.query<{ sequence: number | null }>(
    `with ${packedEdits}
     select (select max(log.sequence) from log
             where log.document = edits.document and log.part = edits.part and log.principal = edits.principal
               and log.session = edits.session and log.number = edits.number and log.checksum = edits.checksum
               and log."update" = edits."update") as sequence
     from edits order by position`,
    packEdits(calls.flat()),
  )
  const found = splitByCall(calls, rows)
  return found.map((call) => {
    const sequences = call.flatMap(({ sequence }) => sequence ?? [])
    return sequences.length === call.length ? sequences : null
  })
}

const doNothing = (): void => {}
