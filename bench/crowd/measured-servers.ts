/** Lists the servers that are measured with a crowd: how each is started, spoken with, configured, and called in reports. */
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import type { Rounds } from '../report/metrics.ts'
import type { Scope } from '../support/context.ts'
import {
  nodesMissing,
  type NodesOptions,
  processesOf,
  type RunningServer,
  startNodes,
} from '../support/nodes.ts'
import type { CountingProxy } from '../support/counting-proxy.ts'
import { diptych, peer, type ServerCommand, type ServerProcess } from '../support/server.ts'
import type { Params, Trial } from '../support/trial.ts'
import { Crowd } from './crowd.ts'
import type { CrowdProtocolName } from './crowd-protocols.ts'

export interface MeasuredServer {
  readonly subject: string
  readonly lane: string
  readonly protocol: CrowdProtocolName
  readonly command: () => ServerCommand
  /** Clients connect over TLS and HTTP/2; otherwise over plain HTTP/1.1, as with all peers. */
  readonly secure?: boolean
  readonly onRamDisk?: boolean
  /** It runs as nodes on one PostgreSQL; otherwise it is a single process with its own store. */
  readonly nodes?: NodesOptions
}

const ours = (transport: string): MeasuredServer => ({
  subject: 'diptych',
  lane: transport,
  protocol: `diptych ${transport}` as CrowdProtocolName,
  command: () => diptych(),
})

const hocuspocus: MeasuredServer = {
  subject: 'hocuspocus',
  lane: 'websocket',
  protocol: 'hocuspocus',
  command: () => peer('hocuspocus'),
}

export const measuredServers: readonly MeasuredServer[] = [
  ...['websocket', 'sse', 'stream', 'long-poll', 'poll'].map(ours),
  { ...ours('websocket'), lane: 'websocket-h2', secure: true },
  { ...ours('sse'), lane: 'sse-h2', secure: true },
  { ...ours('stream'), lane: 'stream-h2', secure: true },
  { ...ours('stock'), lane: 'stock door' },
  hocuspocus,
  { subject: 'y-websocket', lane: 'websocket', protocol: 'y-websocket', command: () => peer('y-websocket') },
  ...(['websocket', 'long-poll'] as const).map((lane) => ({
    subject: 'socket.io',
    lane,
    protocol: `socket.io ${lane}` as const,
    command: () => peer('socket-io'),
  })),
  { subject: 'relay', lane: 'websocket', protocol: 'relay', command: () => peer('relay') },
]

/** Shows which part of Diptych's times is the disk's. It is no rival. */
export const withoutDisk: MeasuredServer = {
  ...ours('websocket'),
  lane: 'websocket, data on a RAM disk',
  onRamDisk: true,
}

/** The lanes of nodes that share a PostgreSQL. */
export const nodeLanes = {
  one: 'one node on PostgreSQL',
  two: 'two nodes, Redis between',
  /** The scenario kills Redis during the measurement, and starts it again. */
  killed: 'two nodes, Redis killed',
  withoutRedis: 'two nodes, PostgreSQL between',
} as const

const onNodes = (lane: string, count: number, redis: boolean, server = ours('websocket')) => ({
  ...server,
  lane,
  nodes: { count, redis },
})

const serversOfNodes: readonly MeasuredServer[] = [
  onNodes(nodeLanes.one, 1, false),
  onNodes(nodeLanes.two, 2, true),
  // Nodes warn when they lose their Redis, which is intended here.
  { ...onNodes(nodeLanes.killed, 2, true), command: () => diptych({ env: { LOG_LEVEL: 'error' } }) },
  onNodes(nodeLanes.withoutRedis, 2, false),
  onNodes(nodeLanes.two, 2, true, hocuspocus),
]

const programs: Readonly<Record<string, string>> = {
  diptych: 'Diptych',
  hocuspocus: 'Hocuspocus',
  'y-websocket': '@y/websocket-server',
  'socket.io': 'Socket.IO',
  relay: 'Bare relay',
}

const laneTitles: Readonly<Record<string, string>> = {
  ...transportLabels,
  'websocket-h2': 'WebSocket within HTTP/2',
  'sse-h2': 'Server-sent events over HTTP/2',
  'stream-h2': 'HTTP stream over HTTP/2',
  'stock door': 'stock clients (y-websocket)',
  [withoutDisk.lane]: 'WebSocket, data on a RAM disk',
}

/** Returns the program's name for reports. */
export const programOf = (subject: string): string => programs[subject] ?? subject

/** Returns a title for reports: `Diptych, Server-sent events over HTTP/2`. */
export const titleOf = ({ subject, lane }: Pick<Trial, 'subject' | 'lane'>): string =>
  `${programOf(subject)}, ${laneTitles[lane] ?? lane}`

/** Sentences for reports: how each subject is configured. */
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

const settingsOfNodes =
  'Nodes: one PostgreSQL and one Redis of this computer, with their own defaults, but that Redis stores nothing. PostgreSQL syncs each commit.'

/** @throws {Error} if there is no such server. */
export function serverOf({ subject, lane }: Pick<Trial, 'subject' | 'lane'>): MeasuredServer {
  const found = findIn([...measuredServers, withoutDisk, ...serversOfNodes], { subject, lane })
  if (!found) throw new Error(`There is no ${subject} by ${lane}.`)
  return found
}

const findIn = (servers: readonly MeasuredServer[], { subject, lane }: Pick<Trial, 'subject' | 'lane'>) =>
  servers.find((known) => known.subject === subject && known.lane === lane)

/** Returns why this machine cannot run the trial; null if it can. */
export function missingFor(trial: Pick<Trial, 'subject' | 'lane'>): string | null {
  const nodes = findIn(serversOfNodes, trial)?.nodes
  return nodes ? nodesMissing(nodes) : null
}

/** Returns the settings of all measured subjects, each once. */
export const settingsOf = (rounds: Rounds<Params, unknown>): string[] => [
  ...rounds.distinct(({ subject }) => subject).flatMap((subject) => settings[subject] ?? []),
  ...(rounds.outcomes.some(({ trial }) => findIn(serversOfNodes, trial)) ? [settingsOfNodes] : []),
]

export interface CrowdSize {
  readonly clients: number
  readonly perDocument: number
  /** Clients connect through it; the server is then a single process. */
  readonly proxy?: CountingProxy | undefined
}

export interface ServerWithCrowd {
  readonly server: RunningServer
  readonly crowd: Crowd
  readonly documents: readonly { readonly id: string; readonly token: string }[]
}

/** Starts a server, and a crowd that has its documents open. Both end with the scope. */
export async function startWithCrowd(
  scope: Scope,
  measured: MeasuredServer,
  size: CrowdSize,
): Promise<ServerWithCrowd> {
  const server = await startMeasured(scope, measured)
  return { server, ...(await openCrowd(scope, server, measured, size)) }
}

export const startMeasured = (
  scope: Scope,
  { command, onRamDisk = false, nodes }: MeasuredServer,
): Promise<RunningServer> =>
  nodes ? startNodes(scope, command(), nodes) : scope.startServer(command(), { onRamDisk })

/** Opens one more crowd on a running server, in new documents. */
export async function openCrowd(
  scope: Scope,
  server: RunningServer,
  { protocol, secure = false }: MeasuredServer,
  { clients, perDocument, proxy }: CrowdSize,
): Promise<Pick<ServerWithCrowd, 'crowd' | 'documents'>> {
  const documents = await createDocuments(server, protocol, Math.ceil(clients / perDocument))
  let origins = processesOf(server).map(({ origin, plainOrigin }) => (secure ? origin : plainOrigin))
  if (proxy) origins = [await routeThroughProxy(proxy, origins[0]!)]
  const crowd = await Crowd.inThreads({ protocol, origins, clients, perDocument, documents })
  scope.defer(() => crowd[Symbol.asyncDispose]())
  return { crowd, documents }
}

async function routeThroughProxy(proxy: CountingProxy, origin: string): Promise<string> {
  const address = new URL(origin)
  await proxy.target(Number(address.port))
  address.port = String(proxy.port)
  return address.origin
}

const CREATED_AT_ONCE = 8

async function createDocuments(server: ServerProcess, protocol: CrowdProtocolName, count: number) {
  const documents: { id: string; token: string }[] = []
  const waiting = Array.from({ length: count }).keys()
  const createNext = async (): Promise<void> => {
    for (const index of waiting) {
      const { document: id, token } = await createDocument(server, protocol)
      documents[index] = { id, token }
    }
  }
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, createNext))
  return documents
}

/** With a peer it needs only a name, because a peer has every document that anybody names. */
export async function createDocument(
  server: ServerProcess,
  protocol: CrowdProtocolName,
): Promise<{ readonly document: string; readonly token: string }> {
  if (!protocol.startsWith('diptych')) return { document: newDocumentId(), token: '' }
  const { id, tokens } = await createSharedDocument(server.plainOrigin)
  return { document: id, token: tokens.editor }
}
