/** [A6] Over real connections: what does not fit stays in its window, and is sent as soon as there is room. */
import { expect, test } from 'vitest'
import { RealServer } from '../fixtures/real-server.ts'
import { createSharedDocument } from '../fixtures/shared-document.ts'

const MIB = 1024 * 1024
const route = { transport: 'websocket', scheme: 'https' } as const

test('a window keeps what does not fit, and goes on by itself once a document is deleted for good', async () => {
  await using server = await RealServer.start({ environment: { LIMIT_STORAGE_OF_PERSON: '1' } })
  const origin = server.origin('http')
  const other = await server.createDocument()
  const shared = await createSharedDocument(origin, {}, other.cookie)
  const type = (text: string, document: ReturnType<typeof server.openDocument>) =>
    document.doc.getText('trace').insert(0, text)
  const filled = server.openDocument(other, route)
  const ada = server.openDocument(shared, route)
  for (const opened of [filled, ada])
    await expect.poll(() => opened.status.get().document.state).toBe('synced')
  type('x'.repeat(0.7 * MIB), filled)
  await expect.poll(() => filled.status.get().unsaved).toBe(0)
  await filled.close()

  type('y'.repeat(0.4 * MIB), ada)
  await expect.poll(() => ada.status.get().setAside).toMatchObject({ code: 'full' })
  type('z', ada)
  expect(ada.status.get()).toMatchObject({ unsaved: 2, document: { state: 'synced' } })
  expect(ada.status.get().refusal).toBeUndefined()
  const headers = { origin, cookie: other.cookie }
  for (const path of ['documents', 'trash'])
    await fetch(`${origin}/api/${path}/${other.id}`, { method: 'DELETE', headers })
  await expect.poll(() => ada.status.get()).toMatchObject({ unsaved: 0 })
  expect(ada.status.get().setAside).toBeUndefined()
  await ada.close()
  await server.stop()
  const stored = await server.readStoredDocument(shared.id)
  expect(stored.getText('trace').length).toBe(Math.floor(0.4 * MIB) + 1)
})
