/** The drill of a restore from a backup, on the real server. */
import { copyFile, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { strings } from '../lib/strings/api.ts'
import { RealServer, until } from './fixtures/real-server.ts'

const way = { transport: 'websocket', scheme: 'http' } as const

function namesOfVersions(file: string, document: string): unknown[] {
  using database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('select name from versions where document = ?').all(document)
  return rows.map(({ name }) => name)
}

/** Of the running server, as the manual has it. */
function backUp(file: string): string {
  using database = new DatabaseSync(file, { readOnly: true })
  database.prepare('vacuum into ?').run(`${file}-backup`)
  return `${file}-backup`
}

test('[A5] an open window brings back what a restored backup lacks, others’ text included, and a version says so', async () => {
  await using server = await RealServer.start()
  const shared = await server.newDocument()
  const alice = server.open(shared, way)
  const bob = server.open(shared, way, 'other')
  const type = async (who: typeof alice, text: string) => {
    await who.whenSynced
    who.doc.getText('trace').insert(who.doc.getText('trace').length, text)
    await who.whenSaved()
  }
  await type(alice, 'kept')
  const backup = backUp(server.file)
  await type(alice, ', lost')
  await until(() => bob.doc.getText('trace').toJSON() === 'kept, lost')
  await type(bob, ', and by Bob')
  await alice.close()
  await server.stop()
  await Promise.all(['-wal', '-shm'].map((part) => rm(server.file + part, { force: true })))
  await copyFile(backup, server.file)
  await server.start()

  const reader = server.open(shared, way, 'viewer')
  await until(() => reader.doc.getText('trace').toJSON() === 'kept, lost, and by Bob')
  await until(() => namesOfVersions(server.file, shared.id).includes(strings.version.recovered))
  expect(bob.status.get()).toMatchObject({ document: { state: 'synced' } })
  expect(bob.status.get().refusal).toBeUndefined()
  await Promise.all([reader.close(), bob.close()])
})
