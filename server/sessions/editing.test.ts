import { describe, expect, test } from 'vitest'
import type * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { SessionFixture, textOf, type } from './fixtures/session-fixture.ts'

describe('a document in several windows', () => {
  test('everybody sees what one types, and all of it is saved', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob', { transport: 'sse' })]
    await Promise.all([ada.whenSynced, bob.whenSynced])
    type(ada, 'Hello')
    await waitUntil(() => textOf(bob) === 'Hello')
    type(bob, ' there')
    await Promise.all([ada.whenSaved(), bob.whenSaved()])
    await waitUntil(() => textOf(ada) === 'Hello there')
    expect(textOf({ doc: await fixture.readStored() })).toBe('Hello there')
  })

  test('edits that arrive together are one transaction, so that the page lays out its text once', async () => {
    const fixture = await SessionFixture.open()
    const writers = Array.from({ length: 8 }, (_, index) => fixture.openWindow(`writer ${index}`))
    const reader = fixture.openWindow('reader')
    await Promise.all([...writers, reader].map(({ whenSynced }) => whenSynced))
    let transactions = 0
    reader.doc.on('afterTransaction', ({ local }) => (transactions += local ? 0 : 1))
    for (const writer of writers) type(writer, 'x')
    await waitUntil(() => textOf(reader).length === writers.length)
    expect(transactions).toBeLessThan(writers.length)
  })

  test('[S3] a cut link is resumed: the document is not sent again', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob')]
    await Promise.all([ada.whenSynced, bob.whenSynced])
    type(ada, 'x'.repeat(100_000))
    await waitUntil(() => textOf(bob).length === 100_000)
    for (let turn = 0; turn < 5; turn++) {
      const before = bob.stats()
      bob.network.cut()
      type(ada, `${turn}`)
      type(bob, '!')
      await waitUntil(() => textOf(bob).length === textOf(ada).length && textOf(bob).includes(`${turn}`))
      await bob.whenSaved()
      const { bytesUp, bytesDown, links } = bob.stats()
      expect(links).toBe(before.links + 1)
      expect(bytesUp - before.bytesUp).toBeLessThan(2_000)
      expect(bytesDown - before.bytesDown).toBeLessThan(2_000)
    }
    expect(fixture.sessions.count).toBe(2)
  })

  test('[S3] after a restart both sides exchange state vectors and the text is the same', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob', { transport: 'sse' })]
    await Promise.all([ada.whenSynced, bob.whenSynced])
    type(ada, 'before ')
    await waitUntil(() => textOf(bob) === 'before ')
    ada.network.offline()
    bob.network.offline()
    type(ada, 'ada ')
    type(bob, 'bob ')
    bob.doc.getText('title').delete(0, 3) // only this moves no clock
    expect([ada.status.get().unsaved, bob.status.get().unsaved]).toEqual([1, 2])
    await fixture.restart()
    ada.network.online()
    bob.network.online()
    await Promise.all([ada.whenSaved(), bob.whenSaved()])
    await waitUntil(() => textOf(ada) === textOf(bob))
    expect(textOf(ada)).toMatch(/^ore (ada bob |bob ada )$/)
    expect(textOf({ doc: await fixture.readStored() })).toBe(textOf(ada))
  })

  test('[S3] a deletion alone, made offline, arrives', async () => {
    const fixture = await SessionFixture.open()
    const ada = fixture.openWindow('ada')
    type(ada, 'abc')
    await ada.whenSaved()
    ada.network.offline()
    ada.doc.getText('title').delete(1, 1)
    await fixture.restart()
    ada.network.online()
    await ada.whenSaved()
    expect(textOf({ doc: await fixture.readStored() })).toBe('ac')
  })

  test('[S3] an edit that reacts to what the server brings comes after what was typed offline', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob')]
    await Promise.all([ada.whenSynced, bob.whenSynced])
    ada.doc.on('afterTransaction', ({ local }: Y.Transaction) => {
      if (!local) ada.doc.getArray('seen').push([1])
    })
    ada.network.offline()
    type(ada, 'offline')
    type(bob, 'online')
    await bob.whenSaved()
    await fixture.restart()
    ada.network.online()
    await ada.whenSaved()
    expect(ada.status.get().link.state).toBe('up')
    const stored = await fixture.readStored()
    expect(stored.getText('title').length).toBe('offlineonline'.length)
    expect(stored.getArray('seen').length).toBeGreaterThan(0)
  })

  test('[T6] a paste of 3 MB arrives in both directions while others type', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob', { transport: 'sse' })]
    await Promise.all([ada.whenSynced, bob.whenSynced])
    type(ada, 'p'.repeat(3_000_000))
    type(bob, 'small')
    await Promise.all([ada.whenSaved(), bob.whenSaved()])
    await waitUntil(() => textOf(bob).length === 3_000_005 && textOf(ada) === textOf(bob))
    const late = fixture.openWindow('late')
    await late.whenSynced
    expect(textOf(late)).toBe(textOf(ada))
  })
})
