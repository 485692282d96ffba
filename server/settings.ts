/**
 * The table of all settings: each has a name, a sentence, a default, and a function of setting-readers.ts that reads its text. Knows single
 * texts; does not know the environment, or which settings fit together.
 */
import { networkTransports } from '../lib/transports/descriptors.ts'
import {
  countAllowed,
  daysAllowed,
  mebibytesAllowed,
  rateAllowed,
  readAdminToken,
  readBucket,
  readCollector,
  readCount,
  readDatabaseUrl,
  readDays,
  readFile,
  readFolder,
  readHost,
  readKey,
  readMebibytes,
  readNetworks,
  readNodeUrl,
  readOrigin,
  readOrigins,
  readPort,
  readRate,
  readRedisUrl,
  readTransports,
} from './setting-readers.ts'

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
  filesDir: setting({
    name: 'FILES_DIR',
    sentence:
      'The folder of the files of documents. Servers with one DATABASE_URL share it. What is on its way to it lies in DATA_DIR.',
    allowed: 'a folder that this user can write, made when it is missing; DATA_DIR/files without it',
    default: '',
    read: readFile,
  }),
  s3Bucket: setting({
    name: 'S3_BUCKET',
    sentence:
      'The address of a bucket of an S3-compatible storage that keeps the files of documents in place of FILES_DIR, and has nothing else in it.',
    allowed:
      'an http or https address without a query, such as https://s3.eu-central-1.amazonaws.com/diptych-files, together with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
    default: '',
    read: readBucket,
  }),
  s3Region: setting({
    name: 'S3_REGION',
    sentence: 'The region of S3_BUCKET, as its storage calls it.',
    allowed: 'letters, digits and hyphens',
    default: 'us-east-1',
    read: (text) => (/^[\w-]{1,64}$/.test(text) ? text : undefined),
  }),
  s3AccessKeyId: setting({
    name: 'S3_ACCESS_KEY_ID',
    sentence: 'The name of the key to S3_BUCKET, which may read, write, delete and list.',
    allowed: 'letters, digits and signs without spaces',
    default: '',
    read: readKey,
  }),
  s3SecretAccessKey: setting({
    name: 'S3_SECRET_ACCESS_KEY',
    sentence: 'The key to S3_BUCKET.',
    allowed: 'letters, digits and signs without spaces',
    default: '',
    isSecret: true,
    read: readKey,
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
      'How much the documents of one person may take in the store, with their files, their versions and those in the trash.',
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
  limitFile: setting({
    name: 'LIMIT_FILE',
    sentence: 'How large one file of a document may be.',
    allowed: mebibytesAllowed,
    default: '100',
    read: readMebibytes,
  }),
  limitImport: setting({
    name: 'LIMIT_IMPORT',
    sentence: 'How large a file may be that becomes a document.',
    allowed: 'a whole number of MiB from 1 to 50',
    default: '50',
    read: (text) => (/^[1-9]\d?$/.test(text) && +text <= 50 ? +text * 1024 * 1024 : undefined),
  }),
  limitFilesOfDocument: setting({
    name: 'LIMIT_FILES_OF_DOCUMENT',
    sentence: 'How much the files of one document may take. They count for its owner, too.',
    allowed: mebibytesAllowed,
    default: '512',
    read: readMebibytes,
  }),
  reservedDisk: setting({
    name: 'RESERVED_DISK',
    sentence:
      'How much of the disk with DATA_DIR stays free: below it nobody’s text grows, and no file is uploaded. PostgreSQL’s disk is not looked at.',
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
  unusedFilesKeptDays: setting({
    name: 'UNUSED_FILES_KEPT_DAYS',
    sentence:
      'After how many days in which neither its document nor a version of it shows a file, the file leaves the disk.',
    allowed: daysAllowed,
    default: '30',
    read: readDays,
  }),
  uploadsKeptDays: setting({
    name: 'UPLOADS_KEPT_DAYS',
    sentence: 'After how many days an upload that nobody goes on with is forgotten.',
    allowed: 'a whole number of days from 1 to 99999',
    default: '1',
    read: (text) => readDays(text) ?? undefined,
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
