/**
 * Selects ids of documents: those that somebody may read by their own access, as `findRole` and the list of documents do, and what they
 * placed where. Proposals are not among them: their originals are found.
 */
import { type RawBuilder, sql } from 'kysely'
import { digestSecret } from '../access/digest-secret.ts'
import type { Principal } from '../access/principal.ts'
import type { ListFilter } from '../api/document-list.ts'

export type ReadableFilter = ListFilter

export function readableDocuments({ id, token }: Principal, filter: ReadableFilter): RawBuilder<string> {
  const owned = sql<string>`select id from documents where deleted_at is null and original is null and owner = ${id}`
  const granted = sql<string>`
    select documents.id from grants join links on links.id = grants.link join documents on documents.id = grants.document
    where grants.principal = ${id} and grants.removed_at is null and links.revoked_at is null
      and documents.deleted_at is null and documents.owner <> ${id}`
  const linked = sql<string>`
    select documents.id from links join documents on documents.id = links.document
    where links.token_hash = ${digestSecret(token ?? '')} and links.revoked_at is null and links.closed_at is null
      and documents.deleted_at is null and documents.owner <> ${id}
      and not exists (select 1 from grants where grants.document = links.document and grants.link = links.id
        and grants.principal = ${id} and grants.removed_at is not null)`
  const shared = token === undefined ? [granted] : [granted, linked]
  const wanted = { all: [owned, ...shared], owned: [owned], shared }[filter]
  return sql<string>`${sql.join(wanted, sql` union all `)}`
}

/** What a person has placed in a folder of theirs, or in one within it. It gives no right to read anything. */
export const documentsInFolder = ({ id }: Principal, folder: string): RawBuilder<string> => sql<string>`
  select document from placements where principal = ${id} and folder in (
    with recursive inner_folders (id) as (
      select id from folders where id = ${folder} and owner = ${id} and deleted_at is null
      union
      select folders.id from folders join inner_folders on folders.parent = inner_folders.id
      where folders.owner = ${id} and folders.deleted_at is null)
    select id from inner_folders)`

export const favouriteDocuments = ({ id }: Principal): RawBuilder<string> => sql<string>`
  select document from placements where principal = ${id} and favourite_at is not null`
