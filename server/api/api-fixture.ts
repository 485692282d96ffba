/** Opens the API over a real store and rooms that only write, for tests. */
import * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { accessRequest, silentLogger, openAccessFixture, ORIGIN } from '../access/access-fixture.ts'
import { type Environment, readConfig } from '../config.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { docOfUpdates } from '../fixtures/doc-of-updates.ts'
import type { DocumentStore } from '../store/store.ts'
import { type ApiBindings, createApi } from './create-api.ts'
import { createTitleWriter } from './document-rows.ts'
import { createFigureSource } from '../lab/figure-source.ts'
import { createLab } from '../lab/lab.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import { DocumentMerger } from '../store/document-merger.ts'
import { createVersions } from '../versions/create-versions.ts'
import { createWelcomeDocuments } from './welcome-document.ts'

export interface ApiCallOptions {
  cookie?: string | undefined
  token?: string
  origin?: string | null
  body?: unknown
  /** The body as text, in place of JSON. */
  rawBody?: string
  contentType?: string
  /** True for the TLS listener. */
  secure?: boolean
  acceptEncoding?: string
  /** The remote address. */
  peer?: string
}

/** @param options `lab: null` means LAB=off; `environment` sets the limits. */
export async function openApiFixture(
  options: { readonly lab?: null; readonly environment?: Environment } = {},
) {
  const { environment = {} } = options
  const fixture = await openAccessFixture({ environment })
  const { access, db, store } = fixture
  const evictions: { document: string; reason: CloseReason }[] = []
  const writeRowTitle = createTitleWriter(db)
  let roomError: Error | null = null
  let roomsHold: PromiseWithResolvers<void> | undefined

  const rooms: Pick<Rooms, 'edit' | 'evict'> = {
    async edit(document, part, principal, change) {
      await roomsHold?.promise
      if (roomError) throw roomError
      const doc = await loadBodyDoc(store, document)
      const before = Y.encodeStateVector(doc)
      doc.transact(() => change(doc))
      const update = Y.encodeStateAsUpdate(doc, before)
      const clients = [doc.clientID]
      await store.append([
        { document, part, update, principal: principal.id, session: '', number: 0, clients },
      ])
      await writeRowTitle(document, doc.getText('title').toJSON())
    },
    evict: (document, reason) => evictions.push({ document, reason }),
  }

  const welcome = createWelcomeDocuments({ db, rooms, log: silentLogger })
  const networkAddressesFor = (usedOrigin: string) => [usedOrigin.replace('localhost', 'elsewhere.example')]
  const merger = new DocumentMerger()
  const versions = createVersions({ db, store, log: silentLogger, merger })
  const metricsSource = {
    counts: new ServerCounts(),
    sessions: () => 0,
    links: () => new Map(),
    waitingCount: () => 0,
  }
  const lab = options.lab === null ? null : createLab(createFigureSource(metricsSource))
  const { deletedKeptDays } = readConfig(environment)
  const api = createApi({
    access,
    db,
    store,
    merger,
    rooms,
    welcome,
    versions,
    deletedKeptDays,
    lab,
    log: silentLogger,
    networkAddressesFor,
  })

  async function call(
    method: string,
    path: string,
    {
      cookie,
      token,
      origin,
      body,
      rawBody,
      contentType,
      secure = false,
      acceptEncoding,
      peer,
    }: ApiCallOptions = {},
  ) {
    const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
    const ownOrigin = secure ? ORIGIN.replace('http:', 'https:') : ORIGIN
    const headers = {
      ...(origin !== null && { origin: origin ?? ownOrigin }),
      ...(cookie !== undefined && { cookie }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
      ...(text !== undefined && { 'content-type': contentType ?? 'application/json' }),
    }
    const request = new Request(`${ownOrigin}${path}`, { method, headers, body: text ?? null })
    const bindings: ApiBindings = {
      accessRequest: accessRequest({ method, secure, ...(peer !== undefined && { peer }), ...headers }),
    }
    const response = await api.fetch(request, bindings)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const responseText = new TextDecoder().decode(bytes)
    const { status, headers: responseHeaders } = response
    return {
      status,
      headers: responseHeaders,
      bytes,
      text: responseText,
      json: parseJson(responseText, responseHeaders),
    }
  }

  return {
    ...fixture,
    rooms,
    welcome,
    evicted: evictions,
    call,
    loadDocument: (document: string) => loadBodyDoc(store, document),
    failRoomsWith(error: Error | null) {
      roomError = error
    },
    holdRooms() {
      roomsHold = Promise.withResolvers<void>()
      return () => roomsHold?.resolve()
    },
    async [Symbol.asyncDispose]() {
      await welcome.whenIdle()
      await versions.close()
      await fixture[Symbol.asyncDispose]()
    },
  }
}

export type ApiFixture = Awaited<ReturnType<typeof openApiFixture>>

const loadBodyDoc = async (store: DocumentStore, document: string): Promise<Y.Doc> =>
  docOfUpdates((await store.load(document, 'body')).updates)

/** The type is loose on purpose: the tests state what they expect. */
function parseJson(text: string, headers: Headers): Record<string, never> {
  return text === '' || headers.get('content-type') === 'application/octet-stream'
    ? {}
    : (JSON.parse(text) as Record<string, never>)
}
