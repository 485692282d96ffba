import { expect, test, vi } from 'vitest'
import { fastClock, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

test('[A7] a window whose document is set aside shows why, keeps what is written, and goes on by itself once it is healed', async () => {
  const fixture = await SessionFixture.open()
  const writer = fixture.openWindow('ada')
  await writer.whenSynced
  writer.doc.getText('trace').insert(0, 'text')
  await writer.whenSaved()
  await fixture.restart()
  const loaded = { updates: [Uint8Array.of(1, 2, 3)], sequence: 1, logLength: 1 }
  vi.spyOn(fixture.store, 'load').mockResolvedValue(loaded) // the next server heals it
  const late = fixture.openWindow('bob', { clock: fastClock })
  await waitUntil(() => late.status.get().setAside !== undefined)
  expect(late.status.get()).toMatchObject({ document: { state: 'loading' }, setAside: { code: 'set-aside' } })
  late.doc.getText('trace').insert(0, 'written meanwhile ')
  expect(late.status.get().unsaved).toBe(1)
  await fixture.restart()
  await late.whenSaved()
  expect(late.status.get().setAside).toBeUndefined()
  expect(late.doc.getText('trace').toJSON()).toContain('text')
})
