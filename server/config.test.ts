import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { networkTransports } from '../lib/transports/descriptors.ts'
import { findUnknownLimits, readConfig, SettingError } from './config.ts'
import { settings } from './settings.ts'

const defaults = {
  host: '127.0.0.1',
  port: 3000,
  httpsPort: 3443,
  dataDir: resolve('data'),
  databaseUrl: null,
  filesDir: null,
  s3Bucket: null,
  s3Region: 'us-east-1',
  s3AccessKeyId: null,
  s3SecretAccessKey: null,
  redisUrl: null,
  nodeUrl: null,
  secretFile: null,
  tlsCert: null,
  tlsKey: null,
  publicUrl: null,
  allowedOrigins: [],
  transports: networkTransports,
  websocketOverH2: true,
  sessionKeepSeconds: 120,
  trustedProxies: [],
  limitNewGuests: { atOnce: 500, perSecond: 5 },
  limitNewDocuments: { atOnce: 600, perSecond: 5 },
  limitDocumentsOfPerson: { atOnce: 200, perSecond: 1 },
  limitGuesses: { atOnce: 1000, perSecond: 5 },
  limitConnections: { atOnce: 3000, perSecond: 300 },
  limitOpenConnections: 10_000,
  limitWork: { atOnce: 2_000_000, perSecond: 100_000 },
  limitSessionsOfPerson: 500,
  limitStorageOfPerson: 1024 * 1024 * 1024,
  limitFile: 100 * 1024 * 1024,
  limitImport: 50 * 1024 * 1024,
  limitFilesOfDocument: 512 * 1024 * 1024,
  limitStorage: null,
  reservedDisk: 512 * 1024 * 1024,
  guestsKeptDays: 30,
  deletedKeptDays: 30,
  unusedFilesKeptDays: 30,
  uploadsKeptDays: 1,
  versionsKeptDays: null,
  compactAfterEdits: 500,
  memoryDocuments: 384,
  metrics: 'loopback',
  adminToken: null,
  tracesEndpoint: null,
  lab: true,
  logLevel: 'info',
}

const accepted: [name: string, given: string, key: keyof typeof defaults, value: unknown][] = [
  ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
  ['HOST', '::', 'host', '::'],
  ['HOST', '[::1]', 'host', '::1'],
  ['HOST', 'docs.example.org', 'host', 'docs.example.org'],
  ['PORT', '0', 'port', 0],
  ['PORT', '65535', 'port', 65535],
  ['PORT', ' 8080 ', 'port', 8080],
  ['PORT', '', 'port', 3000],
  ['HTTPS_PORT', '443', 'httpsPort', 443],
  ['DATA_DIR', '/srv/diptych', 'dataDir', '/srv/diptych'],
  ['DATABASE_URL', 'postgres://me:secret@db.example:5432/diptych?sslmode=verify-full', 'databaseUrl', 'postgres://me:secret@db.example:5432/diptych?sslmode=verify-full'], // prettier-ignore
  ['DATABASE_URL', 'postgresql://me@/diptych?host=/run/postgresql', 'databaseUrl', 'postgresql://me@/diptych?host=/run/postgresql'], // prettier-ignore
  ['NODE_URL', 'http://10.0.0.5:3000/', 'nodeUrl', 'http://10.0.0.5:3000'],
  ['NODE_URL', 'https://[fd00::5]:3443', 'nodeUrl', 'https://[fd00::5]:3443'],
  ['PUBLIC_URL', 'https://docs.example.org/', 'publicUrl', 'https://docs.example.org'],
  ['PUBLIC_URL', 'http://localhost:8080', 'publicUrl', 'http://localhost:8080'],
  ['ALLOWED_ORIGINS', 'https://a.example, https://b.example:8443,', 'allowedOrigins', ['https://a.example', 'https://b.example:8443']], // prettier-ignore
  ['TRANSPORTS', 'poll, sse', 'transports', ['sse', 'poll']],
  ['WEBSOCKET_OVER_H2', 'off', 'websocketOverH2', false],
  ['SESSION_KEEP_S', '30', 'sessionKeepSeconds', 30],
  ['TRUSTED_PROXIES', '10.0.0.0/8, ::1,', 'trustedProxies', ['10.0.0.0/8', '::1']],
  ['LIMIT_NEW_GUESTS', '10/0.1', 'limitNewGuests', { atOnce: 10, perSecond: 0.1 }],
  ['LIMIT_NEW_DOCUMENTS', 'off', 'limitNewDocuments', null],
  ['LIMIT_OPEN_CONNECTIONS', '5', 'limitOpenConnections', 5],
  ['LIMIT_SESSIONS_OF_PERSON', 'off', 'limitSessionsOfPerson', null],
  ['LIMIT_STORAGE_OF_PERSON', 'off', 'limitStorageOfPerson', null],
  ['LIMIT_STORAGE', '2', 'limitStorage', 2 * 1024 * 1024],
  ['LIMIT_FILE', '250', 'limitFile', 250 * 1024 * 1024],
  ['LIMIT_IMPORT', '8', 'limitImport', 8 * 1024 * 1024],
  ['LIMIT_FILES_OF_DOCUMENT', 'off', 'limitFilesOfDocument', null],
  ['S3_REGION', 'eu-central-1', 's3Region', 'eu-central-1'],
  ['GUESTS_KEPT_DAYS', 'off', 'guestsKeptDays', null],
  ['UNUSED_FILES_KEPT_DAYS', 'off', 'unusedFilesKeptDays', null],
  ['UPLOADS_KEPT_DAYS', '7', 'uploadsKeptDays', 7],
  ['VERSIONS_KEPT_DAYS', '90', 'versionsKeptDays', 90],
  ['VERSIONS_KEPT_DAYS', 'off', 'versionsKeptDays', null],
  ['COMPACT_AFTER_EDITS', '10', 'compactAfterEdits', 10],
  ['MEMORY_DOCUMENTS', '320', 'memoryDocuments', 320],
  ['DELETED_KEPT_DAYS', '1', 'deletedKeptDays', 1],
  ['METRICS', 'all', 'metrics', 'all'],
  ['LAB', 'off', 'lab', false],
  ['LOG_LEVEL', 'debug', 'logLevel', 'debug'],
  ['ADMIN_TOKEN', '0123456789abcdef', 'adminToken', '0123456789abcdef'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://localhost:4318', 'tracesEndpoint', 'http://localhost:4318'],
]

const refused: [name: string, given: string][] = [
  ['HOST', 'not a host'],
  ['HOST', '-x'],
  ['TRANSPORTS', 'carrier-pigeon'],
  ['TRANSPORTS', 'sse,,poll'],
  ['TRANSPORTS', ','],
  ['WEBSOCKET_OVER_H2', 'yes'],
  ['SESSION_KEEP_S', '0'],
  ['SESSION_KEEP_S', '86401'],
  ['SESSION_KEEP_S', '1.5'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '3000x'],
  ['PORT', '1e3'],
  ['HTTPS_PORT', 'https'],
  ['DATA_DIR', 'a\0b'],
  ['PUBLIC_URL', 'docs.example.org'],
  ['PUBLIC_URL', 'http://docs.example.org'],
  ['PUBLIC_URL', 'https://docs.example.org/docs'],
  ['PUBLIC_URL', 'https://me:secret@docs.example.org'],
  ['S3_BUCKET', 's3.example/files'],
  ['S3_BUCKET', 'https://s3.example/files?x=1'],
  ['S3_BUCKET', 'https://key:secret@s3.example/files'],
  ['S3_ACCESS_KEY_ID', 'a b'],
  ['S3_REGION', 'eu central'],
  ['LIMIT_FILE', '0'],
  ['NODE_URL', '10.0.0.5:3000'],
  ['NODE_URL', 'http://10.0.0.5/path'],
  ['ALLOWED_ORIGINS', 'https://a.example;https://b.example'],
  ['ALLOWED_ORIGINS', '*'],
  ['TRUSTED_PROXIES', 'proxy.example'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['LIMIT_NEW_GUESTS', '500'],
  ['LIMIT_NEW_GUESTS', '0/5'],
  ['LIMIT_NEW_GUESTS', '5/0'],
  ['LIMIT_CONNECTIONS', '-1/5'],
  ['LIMIT_OPEN_CONNECTIONS', '0'],
  ['GUESTS_KEPT_DAYS', '0'],
  ['UNUSED_FILES_KEPT_DAYS', '0'],
  ['UPLOADS_KEPT_DAYS', 'off'],
  ['VERSIONS_KEPT_DAYS', '-1'],
  ['VERSIONS_KEPT_DAYS', '1.5'],
  ['COMPACT_AFTER_EDITS', '9'],
  ['COMPACT_AFTER_EDITS', '100001'],
  ['COMPACT_AFTER_EDITS', 'off'],
  ['MEMORY_DOCUMENTS', '319'],
  ['MEMORY_DOCUMENTS', 'off'],
  ['METRICS', 'some'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
  ['LOG_LEVEL', 'loud'],
]

describe('settings', () => {
  test('an empty environment gives the defaults, frozen', () => {
    const config = readConfig({})
    expect(config).toEqual(defaults)
    expect(Object.isFrozen(config)).toBe(true)
  })

  test.each(accepted)('%s=%j is accepted', (name, given, key, value) => {
    expect(readConfig({ [name]: given })[key]).toEqual(value)
  })

  test.each(refused)(
    '%s=%j is refused by one sentence with name, value and what is allowed',
    (name, given) => {
      const definition = Object.values(settings).find((setting) => setting.name === name)!
      const error = catchError(() => readConfig({ [name]: given }))
      expect(error).toBeInstanceOf(SettingError)
      expect(error.message).toBe(`${name} is "${given}", allowed is ${definition.allowed}.`)
    },
  )

  test.each([
    'mysql://me:secret@db.example/diptych',
    'postgres://me:secret@db.example',
    'postgres://me:secret@db example/diptych',
    'me:secret@db.example/diptych',
  ])('DATABASE_URL=%j is refused by one sentence that does not show it', (url) => {
    expect(catchError(() => readConfig({ DATABASE_URL: url })).message).toBe(
      `DATABASE_URL is "…", allowed is ${settings.databaseUrl.allowed}.`,
    )
  })

  test.each(['redis://me:secret@redis.example:6379/3', 'rediss://:secret@redis.example', 'redis://[::1]/'])(
    'REDIS_URL=%j is accepted beside DATABASE_URL',
    (url) => {
      expect(readConfig({ REDIS_URL: url, DATABASE_URL: 'postgres://db/diptych' }).redisUrl).toBe(url)
    },
  )

  test.each(['short', 'with spaces in it, long as it is', 'a'.repeat(257)])(
    'ADMIN_TOKEN=%j is refused by one sentence that does not show it',
    (token) => {
      expect(catchError(() => readConfig({ ADMIN_TOKEN: token })).message).toBe(
        `ADMIN_TOKEN is "…", allowed is ${settings.adminToken.allowed}.`,
      )
    },
  )

  test.each([
    'http://me:secret@redis.example',
    'redis://me:secret@/',
    'redis://me:secret@host/name',
    'secret',
  ])('REDIS_URL=%j is refused by one sentence that does not show it', (url) => {
    const { message } = catchError(() =>
      readConfig({ REDIS_URL: url, DATABASE_URL: 'postgres://db/diptych' }),
    )
    expect(message).toBe(`REDIS_URL is "…", allowed is ${settings.redisUrl.allowed}.`)
  })

  test.each([
    [{ REDIS_URL: 'redis://redis.example' }, 'DATABASE_URL'],
    [{ S3_BUCKET: 'https://s3.example/files' }, 'S3_ACCESS_KEY_ID'],
    [{ S3_BUCKET: 'https://s3.example/files', S3_ACCESS_KEY_ID: 'a' }, 'S3_SECRET_ACCESS_KEY'],
    [
      {
        S3_BUCKET: 'https://s3.example/files/',
        S3_ACCESS_KEY_ID: 'a',
        S3_SECRET_ACCESS_KEY: 'b',
        FILES_DIR: '/srv/files',
      },
      'FILES_DIR',
    ],
    [
      { REDIS_URL: 'redis://redis.example', DATABASE_URL: 'postgres://db/diptych', HOST: '0.0.0.0' },
      'NODE_URL',
    ],
    [
      { REDIS_URL: 'redis://redis.example', DATABASE_URL: 'postgres://db/diptych', HOST: 'a.example' },
      'NODE_URL',
    ],
    [{ TLS_CERT: '/a.pem' }, 'TLS_KEY'],
    [{ TLS_KEY: '/a.pem' }, 'TLS_CERT'],
    [{ PORT: '4000', HTTPS_PORT: '4000' }, 'HTTPS_PORT'],
  ])('%j is refused, naming %s', (environment, name) => {
    expect(catchError(() => readConfig(environment)).message).toContain(name)
  })

  test('both ports may be 0', () => {
    expect(readConfig({ PORT: '0', HTTPS_PORT: '0' })).toMatchObject({ port: 0, httpsPort: 0 })
  })

  test('a limit that does not exist is found by its name', () => {
    const environment = { LIMIT_GUESTS: '3', LIMIT_GUESSES: '3/1', GUESTS: '3', PATH: '/bin' }
    expect(findUnknownLimits(environment)).toEqual(['LIMIT_GUESTS'])
  })
})

function catchError(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('It was accepted.')
}
