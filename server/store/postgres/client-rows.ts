/**
 * Records in PostgreSQL who owns each Yjs client id and how far its clock has come, in the transaction that appends (A5). Where another
 * node was first, the statement fails, and with it the transaction.
 */
import type pg from 'pg'
import type { ClientOwner, ClientRun, DocumentEdit, DocumentPart } from '../store.ts'
import { DIVISION_BY_ZERO } from './server-lock.ts'

/** Sends all its statements before it returns. Fails with a conflict (`isClientConflict`). */
export const recordClients = async (client: pg.ClientBase, edits: readonly DocumentEdit[]): Promise<void> => {
  const claims = edits.flatMap(({ document, part, claims: claimed = [] }) =>
    claimed.map((claim) => ({ document, part, ...claim })),
  )
  const runs = joinRuns(edits)
  await Promise.all([
    claims.length > 0 && insertClaims(client, claims),
    runs.length > 0 && advanceClocks(client, runs),
  ])
}

type Run = ClientRun & { readonly document: string; readonly part: DocumentPart; readonly principal: string }

/** One run for each client id: the edits of a call follow each other. */
const joinRuns = (edits: readonly DocumentEdit[]): Run[] => {
  const joined = new Map<string, Run>()
  for (const { document, part, runs = [], claims = [] } of edits)
    for (const run of runs) {
      const key = `${part} ${document} ${run.client}`
      const principal = claims.find(({ client }) => client === run.client)?.principal ?? ''
      const before = joined.get(key)
      joined.set(key, before ? { ...before, to: run.to } : { document, part, principal, ...run })
    }
  return [...joined.values()]
}

/** A run conflicts with text of other clocks, and a claim with another owner: another node was first. */
const CONFLICT = `(clients.clock <> runs."from" or (runs.principal <> '' and clients.principal <> runs.principal))`

const packedRuns = `
  runs as (
    select * from json_to_recordset($1::json) as run (
      document text, part text, client bigint, "from" bigint, "to" bigint, principal text))`

/** Fails with a division by zero where a run conflicts. An id without an owner, as of text that came back after a restore, passes. */
const advanceClocks = (client: pg.ClientBase, runs: readonly Run[]) =>
  client.query({
    name: 'advance clocks',
    text: `
      with ${packedRuns}
      update clients set clock = runs."to" / (case when ${CONFLICT} then 0 else 1 end) from runs
      where clients.document = runs.document and clients.part = runs.part and clients.client = runs.client`,
    values: [JSON.stringify(runs)],
  })

export const isClientConflict = ({ code }: Error & { code?: string }): boolean => code === DIVISION_BY_ZERO

/** Returns the client ids for which a call conflicts with what is stored. */
export const findConflicts = async (
  client: pg.ClientBase,
  call: readonly DocumentEdit[],
): Promise<number[]> => {
  const { rows } = await client.query<{ client: number }>(
    `with ${packedRuns}
     select client from clients join runs using (document, part, client) where ${CONFLICT} order by client`,
    [JSON.stringify(joinRuns(call))],
  )
  return rows.map((row) => row.client)
}

type Claim = ClientOwner & { readonly document: string; readonly part: DocumentPart }

/** The first owner stays, and has nothing more to recover. */
const insertClaims = (client: pg.ClientBase, claims: readonly Claim[]) =>
  client.query({
    name: 'insert claims',
    text: `
      with claims as (
        select * from json_to_recordset($1::json) as claim (
          position int, document text, part text, client bigint, principal text)),
      added as (
        insert into clients (document, part, client, principal, claimed_at)
        select distinct on (document, part, client) document, part, client, principal, $2::bigint
        from claims order by document, part, client, position
        on conflict do nothing)
      update clients set recoverable = 0 from claims
      where clients.document = claims.document and clients.part = claims.part and clients.client = claims.client
        and clients.principal = claims.principal and clients.recoverable = 1`,
    values: [JSON.stringify(claims.map((claim, position) => ({ ...claim, position }))), Date.now()],
  })
