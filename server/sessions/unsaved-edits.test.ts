/** Windows whose server holds as much unsaved as it may: they keep their edits, and lose and double nothing (D3). */
import { expect, test, vi } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { UNSAVED_EDIT_BYTES, UnsavedEdits } from '../rooms/unsaved-edits.ts'
import { SessionFixture, textOf, type } from './fixtures/session-fixture.ts'

test.each(['websocket', 'long-poll'] as const)(
  '[D3] by %s: what a window typed while the store failed is saved once, in its order, when it heals',
  async (transport) => {
    const unsaved = new UnsavedEdits({ document: 4 * UNSAVED_EDIT_BYTES, principal: Infinity, all: Infinity })
    const fixture = await SessionFixture.open({ unsaved })
    const [ada, bob] = [fixture.openWindow('ada', { transport }), fixture.openWindow('bob', { transport })]
    await Promise.all([ada.whenSynced, bob.whenSynced])
    const hold = vi.spyOn(unsaved, 'hold')
    const isRefused = () => hold.mock.results.some((result) => result.type === 'throw')
    fixture.store.failWith(new Error('disk full'))
    const words = Array.from({ length: 20 }, (_, index) => `${index} `)
    for (const word of words) {
      type(ada, word)
      await new Promise((resolve) => setImmediate(resolve)) // each is an edit of its own
    }
    await waitUntil(isRefused)
    expect(unsaved.bytes).toBeLessThanOrEqual(4 * UNSAVED_EDIT_BYTES)
    expect(ada.status.get().unsaved).toBeGreaterThan(4)
    const { links } = ada.stats()
    fixture.store.failWith(null)
    await ada.whenSaved()
    await waitUntil(() => textOf(bob) === words.join(''))
    expect(textOf({ doc: await fixture.readStored() })).toBe(words.join(''))
    expect([ada.stats().links, unsaved.bytes]).toEqual([links, 0])
  },
)
