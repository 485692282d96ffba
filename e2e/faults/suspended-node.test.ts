/** Suspends a node for longer than its lease, as a virtual machine is: nothing is lost on its connections, and it learns of nothing. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { createSharedDocument, openSharedDocument } from '../../server/fixtures/shared-document.ts'
import { temporaryFolder } from '../../server/fixtures/temporary-folder.ts'
import { leaseDatabase } from '../../server/store/fixtures/postgres-databases.ts'
import { describePostgres } from '../../server/store/fixtures/postgres-fixture.ts'
import { KillableServer } from '../fixtures/killable-server.ts'

describePostgres('a node that was suspended for longer than its lease', () => {
  test('[W7] who is there is seen again once it goes on, though nobody there writes or moves', async () => {
    await using database = await leaseDatabase()
    await using folder = await temporaryFolder()
    const environment = { DATABASE_URL: database.url, SECRET_FILE: join(folder.path, 'secret') }
    await using suspended = await KillableServer.start({ environment })
    await using other = await KillableServer.start({ environment })
    const shared = await createSharedDocument(other.origins.http)
    const quiet = openSharedDocument(suspended.origins.http, shared, 'websocket')
    const witness = openSharedDocument(other.origins.http, shared, 'websocket', 'other')
    await Promise.all([quiet.whenSynced, witness.whenSynced])
    quiet.awareness.setLocalState({ user: { name: 'Ada' }, cursor: null })
    const isSeen = (): boolean => witness.awareness.getStates().has(quiet.doc.clientID)
    await waitUntil(isSeen, 'everybody to be there')
    process.kill(suspended.pid, 'SIGSTOP')
    try {
      await waitUntil(() => !isSeen(), 'the node to be taken for gone')
    } finally {
      process.kill(suspended.pid, 'SIGCONT')
    }
    await waitUntil(isSeen, 'them to be seen again')
    expect(quiet.stats().links).toBe(1) // its window noticed nothing
    await Promise.all([quiet.close(), witness.close()])
  }, 120_000)
})
