/** One session carries several parts: the body, its comments, and the person's desk. */
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { OpenPart } from '../../lib/client.ts'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { MAX_DESK_BYTES } from '../../lib/protocol/limits.ts'
import { FakeBrowser } from '../../lib/fixtures/fake-browser.ts'
import type { DocumentPart } from '../store/store.ts'
import { textOf, type, type FixtureWindow, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

const threads = ({ comments }: Pick<FixtureWindow, 'comments'>) => comments.doc.getArray<string>('threads')
const settings = ({ doc }: OpenPart) => doc.getMap<unknown>('settings')

const countAttaches = ({ network }: FixtureWindow): number =>
  network.clientMessageTypes.filter((sent) => sent === 'attach').length

async function readStored(fixture: SessionFixture, document: string, part: DocumentPart): Promise<Y.Doc> {
  const doc = new Y.Doc()
  for (const update of (await fixture.store.load(document, part)).updates) Y.applyUpdate(doc, update)
  return doc
}

describe('comments', () => {
  test('use the link of the body, are stored apart from it, and count as text', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob')]
    await Promise.all([ada.comments.whenSynced, bob.comments.whenSynced])
    fixture.store.hold()
    type(ada, 'text')
    threads(ada).push(['why?'])
    expect(ada.status.get().unsaved).toBe(2)
    const saved = ada.whenSaved()
    fixture.store.release()
    await saved
    expect(ada.status.get().unsaved).toBe(0)
    await waitUntil(() => threads(bob).length === 1 && textOf(bob) === 'text')
    expect(ada.stats().links).toBe(1)
    expect((await readStored(fixture, fixture.document, 'comments')).getArray('threads').toArray()).toEqual([
      'why?',
    ])
    expect(textOf({ doc: await fixture.readStored() })).toBe('text')
  })

  test('are opened when they are requested, and only once', async () => {
    const fixture = await SessionFixture.open()
    const ada = fixture.openWindow('ada')
    await ada.whenSynced
    expect(countAttaches(ada)).toBe(1)
    expect(ada.comments).toBe(ada.comments)
    await ada.comments.whenSynced
    expect(countAttaches(ada)).toBe(2)
    expect(ada.comments.status.get()).toEqual({ state: 'synced', role: 'editor' })
  })

  test('that are requested between hello and welcome are attached too', async () => {
    const fixture = await SessionFixture.open()
    const ada = fixture.openWindow('ada', { schedule: (run) => setTimeout(run, 5) })
    await waitUntil(() => ada.network.clientMessageTypes.includes('hello'))
    expect(ada.status.get().link.state).toBe('connecting')
    await ada.comments.whenSynced
    expect(countAttaches(ada)).toBe(2)
  })

  test('[S3] a lost session loses nothing that was typed meanwhile in any part', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob')]
    await Promise.all([ada.comments.whenSynced, ada.desk!.whenSynced, bob.comments.whenSynced])
    ada.network.offline()
    type(ada, 'text')
    threads(ada).push(['why?'])
    settings(ada.desk!).set('theme', 'dark')
    await fixture.restart()
    ada.network.online()
    await ada.whenSaved()
    await waitUntil(() => threads(bob).length === 1 && textOf(bob) === 'text')
    await waitUntil(() => countAttaches(ada) === 6)
    const own = fixture.openWindow('ada')
    await own.desk!.whenSynced
    await waitUntil(() => settings(own.desk!).get('theme') === 'dark')
  })

  test('[A4] are refused with a reason if a viewer writes them, and the window never shows that it is saved', async () => {
    const fixture = await SessionFixture.open()
    const eve = fixture.openWindow('eve', { role: 'viewer' })
    await eve.comments.whenSynced
    threads(eve).push(['mine'])
    await expect(eve.whenSaved()).rejects.toThrow('You can only view this document.')
    expect(eve.status.get()).toMatchObject({ unsaved: 1, refusal: { code: 'forbidden' } })
  })

  test('[D3] show it if the store fails for them', async () => {
    const fixture = await SessionFixture.open()
    const ada = fixture.openWindow('ada')
    await ada.comments.whenSynced
    fixture.store.failWith(new Error('the disk is full'))
    threads(ada).push(['why?'])
    await waitUntil(() => JSON.stringify(ada.status.get().document).includes('storeFailing'))
    fixture.store.failWith(null)
    await ada.whenSaved()
    expect(ada.status.get().document).toEqual({ state: 'synced', role: 'editor' })
  })

  test('[W2] reach the person’s other windows at once', async () => {
    const fixture = await SessionFixture.open()
    const browser = new FakeBrowser()
    const [ada, own] = [fixture.openWindow('ada', { browser }), fixture.openWindow('ada', { browser })]
    await Promise.all([ada.comments.whenSynced, own.comments.whenSynced])
    await waitUntil(() => browser.meetingCount === 2) // for the bodies and for the comments
    ada.network.offline()
    threads(ada).push(['why?'])
    await waitUntil(() => threads(own).length === 1)
    expect(own.status.get().unsaved).toBe(1)
  })
})

describe('a desk', () => {
  test('belongs to one person, and is the same in each of their windows, whatever document these show', async () => {
    const fixture = await SessionFixture.open()
    const [ada, elsewhere] = [
      fixture.openWindow('ada'),
      fixture.openWindow('ada', { document: newDocumentId() }),
    ]
    const bob = fixture.openWindow('bob')
    const desks = [ada, elsewhere, bob].map(({ desk }) => desk!)
    await Promise.all(desks.map(({ whenSynced }) => whenSynced))
    settings(desks[0]!).set('theme', 'dark')
    await waitUntil(() => settings(desks[1]!).get('theme') === 'dark')
    settings(desks[2]!).set('theme', 'light')
    await expect
      .poll(async () => (await readStored(fixture, 'user:bob', 'desk')).getMap('settings').size)
      .toBe(1)
    expect(settings(desks[0]!).get('theme')).toBe('dark')
    expect((await readStored(fixture, 'user:ada', 'desk')).getMap('settings').toJSON()).toEqual({
      theme: 'dark',
    })
    expect(desks.map(({ status }) => status.get())).toEqual(Array(3).fill({ state: 'synced', role: 'owner' }))
  })

  test('[W3] [W7] has presence that is the person’s windows, with the server’s identity in it', async () => {
    const fixture = await SessionFixture.open()
    const [ada, own, bob] = ['ada', 'ada', 'bob'].map((name) => fixture.openWindow(name).desk!)
    await Promise.all([ada, own, bob].map((desk) => desk!.whenSynced))
    own!.awareness.setLocalState({ window: { id: 'one' }, user: { id: 'user:bob', name: 'Bob' } })
    const { clientID } = own!.doc
    await waitUntil(() => ada!.awareness.getStates().get(clientID)?.window !== undefined)
    expect(ada!.awareness.getStates().get(clientID)).toEqual({
      window: { id: 'one' },
      user: { id: 'user:ada', name: 'ada' },
    })
    expect(bob!.awareness.getStates().has(clientID)).toBe(false)
  })

  test('[D1] is not text, and no save state waits for it', async () => {
    const fixture = await SessionFixture.open()
    const ada = fixture.openWindow('ada')
    await ada.desk!.whenSynced
    fixture.store.hold()
    settings(ada.desk!).set('theme', 'dark')
    await ada.whenSaved()
    expect(ada.status.get()).toMatchObject({ unsaved: 0, unstored: 0 })
  })

  test('[A6] that is refused leaves the document as it is', async () => {
    const fixture = await SessionFixture.open()
    const ada = fixture.openWindow('ada')
    await ada.desk!.whenSynced
    settings(ada.desk!).set('theme', 'x'.repeat(MAX_DESK_BYTES))
    type(ada, 'text')
    await ada.whenSaved()
    settings(ada.desk!).set('theme', 'dark')
    type(ada, ' and more')
    await ada.whenSaved()
    expect(ada.status.get()).toMatchObject({ unsaved: 0, link: { state: 'up' } })
    expect(ada.status.get().refusal).toBe(undefined)
    expect((await fixture.store.load('user:ada', 'desk')).logLength).toBe(0)
    expect(textOf({ doc: await fixture.readStored() })).toBe('text and more')
  })

  test('[W2] reaches the person’s other windows at once', async () => {
    const fixture = await SessionFixture.open()
    const browser = new FakeBrowser()
    const [ada, own] = [fixture.openWindow('ada', { browser }), fixture.openWindow('ada', { browser })]
    await Promise.all([ada.desk!.whenSynced, own.desk!.whenSynced])
    await waitUntil(() => browser.meetingCount === 2)
    ada.network.offline()
    settings(ada.desk!).set('theme', 'dark')
    await waitUntil(() => settings(own.desk!).get('theme') === 'dark')
    expect(own.status.get().unsaved).toBe(0)
  })
})
