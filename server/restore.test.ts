/** Rehearses a restore from a backup, on the real server. */
import { copyFile, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { apiStrings } from '../lib/strings/api.ts'
import { RealServer } from './fixtures/real-server.ts'
import { createLogger } from './logger.ts'
import { RECOVERY_MS } from './rooms/client-owners.ts'
import { waitUntil } from '../lib/fixtures/wait.ts'

const route = { transport: 'websocket', scheme: 'http' } as const

function versionNamesOf(file: string, document: string): unknown[] {
  using database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('select name from versions where document = ?').all(document)
  return rows.map(({ name }) => name)
}

/** Backs up the running server as the manual describes. */
function createBackup(file: string): string {
  using database = new DatabaseSync(file, { readOnly: true })
  database.prepare('vacuum into ?').run(`${file}-backup`)
  return `${file}-backup`
}

test('[A5] an open window brings back what a restored backup lacks, others’ text included, and a version records it', async () => {
  const lines: string[] = []
  const log = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) })
  await using server = await RealServer.start({ log })
  const shared = await server.createDocument()
  const alice = server.openDocument(shared, route)
  const bob = server.openDocument(shared, route, 'other')
  const type = async (author: typeof alice, text: string) => {
    await author.whenSynced
    author.doc.getText('trace').insert(author.doc.getText('trace').length, text)
    await author.whenSaved()
  }
  await type(alice, 'kept')
  const backup = createBackup(server.databaseFile)
  await type(alice, ', lost')
  await waitUntil(() => bob.doc.getText('trace').toJSON() === 'kept, lost')
  await type(bob, ', and by Bob')
  await alice.close()
  await server.stop()
  await Promise.all(['-wal', '-shm'].map((part) => rm(server.databaseFile + part, { force: true })))
  await copyFile(backup, server.databaseFile)
  expect(lines.join('')).not.toContain('the store was restored')
  const restoredAt = Date.now()
  await server.start()
  const line = lines.find((text) => text.includes('the store was restored'))!
  const { until } = JSON.parse(line) as { until: string }
  expect(Date.parse(until)).toBeGreaterThanOrEqual(restoredAt + RECOVERY_MS)

  const reader = server.openDocument(shared, route, 'viewer')
  await waitUntil(() => reader.doc.getText('trace').toJSON() === 'kept, lost, and by Bob')
  await waitUntil(() => versionNamesOf(server.databaseFile, shared.id).includes(apiStrings.version.recovered))
  expect(bob.status.get()).toMatchObject({ document: { state: 'synced' } })
  expect(bob.status.get().refusal).toBeUndefined()
  await Promise.all([reader.close(), bob.close()])
})
