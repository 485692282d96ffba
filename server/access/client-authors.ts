/** Finds who wrote the letters of a document, by the Yjs client ids that they bear. */
import type { Kysely } from 'kysely'
import { namesStrings } from '../../lib/strings/names.ts'
import type { Database } from '../store/schema.ts'
import { SERVER_OWNER } from '../store/store.ts'
import { findPrincipalNames } from './principal-names.ts'

export interface ClientAuthor {
  readonly client: number
  /** `id` is `Principal.id`, or 'server' for what the server wrote by itself: a copy, an import. */
  readonly author: { readonly id: string; readonly name: string }
  /** When the id was used first, in ms since 1970; null where nobody knows. */
  readonly since: number | null
}

/** Those of the ids under which somebody wrote in the text, in no order. What a proposal has from its original is by whom it is there. */
export async function findClientAuthors(
  db: Kysely<Database>,
  document: string,
  clients: readonly number[],
): Promise<ClientAuthor[]> {
  const original = db.selectFrom('documents').select('original').where('id', '=', document)
  const rows = await db
    .selectFrom('clients')
    .select(['client', 'principal', 'claimed_at'])
    .where(({ eb, or }) => or([eb('document', '=', document), eb('document', '=', original)]))
    .where('part', '=', 'body')
    .where('client', 'in', clients)
    .execute()
  const known = new Map<number, (typeof rows)[number]>()
  for (const row of rows)
    if (row.principal !== SERVER_OWNER || !known.has(row.client)) known.set(row.client, row)
  const names = await findPrincipalNames(db, [...new Set(rows.map(({ principal }) => principal))])
  return [...known.values()].map(({ client, principal, claimed_at }) => ({
    client,
    author: { id: principal, name: names.get(principal) ?? namesStrings.somebody },
    since: claimed_at,
  }))
}
