/** The drill of docs/operations/moving.md: a backup while people write, the loss of the whole folder, a restore. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { openDocument } from '../../lib/client.ts'
import { startChild } from '../../server/fixtures/child-process.ts'
import { mainRoutes } from '../../server/fixtures/real-server.ts'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import { exportStore } from '../../server/store/moving/export-store.ts'
import { importStore } from '../../server/store/moving/import-store.ts'
import { locateStore } from '../../server/store/moving/store-location.ts'
import { temporaryFolder } from '../../server/fixtures/temporary-folder.ts'
import { createDiptychWriters, type DiptychWriter } from '../fixtures/chaos-writers.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { findViolations, type TokenLedger, type TokenState } from '../fixtures/oracle.ts'

/** Returns the hash of the content that the command names. */
async function runBackup(dataDir: string, file: string): Promise<string> {
  await using child = startChild(process.execPath, ['scripts/store.ts', 'backup', file], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir } as unknown as NodeJS.ProcessEnv,
  })
  const { code, stdout, stderr } = await child.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return /sha256 ([\da-f]{64})/.exec(stdout)![1]!
}

/** Returns what must hold of each token in a text that is as old as the backup, or a little younger. */
function ledgerOf({ ledger }: DiptychWriter, before: TokenLedger): TokenLedger {
  const stateOf = (token: string, now: TokenState): TokenState => {
    const then = before.get(token) ?? 'written'
    return then === 'saved' && now !== 'saved' ? 'deleting' : then
  }
  return new Map([...ledger].map(([token, now]) => [token, stateOf(token, now)]))
}

test('everything that was acknowledged before a backup began is there after a restore, and the hash agrees', async () => {
  await using folder = await temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const file = join(folder.path, 'backup')
  await using server = await KillableServer.start({ folder: dataDir })
  const document = await createSharedDocument(server.origins.http)
  const createRandom = (name: string) => createSeededRandom(17, name)
  const writers = createDiptychWriters(server.origins, document, createRandom, mainRoutes)
  const stop = new AbortController()
  const acknowledgedCount = () => Math.min(...writers.map((writer) => writer.acknowledgedCount))
  try {
    await Promise.all(writers.map((writer) => writer.waitUntilSynced()))
    for (const writer of writers) writer.start(stop.signal)
    await waitUntil(() => acknowledgedCount() > 20)
    const ledgersBefore = writers.map(({ ledger }) => new Map(ledger))
    const hash = await runBackup(dataDir, file)
    const countThen = acknowledgedCount()
    await waitUntil(() => acknowledgedCount() > countThen)
    await server.kill()
    stop.abort()
    // No window is left that could bring back what the backup lacks.
    await Promise.all(writers.map((writer) => writer.close()))
    await rm(dataDir, { recursive: true })

    const location = await locateStore({ dataDir, databaseUrl: null, filesDir: null })
    expect(await importStore(location, file, { files: true })).toMatchObject({ hash })
    expect(await exportStore(location, join(folder.path, 'export'))).toMatchObject({ hash })
    await server.start()
    // The link's token still works: its digest is in the database, and the secret is the former one.
    const url = server.origins.http
    const reader = openDocument({
      url,
      document: document.id,
      token: document.tokens.viewer,
      transport: 'websocket',
    })
    await reader.whenSynced
    const ledgers = writers.map((writer, index) => ledgerOf(writer, ledgersBefore[index]!))
    expect(findViolations(reader.doc, ledgers)).toEqual([])
    expect(
      ledgers.flatMap((ledger) => [...ledger.values()]).filter((state) => state === 'saved').length,
    ).toBeGreaterThan(40)
    await reader.close()
  } finally {
    stop.abort()
    await Promise.allSettled(writers.map((writer) => writer.close()))
  }
})
