/** What principals are called, for those who are not here to ask. */
import type { Kysely } from 'kysely'
import type { Database } from '../store/schema.ts'
import { friendlyName } from './names.ts'

/** By `Principal.id`. Somebody who is not known any more is missing. */
export async function namesOf(
  db: Kysely<Database>,
  principals: readonly string[],
): Promise<Map<string, string>> {
  const of = (kind: string) =>
    principals.filter((id) => id.startsWith(kind)).map((id) => id.slice(kind.length))
  const users = of('user:')
  const rows =
    users.length === 0
      ? []
      : await db.selectFrom('user').select(['id', 'name']).where('id', 'in', users).execute()
  return new Map([
    ...rows.map(({ id, name }) => [`user:${id}`, name] as const),
    ...of('link:').map((id) => [`link:${id}`, friendlyName(id)] as const),
  ])
}
