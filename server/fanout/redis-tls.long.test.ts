/** A server as a process, because what it trusts beside the usual authorities is said to the whole process. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { authorityFile, certificateFor } from '../certificate.ts'
import { EXIT } from '../exit-codes.ts'
import { startServerProgram, waitUntilReady } from '../fixtures/server-program.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { testConfig } from '../fixtures/test-server.ts'
import { leaseDatabase, type TestDatabase } from '../store/fixtures/postgres-databases.ts'
import { describePostgres } from '../store/fixtures/postgres-fixture.ts'
import { describeRedis } from './fixtures/describe-redis.ts'
import { startSecureRedisServer } from './fixtures/redis-server.ts'

describeRedis('a Redis over TLS by an authority of one’s own', () => {
  describePostgres('and PostgreSQL', () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let database: TestDatabase
    let redis: Awaited<ReturnType<typeof startSecureRedisServer>>
    beforeAll(async () => {
      ;[folder, database] = [await temporaryFolder(), await leaseDatabase()]
      const { cert, key } = await certificateFor(testConfig(folder.path))
      const files = { cert: join(folder.path, 'redis.pem'), key: join(folder.path, 'redis.key') }
      await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)])
      redis = await startSecureRedisServer(files)
    })
    afterAll(async () => {
      await redis[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    })

    const start = (environment: Readonly<Record<string, string>> = {}) =>
      startServerProgram({
        DATA_DIR: join(folder.path, 'data'),
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        ...environment,
      })

    test('carries the messages where NODE_EXTRA_CA_CERTS names the authority', async () => {
      await using program = start({ NODE_EXTRA_CA_CERTS: await authorityFile(folder.path) })
      const { http } = await waitUntilReady(program)
      const metrics = async () => (await fetch(`${http}/metrics`)).text()
      await waitUntil(async () => (await metrics()).includes('diptych_fanout{status="connected"} 1'))
    })

    test('whose certificate is not trusted is one sentence and no start', async () => {
      await using program = start()
      const { code, stdout, stderr } = await program.ended
      const sentences = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
      expect([code, stdout, sentences]).toEqual([
        EXIT.failed,
        '',
        [expect.stringMatching(/: Redis at rediss:\/\/localhost:\d+ cannot be used: .*certificate.*\.$/)],
      ])
    })
  })
})
