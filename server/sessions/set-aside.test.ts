import { expect, test, vi } from 'vitest'
import { hastyClock, until, World } from './fixtures/world.ts'

test('[A7] a window whose document is set aside says why, keeps what is written, and goes on by itself once it is healed', async () => {
  const world = await World.open()
  const writer = world.window('ada')
  await writer.whenSynced
  writer.doc.getText('trace').insert(0, 'text')
  await writer.whenSaved()
  await world.restart()
  const loaded = { updates: [Uint8Array.of(1, 2, 3)], sequence: 1, logLength: 1 }
  vi.spyOn(world.store, 'load').mockResolvedValue(loaded) // heals with the next server
  const late = world.window('bob', { clock: hastyClock })
  await until(() => late.status.get().setAside !== undefined)
  expect(late.status.get()).toMatchObject({ document: { state: 'loading' }, setAside: { code: 'set-aside' } })
  late.doc.getText('trace').insert(0, 'written meanwhile ')
  expect(late.status.get().unsaved).toBe(1)
  await world.restart()
  await late.whenSaved()
  expect(late.status.get().setAside).toBeUndefined()
  expect(late.doc.getText('trace').toJSON()).toContain('text')
})
