/** Who is measured with a crowd: which server, spoken to how, with which settings. */
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import type { Scope } from '../support/context.ts'
import { diptych, peer, type ServerCommand, type ServerProcess } from '../support/server.ts'
import { Crowd } from './crowd.ts'
import type { DialectName } from './dialects.ts'

export interface Subject {
  readonly name: string
  readonly lane: string
  readonly dialect: DialectName
  readonly command: () => ServerCommand
  /** Over TLS and HTTP/2; otherwise plain HTTP/1.1, as all the others. */
  readonly secure?: boolean
  /** Its data folder is in memory. */
  readonly onRamDisk?: boolean
}

const ours = (transport: string): Subject => ({
  name: 'diptych',
  lane: transport,
  dialect: `diptych ${transport}` as DialectName,
  command: () => diptych(),
})

export const subjects: readonly Subject[] = [
  ...['websocket', 'sse', 'stream', 'long-poll', 'poll'].map(ours),
  { ...ours('websocket'), lane: 'websocket-h2', secure: true },
  { ...ours('sse'), lane: 'sse-h2', secure: true },
  { ...ours('stream'), lane: 'stream-h2', secure: true },
  { ...ours('stock'), lane: 'stock door' },
  { name: 'hocuspocus', lane: 'websocket', dialect: 'hocuspocus', command: () => peer('hocuspocus') },
  { name: 'y-websocket', lane: 'websocket', dialect: 'y-websocket', command: () => peer('y-websocket') },
  ...(['websocket', 'long-poll'] as const).map((lane) => ({
    name: 'socket.io',
    lane,
    dialect: `socket.io ${lane}` as const,
    command: () => peer('socket-io'),
  })),
  { name: 'relay', lane: 'websocket', dialect: 'relay', command: () => peer('relay') },
]

/** What it is without its disk: no rival, but the way to tell what of its times is the disk's. */
export const withoutDisk: Subject = {
  ...ours('websocket'),
  lane: 'websocket, data on a RAM disk',
  onRamDisk: true,
}

const programs: Readonly<Record<string, string>> = {
  diptych: 'Diptych',
  hocuspocus: 'Hocuspocus',
  'y-websocket': '@y/websocket-server',
  'socket.io': 'Socket.IO',
  relay: 'Bare relay',
}

const ways: Readonly<Record<string, string>> = {
  ...transportLabels,
  'websocket-h2': 'WebSocket within HTTP/2',
  'sse-h2': 'Server-sent events over HTTP/2',
  'stream-h2': 'HTTP stream over HTTP/2',
  'stock door': 'stock clients (y-websocket)',
  [withoutDisk.lane]: 'WebSocket, data on a RAM disk',
}

/** As people call it, for the report. */
export const programOf = (subject: string): string => programs[subject] ?? subject

/** `Diptych, Server-sent events over HTTP/2` */
export const titleOf = ({ subject, lane }: { readonly subject: string; readonly lane: string }): string =>
  `${programOf(subject)}, ${ways[lane] ?? lane}`

/** How the peers are set, for the report. */
export const settings: Readonly<Record<string, string>> = {
  diptych: 'Diptych: its defaults; every edit is on the disk before anybody else sees it.',
  hocuspocus:
    'Hocuspocus: its Server with its defaults (edits are stored 2 s after, at most 10 s), its database extension over node:sqlite with the statements of its own SQLite extension.',
  'y-websocket':
    '@y/websocket-server: as its own program, with LevelDB (YPERSISTENCE), which it does not wait for.',
  'socket.io': 'Socket.IO: its defaults; long polling is its own. It keeps nothing.',
  relay:
    'The relay: ws, without compression, one send for each receiver. It keeps nothing and understands nothing.',
}

/** @throws {Error} for a trial of somebody unknown. */
export function subjectOf({ subject, lane }: { subject: string; lane: string }): Subject {
  const found = [...subjects, withoutDisk].find((known) => known.name === subject && known.lane === lane)
  if (!found) throw new Error(`There is no ${subject} by ${lane}.`)
  return found
}

export interface Gathering {
  readonly clients: number
  readonly perDocument: number
  /** A port in front of the server's, for counting bytes. */
  readonly through?: (port: number) => Promise<number>
}

export interface Gathered {
  readonly server: ServerProcess
  readonly crowd: Crowd
  readonly documents: readonly { readonly id: string; readonly token: string }[]
}

/** A fresh server, and a crowd that has its documents open. Both end with the scope. */
export async function gather(scope: Scope, subject: Subject, gathering: Gathering): Promise<Gathered> {
  const { command, onRamDisk = false } = subject
  const server = await scope.startServer(command(), { onRamDisk })
  return { server, ...(await join(scope, server, subject, gathering)) }
}

/** A crowd more on a server that runs, in documents of its own. */
export async function join(
  scope: Scope,
  server: ServerProcess,
  { dialect, secure = false }: Subject,
  { clients, perDocument, through = async (port) => port }: Gathering,
): Promise<Omit<Gathered, 'server'>> {
  const documents = await documentsFor(server, dialect, Math.ceil(clients / perDocument))
  const address = new URL(secure ? server.origin : server.plainOrigin)
  address.port = String(await through(Number(address.port)))
  const crowd = await Crowd.open({ dialect, origin: address.origin, clients, perDocument, documents })
  scope.defer(() => crowd[Symbol.asyncDispose]())
  return { crowd, documents }
}

const AT_ONCE = 8

async function documentsFor(server: ServerProcess, dialect: DialectName, count: number) {
  const places: (typeof nowhere)[] = Array.from({ length: count }, () => nowhere)
  const waiting = places.keys()
  const make = async (): Promise<void> => {
    for (const index of waiting) {
      const { document: id, token } = await makePlace(server, dialect)
      places[index] = { id, token }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, make))
  return places
}

const nowhere = { id: '', token: '' }

/** A new document. The peers have every document that anybody names. */
export async function makePlace(
  server: ServerProcess,
  dialect: DialectName,
): Promise<{ readonly document: string; readonly token: string }> {
  if (!dialect.startsWith('diptych')) return { document: newDocumentId(), token: '' }
  const { id, tokens } = await createSharedDocument(server.plainOrigin)
  return { document: id, token: tokens.editor }
}
