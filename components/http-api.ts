/** The HTTP API as the pages use it. Knows paths and error codes; does not know React. */
import type { ListSort } from '@/lib/desk/settings.ts'

import type { ColourName } from '@/lib/protocol/palette.ts'
import type { Snippet, TextRange } from '@/lib/search/search-marks.ts'
import type { TextAmount } from '@/lib/yjs-internals/struct-store.ts'
import type { BuiltInTemplateName } from '@/lib/protocol/built-in-templates.ts'
import type { Folder } from '@/lib/protocol/folder-tree.ts'
import { uiStrings } from '@/lib/strings/ui.ts'
import { errorMessageOf } from './error-message.ts'

export type Role = 'viewer' | 'editor' | 'owner'

export interface DocumentEntry {
  readonly id: string
  readonly title: string
  readonly role: Role
  readonly owner: NamedPerson
  readonly createdAt: string
  readonly updatedAt: string
}

/** The places that this person alone has given a document. */
export interface Placement {
  /** Null for one that is in no folder. */
  readonly folder: string | null
  readonly favourite: boolean
  /** Whether its text is offered for new documents. */
  readonly template: boolean
}

export type PlacementChange = Partial<Placement> & { readonly opened?: true }

export type PlacedEntry = DocumentEntry & Placement

export type ListedEntry = PlacedEntry & {
  /** The beginning of the text; empty where the server has not read it yet. */
  readonly preview: string
}

export type FolderEntry = Folder

/** A document that is open, as the server describes it. */
export interface OpenedEntry extends PlacedEntry {
  /** Of the text of a proposal: what it is for. */
  readonly proposal?: BranchEntry
  readonly openProposals?: number
  readonly mayPropose?: boolean
  /** Who may propose changes. */
  readonly proposals?: 'editors' | 'viewers'
}

export interface BranchEntry {
  readonly original: string
  readonly originalTitle: string
  readonly state: ProposalState
  readonly isAuthor: boolean
  readonly mayDecide: boolean
}

export type ProposalState = 'open' | 'accepted' | 'rejected' | 'withdrawn'
export type ChangeDecision = 'accepted' | 'rejected'

export interface ProposalEntry {
  /** Of the document that holds the proposal's text. */
  readonly id: string
  readonly original: string
  /** '' for none. */
  readonly title: string
  readonly state: ProposalState
  readonly author: NamedPerson
  readonly createdAt: string
  /** The version of the proposal's document with which it began. */
  readonly base: string
  readonly mayDecide: boolean
  readonly mayWrite: boolean
}

export interface ProposalDetails extends ProposalEntry {
  /** By the keys of changes. */
  readonly decisions: Readonly<Record<string, DecidedChange>>
}

export interface AcceptanceRequest {
  /** Nothing is merged: its parts were accepted as edits. */
  readonly byParts: boolean
  /** How much of the proposal this window shows. */
  readonly seen: TextAmount
}

export interface DecisionsRequest {
  /** The keys of changes. */
  readonly keys: readonly string[]
  /** Null takes earlier decisions back. */
  readonly decision: ChangeDecision | null
  /** The id of whoever made the earlier decisions that these replace; one's own if missing. */
  readonly of?: string
}

export interface DecidedChange {
  readonly decision: ChangeDecision
  readonly by: NamedPerson
}

interface ProposalsPage {
  readonly proposals: readonly ProposalEntry[]
  /** The cursor of the next page; null after the last. */
  readonly next: string | null
}

/** A document whose text leads to another one. */
export type BacklinkEntry = Pick<ListedEntry, 'id' | 'title' | 'owner' | 'updatedAt' | 'preview'>

/** A document of this person that was deleted and can be restored. */
export interface TrashedEntry {
  readonly id: string
  readonly title: string
  readonly deletedAt: string
  /** When it is deleted for good; null if that never happens automatically. */
  readonly purgedAt: string | null
}

/** A page of the list or of the trash. */
export interface DocumentListPage<Entry> {
  readonly documents: readonly Entry[]
  /** The cursor of the next page; null after the last. */
  readonly next: string | null
}

/** A document that a search has found. */
export interface FoundEntry {
  readonly document: string
  readonly title: string
  readonly titleMarks: readonly TextRange[]
  readonly snippet: Snippet
  readonly owner: NamedPerson
  readonly updatedAt: string
}

interface SearchQuery {
  readonly q: string
  readonly filter: 'all' | 'owned' | 'shared' | 'favourites'
  /** Only what is in this folder, or in one within it. */
  readonly folder?: string
  readonly sort: 'best' | 'edited'
  /** A time in ISO 8601. */
  readonly editedSince?: string
  /** Null for the first page. */
  readonly cursor: string | null
}

export interface SearchResultsPage {
  readonly results: readonly FoundEntry[]
  /** The cursor of the next page; null after the last. */
  readonly next: string | null
}

interface DocumentsQuery {
  /** Words of the title, without regard to case and accents; '' for all documents. */
  readonly search: string
  readonly filter: 'all' | 'owned' | 'shared' | 'favourites' | 'templates'
  /** Only what is in this folder; '' for all. */
  readonly folder?: string
  /** `opened` has only what this person opened. */
  readonly sort: ListSort | 'opened'
  /** As many as the server thinks fit, if it is not given. */
  readonly limit?: number
  /** Null for the first page. */
  readonly cursor: string | null
}

export interface ShareLink {
  readonly id: string
  readonly role: 'viewer' | 'editor'
  readonly createdAt: string
  /** Null if it cannot be shown again. */
  readonly url: string | null
  /** False if nobody new comes by it. */
  readonly open: boolean
  /** How many have access by it. */
  readonly people: number
}

export interface PersonWithAccess extends NamedPerson {
  readonly role: 'viewer' | 'editor'
  readonly joinedAt: string
}

export interface PeoplePage {
  readonly people: readonly PersonWithAccess[]
  /** Null at the end of the list. */
  readonly next: string | null
}

export interface CreatedShareLink {
  readonly id: string
  readonly role: 'viewer' | 'editor'
  readonly url: string
}

export interface VersionEntry {
  readonly id: string
  /** Null for a version that may be thinned out. */
  readonly name: string | null
  readonly createdAt: string
  readonly authors: readonly NamedPerson[]
}

export interface VersionListing {
  /** The newest first. */
  readonly versions: readonly VersionEntry[]
  /** False while there is no space for automatic versions. */
  readonly hasRoom: boolean
}

export interface NamedPerson {
  readonly id: string
  readonly name: string
}

/** A person's own name and colour, and whether they were asked for them. */
export interface Profile extends NamedPerson {
  /** Null until they chose one. */
  readonly colour: ColourName | null
  /** True once they were asked for their name; they are not asked again. */
  readonly asked: boolean
  /** Whether their space is. Undefined in the answer to a change. */
  readonly isNearlyFull?: boolean
}

export type ProfileChange = Partial<Pick<Profile, 'name'> & { readonly colour: ColourName }>

/** How much space a person's documents take. */
export interface StorageUsage {
  readonly usedBytes: number
  /** Null for no limit. */
  readonly limitBytes: number | null
  readonly serverHasRoom: boolean
  /** People are told without asking. */
  readonly isNearlyFull: boolean
}

/** Somebody who wrote in a document, with their present name. */
/** Who wrote under a Yjs client id. */
export interface ClientAuthorEntry {
  readonly client: number
  /** The id is 'server' for what the server wrote by itself. */
  readonly author: NamedPerson
  /** Since when; null where nobody knows. */
  readonly since: string | null
}

export type DocumentWriterEntry = Omit<Profile, 'asked'>

/** What redeeming a share link returns: what its visitor may do, and who made it. */
export interface RedeemedShareLink {
  readonly role: Role
  /** Null if nobody knows them any more. */
  readonly sharedBy: NamedPerson | null
}

/** A ticket that signs in one more device of the person who made it. */
export interface DeviceTicket {
  readonly ticket: string
  readonly expiresInMs: number
  /** Where another device may find the server, the best address first; empty if the address in use is known to work. */
  readonly addresses: readonly string[]
}

/** An error response of the API. `status` is 0 if there was no response at all. */
export class ApiRequestError extends Error {
  override readonly name = 'ApiError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** In ms. A server that does not answer in this time is reported; the person, or the list itself, asks again. */
const READ_TIMEOUT_MS = 10_000
/** A change goes on at the server, so it is given longer before the person is told that it may not have been made. */
const CHANGE_TIMEOUT_MS = 30_000
/** A version has up to tens of megabytes. */
const STATE_TIMEOUT_MS = 120_000

interface RequestOptions {
  readonly body?: unknown
  /** Aborts the request when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
}

/** @returns What `read` makes of the response, which is read within the time limit, too. */
async function sendRequest<Answer>(
  method: string,
  path: string,
  { body, signal, timeoutMs = method === 'GET' ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS }: RequestOptions,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(`/api${path}`, {
      method,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    })
    if (!response.ok) throw new ApiRequestError(response.status, await errorMessageOf(response))
    if (isPage(response)) throw new ApiRequestError(0, uiStrings.server.notTheServer)
    return await read(response)
  } catch (error) {
    if (error instanceof ApiRequestError || signal?.aborted) throw error
    throw new ApiRequestError(0, timeout.aborted ? uiStrings.server.slow : uiStrings.server.unreachable)
  }
}

/** The API answers with no page: a network that wants people to sign in, or a proxy, has answered in place of the server. */
const isPage = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/html') ?? false

const requestJson = <T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> =>
  sendRequest(method, path, { body, signal }, readJson<T>)

async function readJson<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T
  const text = await response.text()
  try {
    return JSON.parse(text) as T
  } catch {
    throw new ApiRequestError(0, uiStrings.server.notTheServer)
  }
}

/** A request that reads. */
export const fetchJson = <T>(path: string, signal?: AbortSignal): Promise<T> =>
  requestJson<T>('GET', path, undefined, signal)

const documentPath = (id: string) => `/documents/${encodeURIComponent(id)}`
const folderPath = (id: string) => `/folders/${encodeURIComponent(id)}`
const trashPath = (id: string) => `/trash/${encodeURIComponent(id)}`
const proposalsPath = (id: string) => `${documentPath(id)}/proposals`
const proposalPath = (id: string, proposal: string) => `${proposalsPath(id)}/${encodeURIComponent(proposal)}`
const versionPath = (id: string, version: string) =>
  `${documentPath(id)}/versions/${encodeURIComponent(version)}`

export const api = {
  getProfile: () => requestJson<Profile>('GET', '/me'),
  changeProfile: (change: ProfileChange) => requestJson<Profile>('PATCH', '/me', change),
  listWriters: async (id: string, signal?: AbortSignal) =>
    (await fetchJson<{ people: DocumentWriterEntry[] }>(`${documentPath(id)}/people`, signal)).people,
  listClientAuthors: async (id: string, clients: readonly number[]) =>
    (
      await fetchJson<{ authors: ClientAuthorEntry[] }>(
        `${documentPath(id)}/authors?clients=${clients.join()}`,
      )
    ).authors,
  listDocuments: ({ search, filter, folder, sort, limit, cursor }: DocumentsQuery, signal?: AbortSignal) => {
    const parameters = {
      filter,
      sort,
      ...(search && { query: search }),
      ...(folder && { folder }),
      ...(limit && { limit: String(limit) }),
      ...(cursor && { cursor }),
    }
    return fetchJson<DocumentListPage<ListedEntry>>(`/documents?${new URLSearchParams(parameters)}`, signal)
  },
  search: ({ cursor, ...query }: SearchQuery, signal?: AbortSignal) =>
    fetchJson<SearchResultsPage>(
      `/search?${new URLSearchParams({ ...query, ...(cursor && { cursor }) })}`,
      signal,
    ),
  /** Leaves out those that this person may not open. @param ids At most 50. */
  findDocuments: async (ids: readonly string[], signal?: AbortSignal) =>
    (await fetchJson<DocumentListPage<DocumentEntry>>(`/documents?ids=${ids.join(',')}`, signal)).documents,
  /** Who may open it. */
  listReaders: async (id: string, signal?: AbortSignal) =>
    (await fetchJson<{ people: DocumentWriterEntry[] }>(`${documentPath(id)}/readers`, signal)).people,
  getDocument: (id: string, signal?: AbortSignal) => fetchJson<OpenedEntry>(documentPath(id), signal),
  createDocument: (start: { readonly template?: BuiltInTemplateName } = {}) =>
    requestJson<DocumentEntry>('POST', '/documents', start),
  renameDocument: (id: string, title: string) =>
    requestJson<DocumentEntry>('PATCH', documentPath(id), { title }),
  /** @param title By default it says that it is a copy. */
  duplicateDocument: (id: string, title?: string) =>
    requestJson<DocumentEntry>('POST', `${documentPath(id)}/copies`, { title }),
  listBacklinks: (id: string, cursor: string | null, signal?: AbortSignal) =>
    fetchJson<DocumentListPage<BacklinkEntry>>(
      `${documentPath(id)}/backlinks${cursor ? `?${new URLSearchParams({ cursor })}` : ''}`,
      signal,
    ),
  placeDocument: (id: string, change: PlacementChange) =>
    requestJson<Placement>('PATCH', `${documentPath(id)}/placement`, change),
  listFolders: async (signal?: AbortSignal) =>
    (await fetchJson<{ folders: FolderEntry[] }>('/folders', signal)).folders,
  createFolder: (folder: Pick<FolderEntry, 'name' | 'parent'>) =>
    requestJson<FolderEntry>('POST', '/folders', folder),
  changeFolder: (id: string, change: Partial<Pick<FolderEntry, 'name' | 'parent'>>) =>
    requestJson<FolderEntry>('PATCH', folderPath(id), change),
  deleteFolder: (id: string) => requestJson<undefined>('DELETE', folderPath(id)),
  restoreFolder: (id: string) => requestJson<FolderEntry>('POST', `${folderPath(id)}/restore`),
  moveToTrash: (id: string) => requestJson<undefined>('DELETE', documentPath(id)),
  listTrash: (cursor: string | null, signal?: AbortSignal) =>
    fetchJson<DocumentListPage<TrashedEntry>>(
      `/trash${cursor ? `?${new URLSearchParams({ cursor })}` : ''}`,
      signal,
    ),
  getTrashed: (id: string) => requestJson<TrashedEntry>('GET', trashPath(id)),
  restoreDocument: (id: string) => requestJson<undefined>('POST', `${trashPath(id)}/restore`),
  deleteForGood: (id: string) => requestJson<undefined>('DELETE', trashPath(id)),
  redeemShareLink: (id: string, token: string) =>
    requestJson<RedeemedShareLink>('POST', `${documentPath(id)}/redeem`, { token }),
  listShareLinks: async (id: string, signal?: AbortSignal) =>
    (await fetchJson<{ links: ShareLink[] }>(`${documentPath(id)}/links`, signal)).links,
  findRedeemedLink: async (id: string) =>
    (await fetchJson<{ url: string | null }>(`${documentPath(id)}/redeemed-link`)).url,
  createShareLink: (id: string, role: ShareLink['role']) =>
    requestJson<CreatedShareLink>('POST', `${documentPath(id)}/links`, { role }),
  setShareLinkOpen: (id: string, link: string, open: boolean) =>
    requestJson<undefined>('PATCH', `${documentPath(id)}/links/${encodeURIComponent(link)}`, { open }),
  listPeopleWithAccess: (id: string, cursor: string | null, signal?: AbortSignal) =>
    fetchJson<PeoplePage>(
      `${documentPath(id)}/access${cursor ? `?${new URLSearchParams({ cursor })}` : ''}`,
      signal,
    ),
  removePerson: (id: string, person: string) =>
    requestJson<undefined>('DELETE', `${documentPath(id)}/access/${encodeURIComponent(person)}`),
  revokeShareLink: (id: string, link: string) =>
    requestJson<undefined>('DELETE', `${documentPath(id)}/links/${encodeURIComponent(link)}`),
  createDeviceTicket: () => requestJson<DeviceTicket>('POST', '/me/tickets'),
  findTicketOwner: (ticket: string, signal?: AbortSignal) =>
    requestJson<NamedPerson>('POST', '/tickets/look', { ticket }, signal),
  redeemDeviceTicket: (ticket: string) => requestJson<NamedPerson>('POST', '/tickets/redeem', { ticket }),
  allowProposals: (id: string, proposals: 'editors' | 'viewers') =>
    requestJson<DocumentEntry>('PATCH', documentPath(id), { proposals }),
  createProposal: (id: string, title: string) =>
    requestJson<ProposalEntry>('POST', proposalsPath(id), { title }),
  listProposals: (id: string, state: ProposalState | null, cursor: string | null, signal?: AbortSignal) =>
    fetchJson<ProposalsPage>(
      `${proposalsPath(id)}?${new URLSearchParams({ ...(state && { state }), ...(cursor && { cursor }) })}`,
      signal,
    ),
  getProposal: (id: string, proposal: string, signal?: AbortSignal) =>
    fetchJson<ProposalDetails>(proposalPath(id, proposal), signal),
  decideChanges: (id: string, proposal: string, decisions: DecisionsRequest) =>
    requestJson<{ decided: string[] }>('PATCH', `${proposalPath(id, proposal)}/decisions`, decisions),
  acceptProposal: (id: string, proposal: string, acceptance: AcceptanceRequest) =>
    requestJson<ProposalEntry>('POST', `${proposalPath(id, proposal)}/accept`, acceptance),
  changeProposal: (id: string, proposal: string, action: 'reject' | 'withdraw' | 'reopen') =>
    requestJson<ProposalEntry>('POST', `${proposalPath(id, proposal)}/${action}`),
  deleteProposal: (id: string, proposal: string) =>
    requestJson<undefined>('DELETE', proposalPath(id, proposal)),
  listVersions: (id: string, signal?: AbortSignal) =>
    fetchJson<VersionListing>(`${documentPath(id)}/versions`, signal),
  createVersion: (id: string, name: string | null) =>
    requestJson<VersionEntry>('POST', `${documentPath(id)}/versions`, { name }),
  renameVersion: (id: string, version: string, name: string | null) =>
    requestJson<undefined>('PATCH', versionPath(id, version), { name }),
  removeVersion: (id: string, version: string) => requestJson<undefined>('DELETE', versionPath(id, version)),
  /** Returns a Yjs update. */
  getVersionState: (id: string, version: string, signal?: AbortSignal) =>
    sendRequest(
      'GET',
      `${versionPath(id, version)}/state`,
      { signal, timeoutMs: STATE_TIMEOUT_MS },
      async (response) => new Uint8Array(await response.arrayBuffer()),
    ),
}
