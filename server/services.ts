/** Composes the services behind the listener: store, access, rooms, sessions, gateways, API. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { realClock } from '../lib/session/clock.ts'
import { strings } from '../lib/strings/server-refusals.ts'
import { createAccessRateLimits } from './access/access-rate-limits.ts'
import { createAccess } from './access/create-access.ts'
import { networkAddressesFor, serverNamesOf } from './server-addresses.ts'
import { createApi } from './api/create-api.ts'
import { createTitleWriter } from './api/document-rows.ts'
import { createWelcomeDocuments } from './api/welcome-document.ts'
import { type Config, SettingError } from './config.ts'
import type { DrainStep } from './drain.ts'
import { EXIT } from './exit-codes.ts'
import type { FetchApp } from './fetch-adapter.ts'
import { createAdmission } from './gateways/admission.ts'
import type { RequestHandler } from './gateways/gateway.ts'
import { createTransportGateways } from './gateways/transport-gateways.ts'
import { createStockGateway } from './gateways/y-websocket.ts'
import type { GuestIssuer } from './guest-issuer.ts'
import { createFigureSource } from './lab/figure-source.ts'
import { createLabResponder, createLab } from './lab/lab.ts'
import { ServerCounts } from './metrics/server-counts.ts'
import { createMetricsHandler } from './metrics/metrics-handler.ts'
import { RateLimits } from './rate-limit.ts'
import { createRetention } from './retention/retention.ts'
import { createRooms } from './rooms/create-rooms.ts'
import { createSessions } from './sessions/create-sessions.ts'
import { BufferBudget } from './sessions/buffer-budget.ts'
import { PrincipalCount } from './sessions/principal-count.ts'
import { DocumentMerger } from './store/document-merger.ts'
import type { Store, StoreKind } from './store/document-store.ts'
import { openSqliteStore } from './store/sqlite.ts'
import { createVersions } from './versions/create-versions.ts'
import { saveRecoveredVersion } from './versions/save-recovered-version.ts'

export interface ServerServices {
  readonly requestHandlers: readonly RequestHandler[]
  readonly api: FetchApp
  readonly issueGuest: GuestIssuer
  readonly storeKind: StoreKind
  /** Rejects while the store cannot write. */
  checkStore(): Promise<void>
  /** Take no new sessions, have everything acknowledged, and end the links, while the listener still answers. */
  readonly drainSteps: readonly DrainStep[]
  /** Run when no request can arrive any more. */
  readonly closeSteps: readonly DrainStep[]
}

/** Times that tests shorten. */
export interface ServiceTimeouts {
  /** How long a stock client's edits wait for its answers. */
  readonly stockAnswerTimeoutMs?: number
}

export async function openServices(
  config: Config,
  log: Logger,
  { stockAnswerTimeoutMs }: ServiceTimeouts = {},
): Promise<ServerServices> {
  const { dataDir, publicUrl, allowedOrigins } = config
  const store = await openStore(config, log)
  const { db, documents } = store
  const origins = publicUrl ? [publicUrl, ...allowedOrigins] : allowedOrigins
  const rateLimits = createAccessRateLimits(config)
  const hosts = serverNamesOf(config)
  const access = await createAccess({ db, log, dataDir, rateLimits, allowedOrigins: origins, hosts })
  const counts = new ServerCounts()
  const merger = new DocumentMerger()
  const versions = createVersions({ db, store: documents, log, merger })
  await versions.resume()
  const rooms = createRooms({
    store: documents,
    access,
    profiles: access.profiles,
    log,
    counts,
    merger,
    guessLimits: new RateLimits(config.limitGuesses, realClock),
    onTitle: createTitleWriter(db),
    versions,
    restoredAt: store.restoredAt,
    compactAfterEdits: config.compactAfterEdits,
    onRecovered: (document) => void saveRecoveredVersion(versions, document, log),
  })
  const figures = createFigureSource({
    counts,
    sessions: () => sessions.count,
    links: () => sessions.countLinks(),
    waitingCount: () => lab.waitingCount,
  })
  const lab = createLab(figures)
  const bufferBudget = new BufferBudget()
  const connections = new PrincipalCount()
  const sessions = createSessions({
    rooms,
    bufferBudget,
    connections,
    log,
    counts,
    respond: createLabResponder(config.lab ? lab : null),
    offers: config.transports,
    keepMs: config.sessionKeepSeconds * 1000,
    maxSessionsPerPerson: config.limitSessionsOfPerson,
  })
  const welcomeDocuments = createWelcomeDocuments({ db, rooms, log })
  const onDocumentDeleted = (document: string): void => {
    access.notifyChanged(document)
    rooms.evict(document, { code: 'forbidden', detail: strings.room.deleted })
  }
  const retention = createRetention({ db, log, config, onDocumentDeleted })
  retention.start()
  const api = createApi({
    access,
    db,
    store: documents,
    merger,
    rooms,
    welcome: welcomeDocuments,
    versions,
    deletedKeptDays: config.deletedKeptDays,
    lab: config.lab ? lab : null,
    log,
    networkAddressesFor: (usedOrigin) => networkAddressesFor(config, usedOrigin),
  })
  const gateways = [
    ...createTransportGateways({ access, sessions }, { offeredTransports: config.transports }),
    createStockGateway({
      access,
      rooms,
      bufferBudget,
      connections,
      ...(stockAnswerTimeoutMs && { answerTimeoutMs: stockAnswerTimeoutMs }),
    }),
  ]
  const metricsHandler = createMetricsHandler(
    {
      counts,
      storeKind: store.kind,
      sessions: () => sessions.count,
      links: () => sessions.countLinks(),
    },
    config.metrics,
    log,
  )
  return {
    requestHandlers: [createAdmission(gateways, { access, sessions, rateLimits, log }), metricsHandler],
    api: (request, accessRequest) => api.fetch(request, { accessRequest }),
    issueGuest: (request) => access.issueOrRenewGuest(request),
    storeKind: store.kind,
    checkStore: () => documents.check(),
    drainSteps: [
      { name: 'sessions', limitMs: 4000, run: () => sessions.drain() },
      { name: 'gateways', limitMs: 500, run: () => gateways.forEach((gateway) => gateway.close?.()) },
    ],
    closeSteps: [
      { name: 'retention', limitMs: 500, run: () => retention.close() },
      { name: 'welcome documents', limitMs: 500, run: () => welcomeDocuments.whenIdle() },
      { name: 'rooms', limitMs: 1000, run: () => rooms.close() },
      { name: 'versions', limitMs: 1000, run: () => versions.close() },
      { name: 'store', limitMs: 1000, run: () => store.close() },
    ],
  }
}

async function openStore({ dataDir, databaseUrl }: Config, log: Logger): Promise<Store> {
  if (databaseUrl === null)
    return openSqliteStore({ file: join(dataDir, 'diptych.sqlite'), log, onGiveUp: exitWithoutStore })
  // pg takes a while to load; a server on SQLite does without it.
  const { openPostgresStore, DatabaseInUse } = await import('./store/postgres.ts')
  try {
    return await openPostgresStore({ url: databaseUrl, dataDir, log, onGiveUp: exitWithoutStore })
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error
    const problem =
      'where another server keeps its documents: stop that one, or give this one a database of its own.'
    throw new SettingError('DATABASE_URL', error.database, problem, error)
  }
}

/** The store cannot be written or reopened: whoever started the program may restart it. */
function exitWithoutStore({ message, cause }: Error): never {
  process.stderr.write(`Diptych ends: its database could not be kept open. ${message}: ${String(cause)}\n`)
  process.exit(EXIT.store)
}
