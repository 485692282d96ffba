import { describe, expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import { SessionFixture, textOf, type } from './fixtures/session-fixture.ts'

describe('refusals', () => {
  test('[A4] a viewer’s write is refused with the reason, and the window never shows Saved again', async () => {
    const fixture = await SessionFixture.open()
    const [ada, eve] = [fixture.openWindow('ada'), fixture.openWindow('eve', { role: 'viewer' })]
    await Promise.all([ada.whenSynced, eve.whenSynced])
    expect(eve.status.get().document).toEqual({ state: 'synced', role: 'viewer' })
    type(eve, 'graffiti')
    await expect(eve.whenSaved()).rejects.toThrow('You can only view this document.')
    expect(eve.status.get()).toMatchObject({ unsaved: 1, refusal: { code: 'forbidden' } })
    type(ada, 'fine')
    await waitUntil(() => textOf(eve).includes('fine'))
    expect(textOf(ada)).toBe('fine')
    eve.network.cut()
    await waitUntil(() => eve.stats().links === 2 && eve.status.get().link.state === 'up')
    type(ada, '!')
    await waitUntil(() => textOf(eve).includes('!'))
    expect(eve.status.get()).toMatchObject({ unsaved: 1, refusal: { code: 'forbidden' } })
    expect(textOf({ doc: await fixture.readStored() })).toBe('fine!')
  })

  test('[A4] a viewer’s window that only cleans up after others is not refused for writing', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob, eve] = [
      fixture.openWindow('ada'),
      fixture.openWindow('bob'),
      fixture.openWindow('eve', { role: 'viewer' }),
    ]
    await Promise.all([ada.whenSynced, bob.whenSynced, eve.whenSynced])
    type(ada, 'bold twice')
    await waitUntil(() => textOf(bob) === textOf(ada) && textOf(eve) === textOf(ada))
    // Both at once: Yjs deletes the surplus marks in every replica that receives them.
    for (const { network } of [ada, bob]) network.offline()
    for (const { doc } of [ada, bob]) doc.getText('title').format(0, 4, { bold: true })
    for (const { network } of [ada, bob]) network.online()
    await Promise.all([ada.whenSaved(), bob.whenSaved()])
    type(ada, '!')
    const late = fixture.openWindow('late', { role: 'viewer' })
    await late.whenSynced
    await waitUntil(() => textOf(eve) === 'bold twice!')
    for (const window of [eve, late]) {
      await window.whenSaved()
      expect(window.status.get()).toMatchObject({ unsaved: 0, document: { role: 'viewer' } })
    }
  })

  test('[A4] a role is lowered or raised while a window is open', async () => {
    const fixture = await SessionFixture.open()
    const eve = fixture.openWindow('eve')
    await eve.whenSynced
    const roles: unknown[] = []
    eve.status.subscribe(() => roles.push(eve.status.get().document))
    fixture.grant(eve, 'viewer')
    await waitUntil(() => roles.some((role) => JSON.stringify(role).includes('viewer')))
    fixture.grant(eve, 'editor')
    await waitUntil(() => JSON.stringify(roles.at(-1)).includes('editor'))
    type(eve, 'mine again')
    await eve.whenSaved()
  })

  test('[A4] after a refusal nothing that builds on it is sent, even when the role is back', async () => {
    const fixture = await SessionFixture.open()
    const [ada, eve] = [fixture.openWindow('ada'), fixture.openWindow('eve', { role: 'viewer' })]
    await Promise.all([ada.whenSynced, eve.whenSynced])
    type(eve, 'refused')
    await expect(eve.whenSaved()).rejects.toThrow()
    fixture.grant(eve, 'editor')
    await waitUntil(() => JSON.stringify(eve.status.get().document).includes('editor'))
    type(eve, ' builds on it')
    type(ada, 'after')
    await waitUntil(() => textOf(eve).includes('after'))
    expect(eve.status.get()).toMatchObject({ unsaved: 2, link: { state: 'up' } })
    expect(textOf(ada)).toBe('after')
  })

  test('[A4] a revoked role ends the document in that window alone', async () => {
    const fixture = await SessionFixture.open()
    const [ada, eve] = [fixture.openWindow('ada'), fixture.openWindow('eve')]
    await Promise.all([ada.whenSynced, eve.whenSynced])
    fixture.grant(eve, null)
    await waitUntil(() => eve.status.get().document.state === 'refused')
    type(ada, 'private')
    await ada.whenSaved()
    await expect(eve.whenSaved()).rejects.toThrow('There is no such document, or you may not see it.')
    expect(textOf(eve)).toBe('')
  })

  test('[T6] an edit over MAX_MESSAGE_BYTES is refused with the limit in the reason, and never shown as saved', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob')]
    await Promise.all([ada.whenSynced, bob.whenSynced])
    type(ada, 'p'.repeat(MAX_MESSAGE_BYTES))
    await expect(ada.whenSaved()).rejects.toThrow(/over the limit of 33554432 \(MAX_MESSAGE_BYTES\)/)
    type(ada, 'more')
    ada.network.cut()
    type(bob, 'bob')
    await waitUntil(() => textOf(ada).includes('bob'))
    expect(ada.status.get()).toMatchObject({
      unsaved: 2,
      link: { state: 'up' },
      refusal: { code: 'too-large' },
    })
    expect(textOf(bob)).toBe('bob')
  })

  test('[T6] the same holds for text that was pasted before the document loaded', async () => {
    const fixture = await SessionFixture.open()
    const ada = fixture.openWindow('ada')
    ada.network.offline()
    type(ada, 'p'.repeat(MAX_MESSAGE_BYTES))
    ada.network.online()
    await expect(ada.whenSaved()).rejects.toThrow(/MAX_MESSAGE_BYTES/)
    expect(ada.status.get()).toMatchObject({
      unsaved: 1,
      link: { state: 'up' },
      document: { state: 'synced' },
    })
  })

  test('an invalid id and a document without a grant are refused', async () => {
    const fixture = await SessionFixture.open()
    const wrong = fixture.openWindow('ada', { document: 'no-id' })
    await expect(wrong.whenSynced).rejects.toThrow('That is not a document id.')
    const eve = fixture.openWindow('eve')
    fixture.grant(eve, null)
    await expect(eve.whenSynced).rejects.toThrow('There is no such document')
  })
})
