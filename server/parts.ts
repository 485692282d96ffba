/** Puts together what answers behind the listener: store, access, rooms, sessions, gateways, API. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { realClock } from '../lib/session/clock.ts'
import { strings } from '../lib/strings/server-refusals.ts'
import { createArrivals } from './access/arrivals.ts'
import { createAccess } from './access/create-access.ts'
import { addressesElsewhere, namesOf } from './addresses.ts'
import { createApi } from './api/api.ts'
import { projectTitle } from './api/documents.ts'
import { createWelcome } from './api/welcome.ts'
import type { Config } from './config.ts'
import type { DrainStep } from './drain.ts'
import { EXIT } from './exit-codes.ts'
import type { FetchApp } from './fetch-adapter.ts'
import type { Gateway } from './gateways/gateway.ts'
import { linkLimit } from './gateways/link-limit.ts'
import { opensLink, transportGateways } from './gateways/registry.ts'
import { opensStockLink, yWebsocketGateway } from './gateways/y-websocket.ts'
import type { Greet } from './greeter.ts'
import { figureSource } from './lab/figures.ts'
import { answersOf, createLab } from './lab/lab.ts'
import { Counts } from './metrics/counts.ts'
import { metricsDoor } from './metrics/door.ts'
import { RateLimits } from './rate-limit.ts'
import { createRetention } from './retention/retention.ts'
import { createRooms } from './rooms/create-rooms.ts'
import { createSessions } from './sessions/create-sessions.ts'
import { Debts } from './sessions/debts.ts'
import { PrincipalCount } from './sessions/principal-count.ts'
import { Merging } from './store/merging.ts'
import { openSqliteStore } from './store/sqlite.ts'
import { createVersions } from './versions/create-versions.ts'
import { keepRecovered } from './versions/recovered.ts'

export interface Parts {
  readonly gateways: readonly Gateway[]
  readonly api: FetchApp
  readonly greet: Greet
  /** Rejects while the store cannot write. */
  checkStore(): Promise<void>
  /** Takes no new sessions, has everything acknowledged, ends the links. While the listener still answers. */
  readonly finish: readonly DrainStep[]
  /** Once nothing can ask any more. */
  readonly close: readonly DrainStep[]
}

/** What tests shorten. */
export interface Waits {
  /** How long a stock client's edits wait for its answers. */
  readonly stockAnswerMs?: number
}

export async function openParts(config: Config, log: Logger, { stockAnswerMs }: Waits = {}): Promise<Parts> {
  const { dataDir, publicUrl, allowedOrigins } = config
  const file = join(dataDir, 'diptych.sqlite')
  const store = await openSqliteStore({ file, log, onGivenUp: endWithoutStore })
  const { db, documents } = store
  const origins = publicUrl ? [publicUrl, ...allowedOrigins] : allowedOrigins
  const arrivals = createArrivals(config)
  const hosts = namesOf(config)
  const access = await createAccess({ db, log, dataDir, arrivals, allowedOrigins: origins, hosts })
  const counts = new Counts()
  const merging = new Merging()
  const versions = createVersions({ db, store: documents, log, merging })
  await versions.resume()
  const rooms = createRooms({
    store: documents,
    access,
    profiles: access.profiles,
    log,
    counts,
    merging,
    guesses: new RateLimits(config.limitGuesses, realClock),
    onTitle: projectTitle(db),
    versions,
    restoredAt: store.restoredAt,
    onRecovered: (document) => void keepRecovered(versions, document, log),
  })
  const figures = figureSource({
    counts,
    sessions: () => sessions.count,
    links: () => sessions.links(),
    parked: () => lab.parked,
  })
  const lab = createLab(figures)
  const debts = new Debts()
  const connections = new PrincipalCount()
  const sessions = createSessions({
    rooms,
    debts,
    connections,
    log,
    counts,
    answering: answersOf(config.lab ? lab : null),
    offers: config.transports,
    keepMs: config.sessionKeepSeconds * 1000,
    maxOfPerson: config.limitSessionsOfPerson,
  })
  const welcome = createWelcome({ db, rooms, log })
  const onDeleted = (document: string): void => {
    access.changed(document)
    rooms.evict(document, { code: 'forbidden', detail: strings.room.deleted })
  }
  const retention = createRetention({ db, log, config, onDeleted })
  retention.start()
  const api = createApi({
    access,
    db,
    store: documents,
    merging,
    rooms,
    welcome,
    versions,
    deletedKeptDays: config.deletedKeptDays,
    lab: config.lab ? lab : null,
    log,
    addressesElsewhere: (called) => addressesElsewhere(config, called),
  })
  const gateways = [
    linkLimit(arrivals, (path) => opensLink(path) || opensStockLink(path)),
    ...transportGateways({ access, sessions, log }, { offers: config.transports }),
    yWebsocketGateway({
      access,
      rooms,
      sessions,
      debts,
      connections,
      log,
      ...(stockAnswerMs && { answerMs: stockAnswerMs }),
    }),
    metricsDoor(
      { counts, sessions: () => sessions.count, links: () => sessions.links() },
      config.metrics,
      log,
    ),
  ]
  return {
    gateways,
    api: (request, door) => api.fetch(request, { door }),
    greet: (request) => access.guest(request),
    checkStore: () => documents.check(),
    finish: [
      { name: 'sessions', limitMs: 4000, run: () => sessions.drain() },
      { name: 'gateways', limitMs: 500, run: () => gateways.forEach((gateway) => gateway.close()) },
    ],
    close: [
      { name: 'retention', limitMs: 500, run: () => retention.close() },
      { name: 'welcome documents', limitMs: 500, run: () => welcome.settled() },
      { name: 'rooms', limitMs: 1000, run: () => rooms.close() },
      { name: 'versions', limitMs: 1000, run: () => versions.close() },
      { name: 'store', limitMs: 1000, run: () => store.close() },
    ],
  }
}

/** The store can neither be written nor be had again: whoever started the program may start it anew. */
function endWithoutStore({ message, cause }: Error): never {
  process.stderr.write(`Diptych ends: its database could not be kept open. ${message}: ${String(cause)}\n`)
  process.exit(EXIT.store)
}
