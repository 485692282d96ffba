/** What every route of the API shares: how its body, its errors and its parts are declared, and who is let in. */
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { strings } from '../../lib/strings/api.ts'
import { type DoorRequest, isRefusal, type Refusal } from '../access/access.ts'
import type { AccessWithGuests } from '../access/create-access.ts'
import { may, type Principal, type Right, type Role } from '../access/principal.ts'
import type { Lab } from '../lab/lab.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { Database } from '../store/schema.ts'
import type { DocumentMerger } from '../store/document-merger.ts'
import type { DocumentStore } from '../store/store.ts'
import type { Versions } from '../versions/versions.ts'
import { ApiError, notFound } from './errors.ts'
import { errorBody } from './schemas.ts'
import type { Welcome } from './welcome.ts'

/** What the listener gives to `api.fetch(request, bindings)`: the request as the doors of access see it. */
export interface ApiBindings {
  readonly door: DoorRequest
}

export interface ApiParts {
  readonly access: AccessWithGuests
  readonly db: Kysely<Database>
  readonly store: Pick<DocumentStore, 'load' | 'append' | 'compact'>
  readonly merging: DocumentMerger
  readonly rooms: Pick<Rooms, 'edit' | 'evict'>
  readonly welcome: Pick<Welcome, 'greetOnce'>
  readonly versions: Pick<Versions, 'list' | 'state' | 'create' | 'rename' | 'remove' | 'forget'>
  /** How long a document stays in the trash; null for good. */
  readonly deletedKeptDays: number | null
  /** Null where the lab is off. */
  readonly lab: Pick<Lab, 'figure'> | null
  readonly log: Logger
  /** Where another device finds this server; none where `called`, an origin, does. */
  addressesElsewhere(called: string): readonly string[]
}

export interface ApiEnv {
  Bindings: ApiBindings
  Variables: { principal: Principal }
}

export type Api = OpenAPIHono<ApiEnv>

export const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } })

export const answer = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  content: json(schema),
  description,
})

export const failure = { default: answer(errorBody, 'What went wrong.') }

export const refused = ({ code, message, retryAfterS }: Refusal) => new ApiError(code, message, retryAfterS)

/** A1 and a valid cookie or token, before anything of the request is read. */
export const admitted = (access: AccessWithGuests) =>
  createMiddleware<ApiEnv>(async (context, next) => {
    const who = await access.admit(context.env.door, { safe: true })
    if (isRefusal(who)) throw refused(who)
    context.set('principal', who)
    await next()
  })

/**
 * Looks up what only somebody who knows a secret can name. An answer of null counts as a wrong guess; after many of them nothing is
 * looked up.
 */
export async function guess<Found>(
  { arrivals }: AccessWithGuests,
  { env }: Context<ApiEnv>,
  by: Principal | undefined,
  look: () => Promise<Found | null>,
): Promise<Found | null> {
  const refusal = arrivals.mayGuess(env.door, by)
  if (refusal) throw refused(refusal)
  const found = await look()
  if (found === null) arrivals.guessed(env.door, by)
  return found
}

/** The role, where it carries the right. Who has no role at all is not told whether there is such a document. */
export async function roleWith(
  access: AccessWithGuests,
  context: Context<ApiEnv>,
  document: string,
  right: Right,
): Promise<Role> {
  const principal = context.get('principal')
  const role = await guess(access, context, principal, () => access.roleOf(principal, document))
  if (role === null) throw notFound()
  const { readOnly, ownerOnly } = strings.document
  if (!may(role, right)) throw new ApiError('forbidden', right === 'write' ? readOnly : ownerOnly)
  return role
}
