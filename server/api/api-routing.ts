/** What all routes of the API share: the declaration of bodies and errors, their dependencies, and admission. */
import { createRoute, type OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import type { Readable } from 'node:stream'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { apiStrings } from '../../lib/strings/api.ts'
import { type AccessRequest, isAccessRefusal, type AccessRefusal } from '../access/access.ts'
import type { AccessService } from '../access/create-access.ts'
import { roleAllows, type Principal, type Right, type Role } from '../access/principal.ts'
import type { Admin } from '../admin/admin.ts'
import type { Files } from '../files/files.ts'
import type { Lab } from '../lab/lab.ts'
import type { Meter, MeteredPrincipal } from '../metering/meter.ts'
import { PRICES } from '../metering/prices.ts'
import type { ServerCounts } from '../metrics/server-counts.ts'
import type { Nodes } from '../nodes/nodes.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import type { Search } from '../search/search.ts'
import type { StorageQuota } from '../storage/storage-quota.ts'
import type { Database } from '../store/schema.ts'
import type { DocumentMerger } from '../store/document-merger.ts'
import type { DocumentStore } from '../store/store.ts'
import type { Versions } from '../versions/create-versions.ts'
import { ApiError, notFoundError } from './api-errors.ts'
import type { WelcomeDocuments } from './welcome-document.ts'

const errorBodySchema = z
  .object({ error: z.object({ code: z.string(), message: z.string() }) })
  .openapi('Error')

/** What the listener gives to `api.fetch(request, bindings)`: the request as access sees it. */
export interface ApiBindings {
  readonly accessRequest: AccessRequest
  /** Where the body is a file or a piece of one, of any length, and no part of the request. */
  readonly body?: Readable
}

/** In bytes; null for no limit. */
export interface FileLimits {
  readonly fileBytes: number | null
  /** Of all files of a document. */
  readonly documentBytes: number | null
  /** Of one that becomes a document. */
  readonly importBytes: number
  /** How much of the disk stays free. */
  readonly reservedBytes: number | null
}

export interface ApiDependencies {
  readonly access: AccessService
  readonly db: Kysely<Database>
  readonly store: Pick<DocumentStore, 'load' | 'readSince' | 'append' | 'compact'>
  readonly merger: DocumentMerger
  readonly meter: Meter
  readonly storage: Pick<StorageQuota, 'usageOf' | 'store' | 'hasRoomForVersion'>
  readonly files: Pick<Files, 'storage' | 'uploads' | 'freeBytes' | 'importsFolder'>
  readonly fileLimits: FileLimits
  readonly nodes: Pick<Nodes, 'self' | 'find'>
  readonly rooms: Pick<Rooms, 'countMembers' | 'edit' | 'addText' | 'stopWriting' | 'evict'>
  readonly counts: Pick<ServerCounts, 'refusedRequests'>
  readonly welcome: Pick<WelcomeDocuments, 'ensureWelcomeDocument'>
  readonly versions: Pick<
    Versions,
    'list' | 'stateBytes' | 'state' | 'create' | 'rename' | 'remove' | 'forgetDocument' | 'onEdited'
  >
  readonly search: Pick<Search, 'find' | 'previewsOf' | 'findLinking'>
  /** How many days a document stays in the trash; null for no end. */
  readonly deletedKeptDays: number | null
  /** Null when the lab is off. */
  readonly lab: Pick<Lab, 'requestFigure'> | null
  /** Null without ADMIN_TOKEN. */
  readonly admin: Pick<Admin, 'access' | 'readFigures'> | null
  readonly log: Logger
  /** Returns the addresses by which another device finds this server; none where `usedOrigin` serves it, too. */
  networkAddressesFor(usedOrigin: string): readonly string[]
}

export interface ApiEnv {
  Bindings: ApiBindings
  Variables: { principal: Principal; meter: Meter }
}

export type Api = OpenAPIHono<ApiEnv>

export const jsonContent = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } })

export const jsonResponse = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  content: jsonContent(schema),
  description,
})

export const errorResponses = { default: jsonResponse(errorBodySchema, 'What went wrong.') }

export const apiErrorOfRefusal = ({ code, message, retryAfterS }: AccessRefusal) =>
  new ApiError(code, message, retryAfterS)

/** Requires A1 and a valid cookie or token before the body is read. */
const requireAdmission = (access: AccessService) =>
  createMiddleware<ApiEnv>(async (context, next) => {
    const admission = await access.admit(context.env.accessRequest, { safe: true })
    if (isAccessRefusal(admission)) throw apiErrorOfRefusal(admission)
    context.set('principal', admission)
    takeWork(context, PRICES.request)
    await next()
  })

/** Declares a route for whoever is admitted, and the body of its errors. */
export const createAdmittedRoute = <const Route extends RouteConfig>(access: AccessService, route: Route) =>
  createRoute({
    ...route,
    middleware: requireAdmission(access),
    responses: { ...route.responses, ...errorResponses },
  })

/** Refuses a caller who has caused too much work, and charges what the request costs at least. @throws {ApiError} with Retry-After */
export function takeWork(
  context: Context<ApiEnv>,
  units: number,
  principal: MeteredPrincipal = context.get('principal'),
): void {
  const waitMs = context.get('meter').take(principal, units, 'api')
  if (waitMs === 0) return
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
  throw new ApiError('too-many', apiStrings.tooFast.work(retryAfterS), retryAfterS)
}

/** Charges what a request costs besides, when that is known. */
export const chargeWork = (context: Context<ApiEnv>, units: number): void =>
  context.get('meter').charge(context.get('principal'), units)

/**
 * Looks up what only somebody who knows a secret can name. The result null counts as a wrong guess, and after too many of those
 * nothing is looked up.
 */
export async function lookUpSecret<Found>(
  { rateLimits }: AccessService,
  { env }: Context<ApiEnv>,
  principal: Principal | undefined,
  lookUp: () => Promise<Found | null>,
): Promise<Found | null> {
  const refusal = rateLimits.checkGuessLimit(env.accessRequest, principal)
  if (refusal) throw apiErrorOfRefusal(refusal)
  const found = await lookUp()
  if (found === null) rateLimits.countWrongGuess(env.accessRequest, principal)
  return found
}

/** Returns the caller's role when it has the right. A caller without any role does not learn whether the document exists. */
export async function requireRole(
  access: AccessService,
  context: Context<ApiEnv>,
  document: string,
  right: Right,
): Promise<Role> {
  const principal = context.get('principal')
  const role = await lookUpSecret(access, context, principal, () => access.roleOf(principal, document))
  if (role === null) throw notFoundError()
  const { readOnly, ownerOnly } = apiStrings.document
  if (!roleAllows(role, right)) throw new ApiError('forbidden', right === 'write' ? readOnly : ownerOnly)
  return role
}
