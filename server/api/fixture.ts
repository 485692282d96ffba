/** The API over a real store, and rooms that do no more than write, for tests. */
import * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { door, log, openFixture, ORIGIN } from '../access/fixture.ts'
import { type Environment, readConfig } from '../config.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { docOfUpdates } from '../fixtures/doc-of-updates.ts'
import type { DocumentStore } from '../store/store.ts'
import { type ApiBindings, createApi } from './api.ts'
import { projectTitle } from './documents.ts'
import { figureSource } from '../lab/figures.ts'
import { createLab } from '../lab/lab.ts'
import { Counts } from '../metrics/counts.ts'
import { DocumentMerger } from '../store/document-merger.ts'
import { createVersions } from '../versions/create-versions.ts'
import { createWelcome } from './welcome.ts'

export interface Call {
  cookie?: string | undefined
  token?: string
  origin?: string | null
  body?: unknown
  /** The body as it stands, in place of JSON. */
  raw?: string
  type?: string
  /** On the TLS listener. */
  secure?: boolean
  acceptEncoding?: string
  /** Where it comes from. */
  peer?: string
}

/** @param options `lab: null`, as LAB=off has it; `environment`: settings of limits. */
export async function openApiFixture(
  options: { readonly lab?: null; readonly environment?: Environment } = {},
) {
  const { environment = {} } = options
  const fixture = await openFixture({ environment })
  const { access, db, store } = fixture
  const evicted: { document: string; reason: CloseReason }[] = []
  const project = projectTitle(db)
  let failure: Error | null = null
  let held: PromiseWithResolvers<void> | undefined

  const rooms: Pick<Rooms, 'edit' | 'evict'> = {
    async edit(document, part, principal, change) {
      await held?.promise
      if (failure) throw failure
      const doc = await loadDoc(store, document)
      const before = Y.encodeStateVector(doc)
      doc.transact(() => change(doc))
      const update = Y.encodeStateAsUpdate(doc, before)
      const clients = [doc.clientID]
      await store.append([
        { document, part, update, principal: principal.id, session: '', number: 0, clients },
      ])
      await project(document, doc.getText('title').toJSON())
    },
    evict: (document, reason) => evicted.push({ document, reason }),
  }

  const welcome = createWelcome({ db, rooms, log })
  const addressesElsewhere = (called: string) => [called.replace('localhost', 'elsewhere.example')]
  const merging = new DocumentMerger()
  const versions = createVersions({ db, store, log, merging })
  const measured = { counts: new Counts(), sessions: () => 0, links: () => new Map(), parked: () => 0 }
  const lab = options.lab === null ? null : createLab(figureSource(measured))
  const { deletedKeptDays } = readConfig(environment)
  const api = createApi({
    access,
    db,
    store,
    merging,
    rooms,
    welcome,
    versions,
    deletedKeptDays,
    lab,
    log,
    addressesElsewhere,
  })

  async function call(
    method: string,
    path: string,
    { cookie, token, origin, body, raw, type, secure = false, acceptEncoding, peer }: Call = {},
  ) {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const own = secure ? ORIGIN.replace('http:', 'https:') : ORIGIN
    const headers = {
      ...(origin !== null && { origin: origin ?? own }),
      ...(cookie !== undefined && { cookie }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
      ...(text !== undefined && { 'content-type': type ?? 'application/json' }),
    }
    const request = new Request(`${own}${path}`, { method, headers, body: text ?? null })
    const bindings: ApiBindings = {
      door: door({ method, secure, ...(peer !== undefined && { peer }), ...headers }),
    }
    const response = await api.fetch(request, bindings)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const answered = new TextDecoder().decode(bytes)
    const { status, headers: received } = response
    return { status, headers: received, bytes, text: answered, json: parsed(answered, received) }
  }

  return {
    ...fixture,
    rooms,
    welcome,
    evicted,
    call,
    load: (document: string) => loadDoc(store, document),
    failRoomsWith(error: Error | null) {
      failure = error
    },
    holdRooms() {
      held = Promise.withResolvers<void>()
      return () => held?.resolve()
    },
    async [Symbol.asyncDispose]() {
      await welcome.settled()
      await versions.close()
      await fixture[Symbol.asyncDispose]()
    },
  }
}

export type ApiFixture = Awaited<ReturnType<typeof openApiFixture>>

const loadDoc = async (store: DocumentStore, document: string): Promise<Y.Doc> =>
  docOfUpdates((await store.load(document, 'body')).updates)

/** Loosely typed on purpose: the tests say what they expect to find. */
function parsed(text: string, headers: Headers): Record<string, never> {
  return text === '' || headers.get('content-type') === 'application/octet-stream'
    ? {}
    : (JSON.parse(text) as Record<string, never>)
}
