/** Stock clients whose server holds as much unsaved as it may: they come back with what they typed, and lose nothing (D3). */
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { docOfUpdates } from '../fixtures/doc-of-updates.ts'
import { createHoldableStore } from '../fixtures/holdable-store.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { createStockProvider } from '../fixtures/stock-provider.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { createRooms } from '../rooms/create-rooms.ts'
import { UNSAVED_EDIT_BYTES, UnsavedEdits } from '../rooms/unsaved-edits.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'
import { textOf, waitForSync } from './fixtures/stock-clients.ts'
import { createStockGateway } from './y-websocket.ts'

test('[D3] what a stock client typed while the store failed is saved once, in its order, when it heals', async () => {
  const folder = await temporaryFolder()
  const { documents } = await openSqliteStore({ file: join(folder.path, 'diptych.sqlite') })
  const store = createHoldableStore(documents)
  const unsaved = new UnsavedEdits({ document: 4 * UNSAVED_EDIT_BYTES, principal: Infinity, all: Infinity })
  const access = { roleOf: async () => 'editor' as const, onChanged: () => () => {} }
  const rooms = createRooms({ store, access, log: silentLogger, onTitle: async () => {}, unsaved })
  const server = await GatewayTestServer.start((parts) => [createStockGateway({ ...parts, rooms })])
  const id = newDocumentId()
  const provider = createStockProvider(server.http, id, { token: 'a' })
  onTestFinished(async () => {
    provider.destroy()
    store.failWith(null)
    await server.close()
    await rooms.close()
    await store.close()
    await folder[Symbol.asyncDispose]()
  })
  await waitForSync(provider)
  const hold = vi.spyOn(unsaved, 'hold')
  const isRefused = () => hold.mock.results.some(({ type }) => type === 'throw')
  store.failWith(new Error('disk full'))
  const words = Array.from({ length: 20 }, (_, index) => `${index} `)
  for (const word of words) textOf(provider.doc).insert(textOf(provider.doc).length, word)
  await waitUntil(isRefused)
  expect(unsaved.bytes).toBeLessThanOrEqual(4 * UNSAVED_EDIT_BYTES)
  store.failWith(null)
  const readStored = async () => textOf(docOfUpdates((await store.load(id, 'body')).updates)).toJSON()
  await waitUntil(async () => (await readStored()) === words.join(''))
  await waitUntil(() => unsaved.bytes === 0)
})
