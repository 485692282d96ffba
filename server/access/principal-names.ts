/** Finds the names and chosen colours of principals who are not in the room. */
import { type Kysely, sql } from 'kysely'
import { type ColourName, isColourName } from '../../lib/protocol/palette.ts'
import type { Database } from '../store/schema.ts'
import { friendlyName } from './friendly-names.ts'

export interface NamedPrincipal {
  /** `Principal.id` */
  readonly id: string
  readonly name: string
  /** Null when never chosen. */
  readonly colour: ColourName | null
}

/** This is more than one document's comments show, or a list of them. */
const MAX_PEOPLE = 2_000

/** Selects the part of a principal's id by which the table of people knows them. */
const userIdIn = (column: string) => sql<string>`substr(${sql.ref(column)}, ${sql.lit('user:'.length + 1)})`

/** Finds the people who wrote in a document, its comments or its text. Programs that come by a share link's token name themselves. */
export async function findDocumentWriters(db: Kysely<Database>, document: string): Promise<NamedPrincipal[]> {
  const rows = await db
    .selectFrom('user')
    .select(['id', 'name', 'colour'])
    .where('id', 'in', (clients) =>
      clients
        .selectFrom('clients')
        .select(userIdIn('principal').as('user'))
        .where('document', '=', document)
        .where('principal', 'like', 'user:%'),
    )
    .limit(MAX_PEOPLE)
    .execute()
  return rows.map(toNamedPrincipal)
}

/** Finds the people who may open a document: its owner, and whoever came by a link that is still valid. */
export async function findDocumentReaders(db: Kysely<Database>, document: string): Promise<NamedPrincipal[]> {
  const rows = await db
    .selectFrom('user')
    .select(['id', 'name', 'colour'])
    .where('id', 'in', (grants) =>
      grants
        .selectFrom('grants')
        .innerJoin('links', 'links.id', 'grants.link')
        .select(userIdIn('grants.principal').as('user'))
        .where('grants.document', '=', document)
        .where('grants.principal', 'like', 'user:%')
        .where('grants.removed_at', 'is', null)
        .where('links.revoked_at', 'is', null)
        .union(
          db
            .selectFrom('documents')
            .select(userIdIn('owner').as('user'))
            .where('documents.id', '=', document),
        ),
    )
    .limit(MAX_PEOPLE)
    .execute()
  return rows.map(toNamedPrincipal)
}

const toNamedPrincipal = ({
  id,
  name,
  colour,
}: {
  readonly id: string
  readonly name: string
  readonly colour: string | null
}): NamedPrincipal => ({ id: `user:${id}`, name, colour: isColourName(colour) ? colour : null })

/** Returns names by `Principal.id`; a person that no longer exists is missing. */
export async function findPrincipalNames(
  db: Kysely<Database>,
  principals: readonly string[],
): Promise<Map<string, string>> {
  const idsOfKind = (kind: string) =>
    principals.filter((id) => id.startsWith(kind)).map((id) => id.slice(kind.length))
  const users = idsOfKind('user:')
  const rows =
    users.length === 0
      ? []
      : await db.selectFrom('user').select(['id', 'name']).where('id', 'in', users).execute()
  return new Map([
    ...rows.map(({ id, name }) => [`user:${id}`, name] as const),
    ...idsOfKind('link:').map((id) => [`link:${id}`, friendlyName(id)] as const),
  ])
}

/** Returns people with their colours by `Principal.id`; one that no longer exists is missing. */
export async function findPeople(
  db: Kysely<Database>,
  principals: readonly string[],
): Promise<Map<string, NamedPrincipal>> {
  if (principals.length === 0) return new Map()
  const users = principals.map((id) => id.slice('user:'.length))
  const rows = await db.selectFrom('user').select(['id', 'name', 'colour']).where('id', 'in', users).execute()
  return new Map(rows.map(toNamedPrincipal).map((person) => [person.id, person]))
}
