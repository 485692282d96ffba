/** Composes the services behind the listener: store, access, rooms, sessions, gateways, API. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { realClock } from '../lib/session/clock.ts'
import { serverRefusalsStrings } from '../lib/strings/server-refusals.ts'
import { createAccessRateLimits, type LimitSharing } from './access/access-rate-limits.ts'
import type { AccessRequest, GuestIssuer } from './access/access.ts'
import { createAccess } from './access/create-access.ts'
import { readInstallationSecret, secretError } from './access/installation-secret.ts'
import { checkSharedSecret, OtherSecret } from './access/shared-secret.ts'
import { networkAddressesFor, serverNamesOf } from './server-addresses.ts'
import { openAdmin } from './admin/admin.ts'
import { createApi } from './api/create-api.ts'
import { createTitleWriter } from './api/document-rows.ts'
import { createWelcomeDocuments } from './api/welcome-document.ts'
import { type Config, SettingError } from './config.ts'
import type { DrainStep } from './drain.ts'
import { EXIT } from './exit-codes.ts'
import type { FetchApp } from './fetch-adapter.ts'
import { createAdmission } from './gateways/admission.ts'
import { Files } from './files/files.ts'
import { openFileStorage } from './files/open-storage.ts'
import { checkSharedStorage, OtherStorage } from './files/shared-storage.ts'
import type { RequestHandler } from './gateways/gateway.ts'
import { StockTickets } from './gateways/stock-tickets.ts'
import { createTransportGateways } from './gateways/transport-gateways.ts'
import { createStockGateway } from './gateways/y-websocket.ts'
import { createFigureSource } from './lab/figure-source.ts'
import { createLabResponder, createLab } from './lab/lab.ts'
import { Meter } from './metering/meter.ts'
import { createPageMeter } from './metering/page-meter.ts'
import { createMeasuredStore } from './metrics/measured-store.ts'
import { ServerCounts } from './metrics/server-counts.ts'
import { createMetricsHandler } from './metrics/metrics-handler.ts'
import type { MetricsSource } from './metrics/metrics-registry.ts'
import { shareAccessEvents } from './nodes/access-events.ts'
import { createForwarding } from './nodes/create-forwarding.ts'
import type { ForwardReader } from './nodes/forward-reader.ts'
import { createNodeLinkHandler } from './nodes/node-link-handler.ts'
import { createNodeTicketHandler, createTicketRedeemer } from './nodes/node-tickets.ts'
import { openNodes } from './nodes/open-nodes.ts'
import { SharedLimits } from './nodes/shared-limits.ts'
import { createUploadForwarder, type ForwardUpload } from './nodes/upload-forwarder.ts'
import { RateLimits } from './rate-limit.ts'
import { withRequestId } from './request-log.ts'
import { createRetention } from './retention/retention.ts'
import { ClientIdBudget } from './rooms/client-id-budget.ts'
import { RECOVERY_MS } from './rooms/client-owners.ts'
import { createRooms } from './rooms/create-rooms.ts'
import { DocumentMemory } from './rooms/document-memory.ts'
import { LastingSearchIndex } from './search/lasting-search-index.ts'
import { Search, withChangesNoted } from './search/search.ts'
import { createSessions } from './sessions/create-sessions.ts'
import { BufferBudget } from './sessions/buffer-budget.ts'
import { PrincipalCount } from './sessions/principal-count.ts'
import { PrincipalSessions } from './sessions/principal-sessions.ts'
import { freeBytesOf, ServerSpace } from './storage/server-space.ts'
import { StorageQuota } from './storage/storage-quota.ts'
import { DocumentMerger } from './store/document-merger.ts'
import type { Store, StoreKind } from './store/document-store.ts'
import { openSqliteStore } from './store/sqlite.ts'
import { noTracing, type Tracing } from './tracing/tracing.ts'
import { createVersions } from './versions/create-versions.ts'
import { saveRecoveredVersion } from './versions/save-recovered-version.ts'

export interface ServerServices {
  readonly requestHandlers: readonly RequestHandler[]
  readonly api: FetchApp
  readonly issueGuest: GuestIssuer
  /** Charges a page. Returns 0, or how many milliseconds its caller has to wait. */
  takePage(request: AccessRequest): Promise<number>
  readonly readForwarded: ForwardReader
  /** Absent for a server that can only be alone. */
  readonly forwardUpload?: ForwardUpload
  readonly storeKind: StoreKind
  /** Rejects while the store cannot write. */
  checkStore(): Promise<void>
  /** This node and the others know each other, so that it can forward what is theirs. */
  readonly whenIntroduced: Promise<void>
  /** Take no new sessions, and have everything acknowledged, while the listener still answers. */
  readonly finishSteps: readonly DrainStep[]
  /** End the links, when no new connection can be made any more. */
  readonly drainSteps: readonly DrainStep[]
  /** Run when no request can arrive any more. */
  readonly closeSteps: readonly DrainStep[]
}

/** How long polls are awaited that fetch why their links end. */
const LAST_POLLS_MS = 1_500

/** Times that tests shorten. */
export interface ServiceTimeouts {
  /** How long a stock client's edits wait for its answers. */
  readonly stockAnswerTimeoutMs?: number
}

export async function openServices(
  config: Config,
  log: Logger,
  tracing: Tracing = noTracing,
  { stockAnswerTimeoutMs }: ServiceTimeouts = {},
): Promise<ServerServices> {
  const { dataDir, secretFile, publicUrl, allowedOrigins } = config
  const store = await openStore(config, log)
  logRestore(store, log)
  const { secret, nodeServices } = await closeOnFailure(store, async () => {
    const secret = await readInstallationSecret(dataDir, secretFile)
    if (store.kind === 'postgres') await refuseOtherSecret(config, store, secret)
    await refuseOtherStorage(config, store, log)
    return { secret, nodeServices: await openNodes(config, secret, log) }
  })
  const { nodes } = nodeServices
  /** Undefined for a server that can only be alone. */
  const fanout = store.kind === 'postgres' ? nodeServices.fanout : undefined
  const { db } = store
  const origins = publicUrl ? [publicUrl, ...allowedOrigins] : allowedOrigins
  const connections = new PrincipalCount()
  const principalSessions = new PrincipalSessions(config.limitSessionsOfPerson)
  const sharedLimits = fanout && new SharedLimits(fanout, nodes)
  sharedLimits?.shareCount('', connections)
  sharedLimits?.shareCount('sessions', principalSessions.all)
  sharedLimits?.shareCount('linked sessions', principalSessions.linked)
  const share: LimitSharing = sharedLimits?.share ?? ((_name, limits) => limits)
  const rateLimits = createAccessRateLimits(config, realClock, share)
  const requestLog = withRequestId(log)
  const hosts = serverNamesOf(config)
  const access = await createAccess({
    db,
    log: requestLog,
    secret,
    rateLimits,
    allowedOrigins: origins,
    hosts,
  })
  const endAccessEvents = fanout && shareAccessEvents(fanout, access, () => rooms.recheckAllRights())
  const forwarding = createForwarding({ ...config, nodes, secret, log })
  const counts = new ServerCounts()
  const measuredStore = createMeasuredStore(store.documents, counts, tracing)
  const searchIndex = new LastingSearchIndex({
    open: (isDamaged) => store.openSearchIndex(isDamaged),
    clock: realClock,
    log,
  })
  const search = new Search({ index: searchIndex, store: measuredStore, log })
  searchIndex.onReopened = () => search.indexer.start()
  const noteChange = (document: string): void => tracing.detached(() => search.indexer.onChanged(document))
  const documents = withChangesNoted(measuredStore, noteChange)
  const meter = new Meter({ rate: config.limitWork, share, refusals: counts.meteredWork, log })
  const merger = new DocumentMerger()
  const serverSpace = new ServerSpace({
    db,
    log,
    limitBytes: config.limitStorage,
    reservedBytes: store.kind === 'sqlite' ? config.reservedDisk : null,
    readFreeBytes: () => freeBytesOf(dataDir),
  })
  await serverSpace.start()
  const storage = new StorageQuota({ db, log, personBytes: config.limitStorageOfPerson, server: serverSpace })
  const files = new Files({
    db,
    store: documents,
    storage: openFileStorage(config),
    dataDir,
    database: config.filesDir || config.s3Bucket ? store.identity : null,
    log,
    node: nodes.self,
    uploadsKeptDays: config.uploadsKeptDays,
    unusedFilesKeptDays: config.unusedFilesKeptDays,
  })
  await files.claimStorage()
  if (fanout) await files.uploads.claim()
  const versions = createVersions({ db, store: documents, log, merger, storage })
  await versions.resume()
  const rooms = createRooms({
    store: documents,
    access,
    profiles: access.profiles,
    log,
    counts,
    tracing,
    merger,
    storage,
    guessLimits: share('guesses in rooms', new RateLimits(config.limitGuesses, realClock)),
    meter,
    clientIds: new ClientIdBudget(undefined, undefined, undefined, share),
    fanout,
    nodes,
    onTitle: createTitleWriter(db),
    versions,
    restoredAt: store.restoredAt,
    compactAfterEdits: config.compactAfterEdits,
    memory: new DocumentMemory({ limitBytes: config.memoryDocuments * 1024 * 1024, counts }),
    onRecovered: (document) => void saveRecoveredVersion(versions, document, log),
  })
  const metricsSource: MetricsSource = {
    counts,
    storeKind: store.kind,
    sessions: () => sessions.countByTransport(),
    links: () => sessions.countLinks(),
    rooms: () => rooms.readFigures(),
    nodes: nodeServices.metrics,
  }
  const measured = { ...metricsSource, waitingCount: () => lab.waitingCount }
  const figures = createFigureSource(measured)
  const lab = createLab(figures)
  const bufferBudget = new BufferBudget()
  const sessions = createSessions({
    rooms,
    node: nodes.self,
    secret,
    meter,
    forwarder: forwarding.links,
    bufferBudget,
    connections,
    log,
    counts,
    tracing,
    respond: createLabResponder(config.lab ? lab : null),
    offers: config.transports,
    keepMs: config.sessionKeepSeconds * 1000,
    principalSessions,
  })
  const welcomeDocuments = createWelcomeDocuments({ db, rooms, log })
  const onDocumentDeleted = (document: string): void => {
    access.notifyChanged(document)
    rooms.evict(document, { code: 'forbidden', detail: serverRefusalsStrings.room.deleted })
  }
  const retention = createRetention({ db, log, config, onDocumentDeleted, files, search })
  retention.start()
  search.indexer.start()
  const admin = openAdmin(config, measured, store.kind, fanout ? nodes : null, serverSpace)
  const api = createApi({
    access,
    db,
    store: documents,
    merger,
    meter,
    counts,
    storage,
    files,
    fileLimits: {
      fileBytes: config.limitFile,
      importBytes: config.limitImport,
      documentBytes: config.limitFilesOfDocument,
      reservedBytes: config.reservedDisk,
    },
    nodes,
    rooms,
    welcome: welcomeDocuments,
    versions,
    search,
    deletedKeptDays: config.deletedKeptDays,
    lab: config.lab ? lab : null,
    admin,
    log: requestLog,
    networkAddressesFor: (usedOrigin) => networkAddressesFor(config, usedOrigin),
  })
  const stockTickets = new StockTickets(nodes.self)
  const gateways = [
    ...createTransportGateways(
      { access, sessions, node: nodes.self, forwarder: forwarding.requests },
      { offeredTransports: config.transports },
    ),
    createStockGateway({
      access,
      rooms,
      bufferBudget,
      meter,
      counts,
      connections,
      tickets: stockTickets,
      redeemElsewhere: createTicketRedeemer(forwarding),
      ...(stockAnswerTimeoutMs && { answerTimeoutMs: stockAnswerTimeoutMs }),
    }),
  ]
  const nodeLinkHandler = createNodeLinkHandler(sessions)
  const metricsHandler = createMetricsHandler(metricsSource, config.metrics, requestLog)
  return {
    requestHandlers: [
      createAdmission(gateways, { access, sessions, rateLimits, log: requestLog, counts }),
      nodeLinkHandler,
      createNodeTicketHandler(stockTickets, forwarding.proof),
      metricsHandler,
    ],
    readForwarded: forwarding.readForwarded,
    ...(fanout && { forwardUpload: createUploadForwarder(db, forwarding.requests) }),
    api: (request, accessRequest, body) => api.fetch(request, { accessRequest, ...(body && { body }) }),
    issueGuest: (request) => access.issueOrRenewGuest(request),
    takePage: createPageMeter({ access, meter }),
    storeKind: store.kind,
    checkStore: () => documents.check(),
    whenIntroduced: nodeServices.whenIntroduced,
    finishSteps: [{ name: 'sessions', limitMs: 4000, run: () => sessions.finish() }],
    drainSteps: [
      { name: 'links', limitMs: 500, run: () => sessions.closeLinks() },
      {
        name: 'last polls',
        limitMs: 2 * LAST_POLLS_MS,
        async run() {
          for (const gateway of gateways) await gateway.finish?.(LAST_POLLS_MS)
        },
      },
      { name: 'gateways', limitMs: 500, run: () => gateways.forEach((gateway) => gateway.close?.()) },
      {
        name: 'forwarding',
        limitMs: 500,
        run() {
          forwarding.close()
          nodeLinkHandler.close()
        },
      },
    ],
    closeSteps: [
      { name: 'admin', limitMs: 500, run: () => admin?.close() },
      { name: 'retention', limitMs: 500, run: () => retention.close() },
      { name: 'server space', limitMs: 500, run: () => serverSpace.close() },
      { name: 'welcome documents', limitMs: 500, run: () => welcomeDocuments.whenIdle() },
      {
        name: 'rooms',
        limitMs: 1000,
        run: async () => {
          endAccessEvents?.()
          sharedLimits?.close()
          await rooms.close()
        },
      },
      {
        name: 'versions and nodes',
        limitMs: 1000,
        run: () => Promise.all([versions.close(), nodeServices.close()]).then(() => {}),
      },
      { name: 'search', limitMs: 1000, run: () => search.close() },
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
    const problem = 'which another program has for itself now, as an import does: wait until it has ended.'
    throw new SettingError('DATABASE_URL', error.database, problem, error)
  }
}

/** Says so at each start for as long as editors may bring back what others wrote (A5). */
function logRestore({ restoredAt }: Store, log: Logger): void {
  const until = (restoredAt ?? 0) + RECOVERY_MS
  if (until > Date.now())
    log.info(
      { until: new Date(until).toISOString() },
      'the store was restored; editors’ windows may bring back what it lacks',
    )
}

async function closeOnFailure<T>(store: Store, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    await store.close()
    throw error
  }
}

/** @throws {SettingError} when the other nodes of the database have another secret. */
async function refuseOtherSecret(
  { dataDir, secretFile }: Config,
  { db }: Store,
  secret: Buffer,
): Promise<void> {
  try {
    await checkSharedSecret(db, secret)
  } catch (error) {
    if (!(error instanceof OtherSecret)) throw error
    throw secretError(dataDir, secretFile, error.message, error)
  }
}

/** @throws {SettingError} when the other nodes of the database keep files elsewhere. Where no setting names the storage, the log says so. */
async function refuseOtherStorage(config: Config, { db, kind }: Store, log: Logger): Promise<void> {
  const { filesDir, s3Bucket } = config
  const named = s3Bucket || filesDir
  if (!named && kind === 'sqlite') return
  try {
    await checkSharedStorage(db, openFileStorage(config), named ? undefined : 0)
  } catch (error) {
    if (named && error instanceof OtherStorage)
      throw new SettingError(s3Bucket ? 'S3_BUCKET' : 'FILES_DIR', named, error.message, error)
    log.warn({ err: error }, 'the files of documents may be where other servers of this database have none')
  }
}

/** The store cannot be written or reopened: whoever started the program may restart it. */
function exitWithoutStore({ message, cause }: Error): never {
  process.stderr.write(`Diptych ends: its database could not be kept open. ${message}: ${String(cause)}\n`)
  process.exit(EXIT.store)
}
