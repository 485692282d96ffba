/**
 * Has all nodes of a database use one installation secret: a cookie that one node signs is checked by the others. The database keeps no
 * secret, only what shows whether two are the same.
 */
import type { Kysely } from 'kysely'
import type { Database } from '../store/schema.ts'
import { deriveKey } from './installation-secret.ts'

const ONLY_ROW = 1

/** @throws {OtherSecret} when the nodes of this database use another one. */
export async function checkSharedSecret(db: Kysely<Database>, secret: Buffer): Promise<void> {
  const fingerprint = deriveKey(secret, 'fingerprint')
  await db
    .insertInto('installation')
    .values({ id: ONLY_ROW, secret_fingerprint: fingerprint })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const stored = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow()
  if (stored.secret_fingerprint !== fingerprint) throw new OtherSecret()
}

export class OtherSecret extends Error {
  override readonly name = 'OtherSecret'

  constructor() {
    super(
      'is not the secret of the other servers with the same DATABASE_URL: copy the file "secret" from the DATA_DIR of one of them, or ' +
        'set SECRET_FILE as they do; or, to sign everybody out and use this one, delete the row of the table "installation".',
    )
  }
}
