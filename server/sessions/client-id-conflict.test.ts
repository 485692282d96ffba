import { describe, expect, test } from 'vitest'
import { fastClock, type FixtureWindow, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

const textOf = ({ doc }: FixtureWindow): string => doc.getText('trace').toJSON()
const type = ({ doc }: FixtureWindow, text: string): void =>
  doc.getText('trace').insert(doc.getText('trace').length, text)

async function openAndType(fixture: SessionFixture, name: string, text: string): Promise<FixtureWindow> {
  const window = fixture.openWindow(name)
  await window.whenSynced
  type(window, text)
  await window.whenSaved()
  return window
}

describe('[A5] a window whose client id is somebody else’s', () => {
  test('takes another id before it writes, and both go on', async () => {
    const fixture = await SessionFixture.open()
    const ada = await openAndType(fixture, 'ada', 'ada')
    const bob = fixture.openWindow('bob')
    bob.doc.clientID = ada.doc.clientID
    await bob.whenSynced
    expect(bob.doc.clientID).not.toBe(ada.doc.clientID)
    type(bob, ', bob')
    await bob.whenSaved()
    await waitUntil(() => textOf(ada) === 'ada, bob')
    type(ada, ', ada')
    await ada.whenSaved()
    await waitUntil(() => textOf(bob) === 'ada, bob, ada')
    const isSeen = (by: FixtureWindow, { doc }: FixtureWindow): boolean =>
      by.awareness.getStates().has(doc.clientID)
    await waitUntil(() => isSeen(ada, bob) && isSeen(bob, ada))
    expect(bob.awareness.clientID).toBe(bob.doc.clientID)
  })

  test('takes another id when it returns as another principal, and all that it had written is saved', async () => {
    const fixture = await SessionFixture.open()
    const ada = await openAndType(fixture, 'ada', 'ada')
    const { clientID } = ada.doc
    ada.signInAs('eve')
    ada.network.cut()
    await waitUntil(() => ada.doc.clientID !== clientID)
    type(ada, ', eve')
    await ada.whenSaved()
    expect((await fixture.readStored()).getText('trace').toJSON()).toBe('ada, eve')
  })

  test('shows the refusal if it has written already, keeps the text, and stores nothing of it', async () => {
    const fixture = await SessionFixture.open()
    const ada = await openAndType(fixture, 'ada', 'ada')
    const bob = fixture.openWindow('bob')
    bob.doc.clientID = ada.doc.clientID
    type(bob, 'too early')
    await expect(bob.whenSynced).rejects.toThrow()
    expect(bob.status.get()).toMatchObject({
      document: { state: 'refused', reason: { code: 'taken' } },
      unsaved: 1,
    })
    expect(textOf(bob)).toBe('too early')
    type(ada, '!')
    await ada.whenSaved()
    expect((await fixture.readStored()).getText('trace').toJSON()).toBe('ada!')
  })
})

describe('[A5] a window that has only a share link’s token, and never got the answer to its first hello,', () => {
  test('keeps its client id in the session that follows, and what was written meanwhile is saved', async () => {
    const fixture = await SessionFixture.open()
    const ada = fixture.openWindow('link', { isByLink: true, clock: fastClock })
    ada.network.linksWithoutAnswers = 1
    const { clientID } = ada.doc
    type(ada, 'typed at once')
    await ada.whenSaved()
    expect([ada.network.lines.length, fixture.sessions.count]).toEqual([2, 2])
    expect(ada.doc.clientID).toBe(clientID)
    expect((await fixture.readStored()).getText('trace').toJSON()).toBe('typed at once')
  })
})
