import { type Kysely, sql } from 'kysely'

/**
 * The tables of better-auth 1.7 with its anonymous plugin, column for column as its own migration makes them, with what people choose for
 * their profile.
 */
export async function createPeopleTables(db: Kysely<unknown>): Promise<void> {
  await createUser(db)
  await createSession(db)
  await createAccount(db)
  await createVerification(db)
}

const date = sql`date`

/**
 * `welcomed`: null for a person who never opened their list; otherwise the id of their welcome document, '' for none. `colour`: null until
 * they choose one. `formerNames`: a JSON array, null for none; comments on their way may be signed with one. `asked`: 1 once they were asked
 * for their name.
 */
const createUser = (db: Kysely<unknown>) =>
  db.schema
    .createTable('user')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('emailVerified', 'integer', (column) => column.notNull())
    .addColumn('image', 'text')
    .addColumn('createdAt', date, (column) => column.notNull())
    .addColumn('updatedAt', date, (column) => column.notNull())
    .addColumn('isAnonymous', 'integer')
    .addColumn('welcomed', 'text')
    .addColumn('colour', 'text')
    .addColumn('formerNames', 'text')
    .addColumn('asked', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()

const createSession = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('session')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('expiresAt', date, (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull().unique())
    .addColumn('createdAt', date, (column) => column.notNull())
    .addColumn('updatedAt', date, (column) => column.notNull())
    .addColumn('ipAddress', 'text')
    .addColumn('userAgent', 'text')
    .addColumn('userId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('session_userId_idx').on('session').column('userId').execute()
}

const createAccount = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('account')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('accountId', 'text', (column) => column.notNull())
    .addColumn('providerId', 'text', (column) => column.notNull())
    .addColumn('userId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('accessToken', 'text')
    .addColumn('refreshToken', 'text')
    .addColumn('idToken', 'text')
    .addColumn('accessTokenExpiresAt', date)
    .addColumn('refreshTokenExpiresAt', date)
    .addColumn('scope', 'text')
    .addColumn('password', 'text')
    .addColumn('createdAt', date, (column) => column.notNull())
    .addColumn('updatedAt', date, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('account_userId_idx').on('account').column('userId').execute()
}

const createVerification = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('verification')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('expiresAt', date, (column) => column.notNull())
    .addColumn('createdAt', date, (column) => column.notNull())
    .addColumn('updatedAt', date, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('verification_identifier_idx').on('verification').column('identifier').execute()
}
