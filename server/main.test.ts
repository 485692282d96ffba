import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { certificateFor } from './certificate.ts'
import { SettingError } from './config.ts'
import { EXIT } from './exit-codes.ts'
import { httpClients } from './fixtures/http-clients.ts'
import { waitUntilReady, startServerProgram } from './fixtures/server-program.ts'
import { testConfig } from './fixtures/test-server.ts'
import { silentLogger } from './fixtures/silent-logger.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'
import { startServer } from './server.ts'

describe.concurrent('a failed start is reported in one sentence, and by the exit code', () => {
  const startRefused = async (environment: Record<string, string>, exit: number = EXIT.setting) => {
    await using program = startServerProgram(environment)
    const { code, stdout, stderr } = await program.ended
    expect([code, stdout]).toEqual([exit, ''])
    // The log adds lines of JSON.
    const sentences = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
    expect(sentences).toHaveLength(1)
    return sentences[0]
  }

  test('a bad PORT', async () => {
    expect(await startRefused({ PORT: 'http' })).toBe(
      'PORT is "http", allowed is a number from 0 to 65535, where 0 takes any free port.',
    )
  })

  test('a PORT in use', async () => {
    await using folder = await temporaryFolder()
    const other = net.createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = String((other.address() as AddressInfo).port)
    expect(await startRefused({ DATA_DIR: folder.path, PORT: port })).toMatch(
      new RegExp(`^PORT is "${port}", which another program uses on 127\\.0\\.0\\.1: allowed is a number`),
    )
    other.close()
  })

  test('an invalid database', async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, 'diptych.sqlite'), 'not a database '.repeat(1000))
    expect(await startRefused({ DATA_DIR: folder.path }, EXIT.failed)).toMatch(/diptych\.sqlite/)
  })
})

/** Each of them ends the program as a PORT in use does. */
describe('a setting is refused in one sentence by the start', () => {
  const refusalOf = async (dataDir: string, environment: Record<string, string> = {}): Promise<string> => {
    const config = testConfig(dataDir, environment)
    const started = startServer(config, { log: silentLogger, pages: false })
    const error: unknown = await started.then(
      (server) => server.drain(),
      (refusal: unknown) => refusal,
    )
    if (!(error instanceof SettingError)) throw new Error('It starts, or fails otherwise.', { cause: error })
    return error.message
  }

  test('a folder of data or files that cannot be written', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'file')
    await writeFile(file, '')
    expect(await refusalOf(join(file, 'data'))).toBe(
      `DATA_DIR is "${join(file, 'data')}", which lies below something that is not a folder: allowed is a folder that this user can write, made when it is missing.`,
    )
    expect(await refusalOf(join(folder.path, 'data'), { FILES_DIR: join(file, 'files') })).toMatch(
      /^FILES_DIR is ".*", which lies below something that is not a folder/,
    )
  })

  test('a FILES_DIR that is not the one of this database', async () => {
    await using folder = await temporaryFolder()
    const [data, own, other] = ['data', 'own', 'other'].map((name) => join(folder.path, name))
    const config = testConfig(data!, { FILES_DIR: own! })
    await (await startServer(config, { log: silentLogger, pages: false })).drain()
    expect(await refusalOf(data!, { FILES_DIR: other! })).toMatch(
      new RegExp(`^FILES_DIR is "${other}", where the id of the storage is missing, and the database knows `),
    )
  })

  test('a SECRET_FILE that is a folder, is in none, or is too short', async () => {
    await using folder = await temporaryFolder()
    const short = join(folder.path, 'short')
    await writeFile(short, 'c2hvcnQ')
    const refusals = [folder.path, join(folder.path, 'nowhere', 'secret'), short].map((file, index) =>
      refusalOf(join(folder.path, `data-${index}`), { SECRET_FILE: file }),
    )
    expect(await Promise.all(refusals)).toEqual([
      `SECRET_FILE is "${folder.path}", which cannot be made or read (EISDIR): allowed is a file that this user can read.`,
      `SECRET_FILE is "${join(folder.path, 'nowhere', 'secret')}", which cannot be made or read (ENOENT): allowed is a file that this user can read.`,
      `SECRET_FILE is "${short}", which holds 5 bytes of base64url; at least 32 are needed. Delete it to make a new one.`,
    ])
  })

  test.runIf(process.platform === 'linux')('a data folder where none can be created', async () => {
    expect(await refusalOf('/proc/diptych')).toMatch(/^DATA_DIR is "\/proc\/diptych", which .*: allowed is/)
  })

  test('a key that cannot be read', async () => {
    await using folder = await temporaryFolder()
    const { cert } = await certificateFor(testConfig(folder.path))
    const TLS_CERT = join(folder.path, 'cert.pem')
    await writeFile(TLS_CERT, cert)
    expect(await refusalOf(folder.path, { TLS_CERT, TLS_KEY: join(folder.path, 'missing.pem') })).toMatch(
      /^TLS_KEY is ".*missing\.pem", which cannot be read \(ENOENT\)/,
    )
  })
})

test('the start says where documents are, and warns of a limit that does not exist', async () => {
  await using folder = await temporaryFolder()
  await using program = startServerProgram({ DATA_DIR: folder.path, LIMIT_GUESTS: '3' })
  await waitUntilReady(program)
  expect(program.stdout()).toContain(`Documents are in ${folder.path}. Ctrl+C ends.`)
  expect(JSON.parse(program.stderr())).toMatchObject({
    level: 40,
    setting: 'LIMIT_GUESTS',
    msg: 'there is no setting of this name, and its value is ignored',
  })
})

describe.concurrent('signals', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends the program with 0, whatever still hangs',
    async (signal) => {
      await using folder = await temporaryFolder()
      await using program = startServerProgram({ DATA_DIR: folder.path })
      const server = await waitUntilReady(program)
      expect((await httpClients.h2(server, '/healthz')).status).toBe(200)
      await once(hangingRequest(server.http), 'continue')
      await httpClients['http/1.1'](server, '/healthz')
      program.process.kill(signal)
      expect((await program.ended).code).toBe(0)
    },
  )

  test('a second signal ends the program at once', async () => {
    await using folder = await temporaryFolder()
    await using program = startServerProgram({ DATA_DIR: folder.path, LOG_LEVEL: 'info' })
    await once(hangingRequest((await waitUntilReady(program)).http), 'continue')
    program.process.kill('SIGTERM')
    while (!program.stderr().includes('draining')) await once(program.process.stderr, 'data')
    program.process.kill('SIGTERM')
    expect((await program.ended).code).toBe(1)
  })
})

/** Each thread of the store ends while a file `.deadly` lies beside its database. */
const MORTAL_STORE =
  'data:text/javascript,import{existsSync}from"node:fs";import{workerData}from"node:worker_threads";if(String(workerData).endsWith(".sqlite"))setInterval(()=>existsSync(workerData+".deadly")&&process.exit(9),10).unref()'

test(
  '[D3] a store whose thread dies again and again ends the program with 74, and with the reason',
  { timeout: 60_000 },
  async () => {
    await using folder = await temporaryFolder()
    await using program = startServerProgram({ DATA_DIR: folder.path }, { preloaded: [MORTAL_STORE] })
    await waitUntilReady(program)
    await writeFile(join(folder.path, 'diptych.sqlite.deadly'), '')
    const { code, stderr } = await program.ended
    expect(stderr).toContain(
      'Diptych ends: its database could not be kept open. The thread of the store died',
    )
    expect(code).toBe(EXIT.store)
  },
)

/** Sends a request whose body is announced and never comes. The server has the request once it answers `continue`. */
function hangingRequest(origin: string): http.ClientRequest {
  const { port } = new URL(origin)
  const options = { method: 'POST', host: '127.0.0.1', port, path: '/api/documents', agent: false }
  const request = http
    .request({ ...options, headers: { 'content-length': 100, expect: '100-continue' } })
    .on('error', () => {})
  request.flushHeaders()
  return request
}
