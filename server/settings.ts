/**
 * The table of all settings: each has a name, a sentence, a default, and a check that reads its text. Knows single texts; does not know
 * the environment, or which settings fit together.
 */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type NetworkTransportId, networkTransports } from '../lib/transports/descriptors.ts'
import { isNetwork } from './access/client-address.ts'
import { isLoopbackName } from './loopback-name.ts'
import type { Rate } from './rate-limit.ts'

export interface Setting<Value> {
  readonly name: string
  readonly sentence: string
  /** Continues "allowed is …". */
  readonly allowed: string
  /** The text as it would stand in the environment; '' for unset. */
  readonly default: string
  /** True for a value that no message may show. */
  readonly isSecret?: boolean
  /** Returns undefined for a value that is not allowed. */
  read(text: string): Value | undefined
}

const setting = <Value>(definition: Setting<Value>): Setting<Value> => definition

const metricsReaders = ['loopback', 'all', 'off'] as const
export type MetricsReaders = (typeof metricsReaders)[number]

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const hostName = /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i

const readHost = (text: string): string | undefined => {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) || hostName.test(bare) ? bare : undefined
}

const readPort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined

const readFolder = (text: string): string | undefined => (text.includes('\0') ? undefined : resolve(text))

const readFile = (text: string): string | null | undefined =>
  text === '' ? null : text.includes('\0') ? undefined : resolve(text)

/** Accepts also an address without a host, which then stands in the query: a folder with a Unix socket. */
const readDatabaseUrl = (text: string): string | null | undefined => {
  if (text === '') return null
  const isPostgres = /^postgres(ql)?:\/\/[^/]*\/[^/?]+(\?|$)/.test(text)
  return isPostgres && URL.canParse(text.replace('@/', '@localhost/')) ? text : undefined
}

/** Accepts no further path or query, and of a path the number of a database. */
const readRedisUrl = (text: string): string | null | undefined => {
  if (text === '') return null
  return /^rediss?:\/\/[^/?#]+(\/\d{0,5})?$/.test(text) && URL.canParse(text) ? text : undefined
}

/** Accepts scheme, host and port alone. */
const readNodeUrl = (text: string): string | null | undefined => {
  if (text === '') return null
  const isBareOrigin = /^https?:\/\/[^/?#@]+\/?$/.test(text) && URL.canParse(text)
  return isBareOrigin ? new URL(text).origin : undefined
}

/** Accepts scheme, host and port alone. Http is allowed for this machine only: elsewhere it would only redirect. */
const readOrigin = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isBareOrigin = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname))
  return isBareOrigin && isSecure ? url.origin : undefined
}

const readList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

const readOrigins = (text: string): readonly string[] | undefined => {
  const origins = readList(text).map(readOrigin)
  return origins.every((origin) => origin !== undefined) ? Object.freeze(origins) : undefined
}

const readCollector = (text: string): string | null | undefined => {
  if (text === '') return null
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && !url.search && !url.hash ? text : undefined
}

/** Long enough that nobody guesses it. */
const readAdminToken = (text: string): string | null | undefined =>
  text === '' ? null : /^[\x21-\x7e]{16,256}$/.test(text) ? text : undefined

/** Returns the transports in the order of preference, whatever the order in the text. */
const readTransports = (text: string): readonly NetworkTransportId[] | undefined => {
  const given = text.split(',').map((part) => part.trim())
  const offered = networkTransports.filter((name) => given.includes(name))
  return offered.length > 0 && given.every((part) => offered.some((name) => name === part))
    ? Object.freeze(offered)
    : undefined
}

const readNetworks = (text: string): readonly string[] | undefined => {
  const networks = readList(text)
  return networks.every(isNetwork) ? Object.freeze(networks) : undefined
}

/** Returns null for `off`. */
const readRate = (text: string): Rate | null | undefined => {
  if (text === 'off') return null
  const [, atOnce, perSecond] = /^(\d{1,7})\/(\d{1,7}(?:\.\d{1,6})?)$/.exec(text) ?? []
  const rate = { atOnce: Number(atOnce), perSecond: Number(perSecond) }
  return rate.atOnce > 0 && rate.perSecond > 0 ? Object.freeze(rate) : undefined
}

const rateAllowed =
  'how many at once and how many a second after that, such as 500/5 or 10/0.1, both more than 0; off for no limit'

/** Returns null for `off`. */
const readCount = (text: string): number | null | undefined =>
  text === 'off' ? null : /^\d{1,7}$/.test(text) && Number(text) > 0 ? Number(text) : undefined

const countAllowed = 'a number from 1 to 9999999; off for no limit'

const readDays = (text: string): number | null | undefined =>
  text === 'off' ? null : /^\d{1,5}$/.test(text) && Number(text) > 0 ? Number(text) : undefined

/** Returns bytes, and null for `off`. */
const readMebibytes = (text: string): number | null | undefined =>
  text === 'off' ? null : /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) * 1024 * 1024 : undefined

const mebibytesAllowed = 'a whole number of MiB from 1 to 999999999; off for none'

const daysAllowed = 'a whole number of days from 1 to 99999; off to keep them for good'

export const settings = {
  host: setting({
    name: 'HOST',
    sentence: 'The address to listen on: 127.0.0.1 for this computer alone, 0.0.0.0 or :: for the network.',
    allowed: 'an IP address or a host name of this computer',
    default: '127.0.0.1',
    read: readHost,
  }),
  port: setting({
    name: 'PORT',
    sentence: 'The port of plain HTTP/1.1, which serves this computer and sends everybody else to https.',
    allowed: 'a number from 0 to 65535, where 0 takes any free port',
    default: '3000',
    read: readPort,
  }),
  httpsPort: setting({
    name: 'HTTPS_PORT',
    sentence: 'The port of HTTP/2 and HTTP/1.1 over TLS.',
    allowed: 'a number from 0 to 65535, where 0 takes any free port',
    default: '3443',
    read: readPort,
  }),
  dataDir: setting({
    name: 'DATA_DIR',
    sentence: 'The folder of everything that is kept: documents, people, keys.',
    allowed: 'a folder that this user can write, made when it is missing',
    default: './data',
    read: readFolder,
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    sentence:
      'A PostgreSQL that keeps documents and people in place of DATA_DIR, which then keeps the certificate and the secrets.',
    allowed: 'an address such as postgres://user:password@host:5432/database',
    default: '',
    isSecret: true,
    read: readDatabaseUrl,
  }),
  secretFile: setting({
    name: 'SECRET_FILE',
    sentence:
      'The file of the secret that signs cookies, made when it is missing. Servers with one DATABASE_URL have the same.',
    allowed: 'a file that this user can read; DATA_DIR/secret without it',
    default: '',
    read: readFile,
  }),
  redisUrl: setting({
    name: 'REDIS_URL',
    sentence:
      'A Redis or Valkey that carries messages between several servers with one DATABASE_URL, which carries them itself, slower, without it.',
    allowed:
      'an address such as redis://user:password@host:6379/0, or rediss:// for TLS, together with DATABASE_URL',
    default: '',
    isSecret: true,
    read: readRedisUrl,
  }),
  nodeUrl: setting({
    name: 'NODE_URL',
    sentence:
      'Where the other servers with the same DATABASE_URL reach this one. On one computer the address follows from HOST and PORT.',
    allowed: 'an http or https address without a path, such as http://10.0.0.5:3000',
    default: '',
    read: readNodeUrl,
  }),
  tlsCert: setting({
    name: 'TLS_CERT',
    sentence: 'A certificate of your own, with its chain; without it a local one is made.',
    allowed: 'a readable PEM file, together with TLS_KEY',
    default: '',
    read: readFile,
  }),
  tlsKey: setting({
    name: 'TLS_KEY',
    sentence: 'The private key of TLS_CERT.',
    allowed: 'a readable PEM file without a passphrase, together with TLS_CERT',
    default: '',
    read: readFile,
  }),
  publicUrl: setting({
    name: 'PUBLIC_URL',
    sentence: 'The address people use when it is not the one listened on, as behind a proxy.',
    allowed: 'an https address without a path (http only for localhost), such as https://docs.example.org',
    default: '',
    read: (text) => (text === '' ? null : readOrigin(text)),
  }),
  allowedOrigins: setting({
    name: 'ALLOWED_ORIGINS',
    sentence: 'Further addresses that people reach this server by; its own are always allowed.',
    allowed: 'https addresses without a path (http only for localhost), separated by commas',
    default: '',
    read: readOrigins,
  }),
  transports: setting({
    name: 'TRANSPORTS',
    sentence: 'The transports that windows may use. A window may try another one once before it knows.',
    allowed: `one or several of ${networkTransports.join(', ')}, separated by commas`,
    default: networkTransports.join(','),
    read: readTransports,
  }),
  websocketOverH2: setting({
    name: 'WEBSOCKET_OVER_H2',
    sentence: 'Whether a browser may carry a WebSocket within its HTTP/2 connection (RFC 8441).',
    allowed: 'on, off',
    default: 'on',
    read: (text): boolean | undefined => ({ on: true, off: false })[text],
  }),
  sessionKeepSeconds: setting({
    name: 'SESSION_KEEP_S',
    sentence:
      'How many seconds a window that lost its connection may stay away and still go on where it stopped.',
    allowed: 'a whole number from 1 to 86400',
    default: '120',
    read: (text) => (/^\d{1,5}$/.test(text) && +text >= 1 && +text <= 86_400 ? +text : undefined),
  }),
  trustedProxies: setting({
    name: 'TRUSTED_PROXIES',
    sentence:
      'The proxies in front of this server, whose X-Forwarded-For or Forwarded header says where a request came from.',
    allowed: 'IP addresses and networks such as 10.0.0.0/8, separated by commas',
    default: '',
    read: readNetworks,
  }),
  limitNewGuests: setting({
    name: 'LIMIT_NEW_GUESTS',
    sentence: 'How many new guests one address may bring.',
    allowed: rateAllowed,
    default: '500/5',
    read: readRate,
  }),
  limitNewDocuments: setting({
    name: 'LIMIT_NEW_DOCUMENTS',
    sentence: 'How many documents may be made from one address.',
    allowed: rateAllowed,
    default: '600/5',
    read: readRate,
  }),
  limitDocumentsOfPerson: setting({
    name: 'LIMIT_DOCUMENTS_OF_PERSON',
    sentence: 'How many documents one person may make.',
    allowed: rateAllowed,
    default: '200/1',
    read: readRate,
  }),
  limitGuesses: setting({
    name: 'LIMIT_GUESSES',
    sentence:
      'How many links, tickets and documents that do not exist one address, or one person, may ask for.',
    allowed: rateAllowed,
    default: '1000/5',
    read: readRate,
  }),
  limitWork: setting({
    name: 'LIMIT_WORK',
    sentence:
      'How much work one person may cause, in units of about a microsecond. One address may cause ten times as much at once, and four times as much a second.',
    allowed: rateAllowed,
    default: '2000000/100000',
    read: readRate,
  }),
  limitConnections: setting({
    name: 'LIMIT_CONNECTIONS',
    sentence: 'How many links windows at one address may open; twice as many connections are let in.',
    allowed: rateAllowed,
    default: '3000/300',
    read: readRate,
  }),
  limitOpenConnections: setting({
    name: 'LIMIT_OPEN_CONNECTIONS',
    sentence: 'How many connections one address may hold open.',
    allowed: countAllowed,
    default: '10000',
    read: readCount,
  }),
  limitSessionsOfPerson: setting({
    name: 'LIMIT_SESSIONS_OF_PERSON',
    sentence: 'How many windows one person may have open. Who comes by one link’s token counts as 40 people.',
    allowed: countAllowed,
    default: '500',
    read: readCount,
  }),
  limitStorageOfPerson: setting({
    name: 'LIMIT_STORAGE_OF_PERSON',
    sentence:
      'How much the documents of one person may take in the store, with their versions and those in the trash.',
    allowed: mebibytesAllowed,
    default: '1024',
    read: readMebibytes,
  }),
  limitStorage: setting({
    name: 'LIMIT_STORAGE',
    sentence: 'How much the documents of all people may take in the store.',
    allowed: mebibytesAllowed,
    default: 'off',
    read: readMebibytes,
  }),
  reservedDisk: setting({
    name: 'RESERVED_DISK',
    sentence:
      'How much of the disk with DATA_DIR stays free: below it nobody’s text grows. PostgreSQL’s disk is not looked at.',
    allowed: mebibytesAllowed,
    default: '512',
    read: readMebibytes,
  }),
  guestsKeptDays: setting({
    name: 'GUESTS_KEPT_DAYS',
    sentence: 'After how many days without a visit a guest who never wrote anything is forgotten.',
    allowed: daysAllowed,
    default: '30',
    read: readDays,
  }),
  deletedKeptDays: setting({
    name: 'DELETED_KEPT_DAYS',
    sentence: 'After how many days in the trash a document leaves the disk.',
    allowed: daysAllowed,
    default: '30',
    read: readDays,
  }),
  versionsKeptDays: setting({
    name: 'VERSIONS_KEPT_DAYS',
    sentence:
      'After how many days a version without a name leaves the disk. The newest of each document stays, and so do named ones.',
    allowed: daysAllowed,
    default: 'off',
    read: readDays,
  }),
  compactAfterEdits: setting({
    name: 'COMPACT_AFTER_EDITS',
    sentence:
      'After how many edits a document’s log is replaced by a snapshot: fewer make opening quicker, more make writing cheaper.',
    allowed: 'a whole number from 10 to 100000',
    default: '500',
    read: (text) => (/^\d{2,6}$/.test(text) && +text >= 10 && +text <= 100_000 ? +text : undefined),
  }),
  memoryDocuments: setting({
    name: 'MEMORY_DOCUMENTS',
    sentence:
      'How many MiB of memory all open documents may take. Past it, those that nobody edits keep only their stored text, and then large ones do not open for a while.',
    allowed: 'a whole number from 320 to 1000000',
    default: '384',
    read: (text) => (/^\d{3,7}$/.test(text) && +text >= 320 && +text <= 1_000_000 ? +text : undefined),
  }),
  metrics: setting({
    name: 'METRICS',
    sentence:
      'Who may read `GET /metrics`: programs on this computer, everybody who reaches the server, or nobody.',
    allowed: metricsReaders.join(', '),
    default: 'loopback',
    read: (text): MetricsReaders | undefined => metricsReaders.find((readers) => readers === text),
  }),
  adminToken: setting({
    name: 'ADMIN_TOKEN',
    sentence:
      'What opens the page /admin, which shows live figures of this server; without it there is none.',
    allowed: '16 to 256 letters, digits and signs without spaces, such as `openssl rand -hex 24` makes',
    default: '',
    isSecret: true,
    read: readAdminToken,
  }),
  tracesEndpoint: setting({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    sentence: 'The collector that traces are sent to, by OTLP over HTTP; without it nothing is traced.',
    allowed: 'an http or https address such as http://localhost:4318',
    default: '',
    read: readCollector,
  }),
  lab: setting({
    name: 'LAB',
    sentence:
      'Whether the page /lab/dashboard may draw the figures of this server, for whoever has visited it.',
    allowed: 'on, off',
    default: 'on',
    read: (text): boolean | undefined => ({ on: true, off: false })[text],
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    sentence: 'How much is logged, as JSON lines on standard error.',
    allowed: logLevels.join(', '),
    default: 'info',
    read: (text): LogLevel | undefined => logLevels.find((level) => level === text),
  }),
} as const
