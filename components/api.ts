/** The HTTP API as the pages use it. Knows paths and error codes; does not know React. */
import type { ListFilter, ListSort } from '@/lib/desk/settings.ts'

import type { ColourName } from '@/lib/protocol/palette.ts'
import { strings } from '@/lib/strings/ui.ts'

export type Role = 'viewer' | 'editor' | 'owner'

export interface DocumentEntry {
  readonly id: string
  readonly title: string
  readonly role: Role
  readonly owner: Me
  readonly createdAt: string
  readonly updatedAt: string
}

/** A document of one's own that was deleted and can be restored. */
export interface TrashedEntry {
  readonly id: string
  readonly title: string
  readonly deletedAt: string
  /** When it is deleted for good; null where that is never done by itself. */
  readonly purgedAt: string | null
}

/** A page of the list, or of the trash. */
export interface ListPage<Entry> {
  readonly documents: readonly Entry[]
  /** Asks for the next page; null behind the last. */
  readonly next: string | null
}

interface DocumentsQuery {
  /** Words of the title, upper or lower case; '' for all documents. */
  readonly search: string
  readonly filter: ListFilter
  readonly sort: ListSort
  /** Null for the first page. */
  readonly cursor: string | null
}

export interface ShareLink {
  readonly id: string
  readonly role: 'viewer' | 'editor'
  readonly createdAt: string
  /** Null where it cannot be shown again. */
  readonly url: string | null
}

export interface FreshLink {
  readonly id: string
  readonly role: 'viewer' | 'editor'
  readonly url: string
}

export interface VersionEntry {
  readonly id: string
  /** Null: it may be thinned out. */
  readonly name: string | null
  readonly createdAt: string
  readonly authors: readonly Me[]
}

export interface Me {
  readonly id: string
  readonly name: string
}

/** A person's own name and colour, and whether they were asked for them. */
export interface Profile extends Me {
  /** Null until they chose one. */
  readonly colour: ColourName | null
  /** They were asked for their name, and are not asked again. */
  readonly asked: boolean
}

export type ProfileChange = Partial<Pick<Profile, 'name'> & { readonly colour: ColourName }>

/** Somebody who wrote in a document, as they are called now. */
export type WriterEntry = Omit<Profile, 'asked'>

/** The answer to a link: what its visitor may do, and who made it. */
export interface Arrival {
  readonly role: Role
  /** Null where nobody knows them any more. */
  readonly sharedBy: Me | null
}

/** Signs in one more device of the person who made it. */
export interface DeviceTicket {
  readonly ticket: string
  readonly expiresInMs: number
  /** Where another device may find the server, the best first; none where the address in use is known to do. */
  readonly addresses: readonly string[]
}

/** An answer of the API that is an error, or none at all: then `status` is 0. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(`/api${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  }).catch(() => {
    throw new ApiError(0, strings.server.unreachable)
  })
  if (!response.ok) throw new ApiError(response.status, await messageOf(response))
  return response
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await ask(method, path, body)
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T)
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null
  return body?.error?.message ?? strings.server.answered(response.status)
}

const documentPath = (id: string) => `/documents/${encodeURIComponent(id)}`
const trashPath = (id: string) => `/trash/${encodeURIComponent(id)}`
const versionPath = (id: string, version: string) =>
  `${documentPath(id)}/versions/${encodeURIComponent(version)}`

export const api = {
  me: () => call<Profile>('GET', '/me'),
  changeMe: (change: ProfileChange) => call<Profile>('PATCH', '/me', change),
  people: async (id: string) =>
    (await call<{ people: WriterEntry[] }>('GET', `${documentPath(id)}/people`)).people,
  documents: ({ search, filter, sort, cursor }: DocumentsQuery) => {
    const asked = { filter, sort, ...(search && { query: search }), ...(cursor && { cursor }) }
    return call<ListPage<DocumentEntry>>('GET', `/documents?${new URLSearchParams(asked)}`)
  },
  document: (id: string) => call<DocumentEntry>('GET', documentPath(id)),
  create: () => call<DocumentEntry>('POST', '/documents', {}),
  rename: (id: string, title: string) => call<DocumentEntry>('PATCH', documentPath(id), { title }),
  duplicate: (id: string) => call<DocumentEntry>('POST', `${documentPath(id)}/copies`),
  moveToTrash: (id: string) => call<undefined>('DELETE', documentPath(id)),
  trash: (cursor: string | null) =>
    call<ListPage<TrashedEntry>>('GET', `/trash${cursor ? `?${new URLSearchParams({ cursor })}` : ''}`),
  restore: (id: string) => call<undefined>('POST', `${trashPath(id)}/restore`),
  deleteForGood: (id: string) => call<undefined>('DELETE', trashPath(id)),
  redeem: (id: string, token: string) => call<Arrival>('POST', `${documentPath(id)}/redeem`, { token }),
  links: async (id: string) => (await call<{ links: ShareLink[] }>('GET', `${documentPath(id)}/links`)).links,
  makeLink: (id: string, role: ShareLink['role']) =>
    call<FreshLink>('POST', `${documentPath(id)}/links`, { role }),
  revokeLink: (id: string, link: string) =>
    call<undefined>('DELETE', `${documentPath(id)}/links/${encodeURIComponent(link)}`),
  makeTicket: () => call<DeviceTicket>('POST', '/me/tickets'),
  lookAtTicket: (ticket: string) => call<Me>('POST', '/tickets/look', { ticket }),
  redeemTicket: (ticket: string) => call<Me>('POST', '/tickets/redeem', { ticket }),
  versions: async (id: string) =>
    (await call<{ versions: VersionEntry[] }>('GET', `${documentPath(id)}/versions`)).versions,
  keepVersion: (id: string, name: string | null) =>
    call<VersionEntry>('POST', `${documentPath(id)}/versions`, { name }),
  nameVersion: (id: string, version: string, name: string | null) =>
    call<undefined>('PATCH', versionPath(id, version), { name }),
  removeVersion: (id: string, version: string) => call<undefined>('DELETE', versionPath(id, version)),
  /** A Yjs update. */
  versionState: async (id: string, version: string) =>
    new Uint8Array(await (await ask('GET', `${versionPath(id, version)}/state`)).arrayBuffer()),
}
