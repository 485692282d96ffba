/** Finds the names and chosen colours of principals who are not in the room. */
import { type Kysely, sql } from 'kysely'
import { type ColourName, isColourName } from '../../lib/protocol/palette.ts'
import type { Database } from '../store/schema.ts'
import { friendlyName } from './friendly-names.ts'

export interface DocumentWriter {
  /** `Principal.id` */
  readonly id: string
  readonly name: string
  /** Null when never chosen. */
  readonly colour: ColourName | null
}

/** This is more than one document's comments show. */
const MAX_WRITERS = 2_000

/** Finds the people who wrote in a document, its comments or its text. Programs that come by a share link's token name themselves. */
export async function findDocumentWriters(db: Kysely<Database>, document: string): Promise<DocumentWriter[]> {
  const rows = await db
    .selectFrom('user')
    .select(['id', 'name', 'colour'])
    .where('id', 'in', (clients) =>
      clients
        .selectFrom('clients')
        .select(sql<string>`substr(principal, ${sql.lit('user:'.length + 1)})`.as('user'))
        .where('document', '=', document)
        .where('principal', 'like', 'user:%'),
    )
    .limit(MAX_WRITERS)
    .execute()
  return rows.map(({ id, name, colour }) => ({
    id: `user:${id}`,
    name,
    colour: isColourName(colour) ? colour : null,
  }))
}

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
