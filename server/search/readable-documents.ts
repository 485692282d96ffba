/**
 * Selects ids of documents: those that somebody may read, and what they placed where. Proposals are not among them: their originals are found.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Principal } from '../access/principal.ts'
import { sharedRoles } from '../access/shared-roles.ts'
import type { ListFilter } from '../api/document-list.ts'
import type { SearchDatabase } from './search-tables.ts'

export function readableDocuments(
  db: Kysely<SearchDatabase>,
  principal: Principal,
  filter: ListFilter,
): RawBuilder<string> {
  const owned = sql<string>`select id from documents where deleted_at is null and original is null and owner = ${principal.id}`
  const shared = sql<string>`
    select documents.id from (${sharedRoles(db, principal)}) as roles join documents on documents.id = roles.document
    where documents.deleted_at is null and documents.owner <> ${principal.id}`
  return { all: sql<string>`${owned} union all ${shared}`, owned, shared }[filter]
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
