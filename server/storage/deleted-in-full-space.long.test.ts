/** [A6] A window that is paused for want of space, over a real connection. */
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { RealServer } from '../fixtures/real-server.ts'

const MIB = 1024 * 1024
/** A paused window is retried every 15 s: three times here. */
const LIMIT_MS = 120_000
const route = { transport: 'websocket', scheme: 'https' } as const

test(
  'text that is deleted again takes no space, although Undo keeps it: its window is saved',
  async () => {
    await using server = await RealServer.start({ environment: { LIMIT_STORAGE_OF_PERSON: '1' } })
    const shared = await server.createDocument()
    const ada = server.openDocument(shared, route)
    await expect.poll(() => ada.status.get().document.state).toBe('synced')
    const text = ada.doc.getText('trace')
    const undo = new Y.UndoManager(text)
    text.insert(0, 'kept ')
    undo.stopCapturing()
    text.insert(5, 'y'.repeat(2 * MIB))
    await expect.poll(() => ada.status.get().setAside).toMatchObject({ code: 'full' })
    undo.stopCapturing()
    text.delete(5, 2 * MIB)
    await expect.poll(() => ada.status.get()).toMatchObject({ unsaved: 0 })
    const bob = server.openDocument(shared, route, 'other')
    await expect.poll(() => bob.doc.getText('trace').toJSON()).toBe('kept ')
    undo.undo()
    expect(text.toJSON()).toHaveLength(5 + 2 * MIB)
    text.delete(6, 2 * MIB - 1)
    await expect.poll(() => bob.doc.getText('trace').toJSON()).toBe('kept y')
    await Promise.all([ada.close(), bob.close()])
  },
  LIMIT_MS,
)
