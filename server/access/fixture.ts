/** Access over a real store in a folder of its own, for tests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import { type DoorRequest, isRefusal } from './access.ts'
import { createAccess } from './create-access.ts'
import type { Principal } from './principal.ts'

export const ORIGIN = 'http://localhost:3000'

export const log = pino({ level: 'silent' })

export async function openFixture(options: { hosts?: string[] } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'diptych-access-'))
  const file = join(dataDir, 'diptych.db')
  const store = await openSqliteStore({ file })
  const access = await createAccess({
    db: store.db,
    log,
    dataDir,
    allowedOrigins: ['https://docs.example.com'],
    ...options,
  })

  /** A person with a cookie, as the first page makes one. */
  async function person(secure = false): Promise<{ principal: Principal; cookie: string }> {
    const guest = await access.guest(door({ secure }))
    if (!guest) throw new Error('no guest was made')
    return { principal: guest.principal, cookie: guest.cookie }
  }

  async function document(owner: Principal): Promise<string> {
    const id = newDocumentId()
    const now = Date.now()
    await store.db
      .insertInto('documents')
      .values({ id, owner: owner.id, created_at: now, updated_at: now })
      .execute()
    return id
  }

  /** A link's token as a program brings it. */
  async function linkPrincipal(token: string): Promise<Principal> {
    const answer = await access.admit(door({ authorization: `Bearer ${token}` }))
    if (isRefusal(answer)) throw new Error(answer.message)
    return answer
  }

  return {
    access,
    db: store.db,
    store: store.documents,
    dataDir,
    file,
    person,
    document,
    linkPrincipal,
    async [Symbol.asyncDispose]() {
      await store.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

export type Fixture = Awaited<ReturnType<typeof openFixture>>

export function door(headers: {
  method?: string
  secure?: boolean
  [header: string]: string | boolean | undefined
}): DoorRequest {
  const { method = 'POST', secure = false, ...rest } = headers
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  return { method, secure, headers: { host: 'localhost:3000', ...Object.fromEntries(given) } }
}
