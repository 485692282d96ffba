import { expect, test, vi } from 'vitest'
import { Meter } from '../metering/meter.ts'
import { RoomRefusal } from '../rooms/rooms.ts'
import { textOf, type, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

test('[A6] a window that is asked to wait keeps its edits as unsaved, sends them again after that time, and keeps its link', async () => {
  const fixture = await SessionFixture.open()
  const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob')]
  await Promise.all([ada.whenSynced, bob.whenSynced])
  type(ada, 'one ')
  await ada.whenSaved()
  let refusals = 0
  const admit = vi.spyOn(Meter.prototype, 'admit').mockImplementation(() => {
    refusals += 1
    throw new RoomRefusal({ code: 'overloaded', retryAfterMs: 20 })
  })
  const { links } = ada.stats()
  type(ada, 'two ')
  await waitUntil(() => refusals > 0)
  type(ada, 'three ')
  expect(ada.status.get().unsaved).toBe(2)
  // It retries by itself, and is refused again.
  await waitUntil(() => refusals > 2)
  expect(ada.status.get().unsaved).toBe(2)
  expect(textOf(bob)).toBe('one ')
  admit.mockRestore()
  await ada.whenSaved()
  await waitUntil(() => textOf(bob) === 'one two three ')
  expect(textOf({ doc: await fixture.readStored() })).toBe('one two three ')
  expect(ada.stats().links).toBe(links)
})
