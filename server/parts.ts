/** Puts together what answers behind the listener: store, access, rooms, sessions, gateways, API. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createAccess } from './access/create-access.ts'
import { addressesElsewhere, namesOf } from './addresses.ts'
import { createApi } from './api/api.ts'
import { projectTitle } from './api/documents.ts'
import { createWelcome } from './api/welcome.ts'
import type { Config } from './config.ts'
import type { DrainStep } from './drain.ts'
import type { FetchApp } from './fetch-adapter.ts'
import type { Gateway } from './gateways/gateway.ts'
import { transportGateways } from './gateways/registry.ts'
import { yWebsocketGateway } from './gateways/y-websocket.ts'
import type { Greet } from './greeter.ts'
import { figureSource } from './lab/figures.ts'
import { answersOf, createLab } from './lab/lab.ts'
import { Counts } from './metrics/counts.ts'
import { metricsDoor } from './metrics/door.ts'
import { createRooms } from './rooms/create-rooms.ts'
import { createSessions } from './sessions/create-sessions.ts'
import { openSqliteStore } from './store/sqlite.ts'
import { createVersions } from './versions/create-versions.ts'

/** As sysexits.h has it for an error of input or output. */
const EXIT_WITHOUT_STORE = 74

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

export async function openParts(config: Config, log: Logger): Promise<Parts> {
  const { dataDir, publicUrl, allowedOrigins } = config
  const file = join(dataDir, 'diptych.sqlite')
  const store = await openSqliteStore({ file, log, onGivenUp: endWithoutStore })
  const { db, documents } = store
  const origins = publicUrl ? [publicUrl, ...allowedOrigins] : allowedOrigins
  const access = await createAccess({ db, log, dataDir, allowedOrigins: origins, hosts: namesOf(config) })
  const counts = new Counts()
  const versions = createVersions({ db, store: documents, log })
  await versions.resume()
  const rooms = createRooms({ store: documents, access, log, counts, onTitle: projectTitle(db), versions })
  const figures = figureSource({
    counts,
    sessions: () => sessions.count,
    links: () => sessions.links(),
    parked: () => lab.parked,
  })
  const lab = createLab(figures)
  const sessions = createSessions({
    rooms,
    log,
    counts,
    answering: answersOf(config.lab ? lab : null),
    offers: config.transports,
    keepMs: config.sessionKeepSeconds * 1000,
  })
  const welcome = createWelcome({ db, rooms, log })
  const api = createApi({
    access,
    db,
    rooms,
    versions,
    lab: config.lab ? lab : null,
    log,
    addressesElsewhere: (called) => addressesElsewhere(config, called),
  })
  const gateways = [
    ...transportGateways({ access, sessions, log }, { offers: config.transports }),
    yWebsocketGateway({ access, rooms, sessions, log }),
    metricsDoor(
      { counts, sessions: () => sessions.count, links: () => sessions.links() },
      config.metrics,
      log,
    ),
  ]
  return {
    gateways,
    api: (request, door) => api.fetch(request, { door }),
    greet: async (request) => {
      const guest = await access.guest(request)
      if (guest?.isNew) await welcome.greet(guest.principal)
      return guest
    },
    checkStore: () => documents.check(),
    finish: [
      { name: 'sessions', limitMs: 4000, run: () => sessions.drain() },
      { name: 'gateways', limitMs: 500, run: () => gateways.forEach((gateway) => gateway.close()) },
    ],
    close: [
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
  process.exit(EXIT_WITHOUT_STORE)
}
