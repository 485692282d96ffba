import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import type { OpenDocument } from '../../lib/client.ts'
import { textOf, type, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

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

describe('what is saved', () => {
  test('[D1] nobody sees an edit, and no author receives saved, before its commit', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob')]
    await Promise.all([ada.whenSynced, bob.whenSynced])
    fixture.store.hold()
    type(ada, 'secret')
    let saved = false
    const saving = ada.whenSaved().then(() => (saved = true))
    // This was sent after the edit on the same line: when it is here, the server has the edit.
    ada.awareness.setLocalState({ after: 'the edit' })
    await waitUntil(() => bob.awareness.getStates().has(ada.doc.clientID))
    const late = fixture.openWindow('late')
    await waitUntil(() => late.status.get().link.state === 'up')
    expect([textOf(bob), textOf(late), saved]).toEqual(['', '', false])
    expect(ada.status.get().unsaved).toBe(1)
    expect(late.status.get().document.state).toBe('loading')
    fixture.store.release()
    await saving
    await late.whenSynced
    await waitUntil(() => textOf(bob) === 'secret')
    expect([textOf(late), ada.status.get().unsaved]).toEqual(['secret', 0])
  })

  test('[D1] an edit after which Yjs cleans up is stored and broadcast whole', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob')]
    const paragraph = ({ doc }: { doc: Y.Doc }) => doc.getXmlFragment('default').get(0) as Y.XmlText
    await Promise.all([ada.whenSynced, bob.whenSynced])
    ada.doc.getXmlFragment('default').insert(0, [new Y.XmlText('bold and plain')])
    paragraph(ada).format(0, 4, { bold: true })
    await waitUntil(() => bob.doc.getXmlFragment('default').toJSON().startsWith('<bold>'))
    bob.network.offline()
    paragraph(ada).format(2, 4, { bold: null })
    await ada.whenSaved()
    bob.doc.transact(() => {
      paragraph(bob).delete(0, 4)
      paragraph(bob).insert(0, '!')
    })
    bob.network.online()
    await bob.whenSaved()
    expect(paragraph({ doc: await fixture.readStored() }).toJSON()).toBe('! and plain')
    const late = fixture.openWindow('late')
    await late.whenSynced
    const same = (doc: Y.Doc) => Y.equalSnapshots(Y.snapshot(doc), Y.snapshot(bob.doc))
    await waitUntil(() => same(ada.doc) && same(late.doc))
    expect(same(await fixture.readStored())).toBe(true)
  })

  test('[D3] a failing store stops the acknowledgements; typing goes on, and it heals by itself', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob')]
    await Promise.all([ada.whenSynced, bob.whenSynced])
    fixture.store.failWith(new Error('disk full'))
    type(ada, 'one ')
    type(ada, 'two')
    ada.awareness.setLocalState({})
    await waitUntil(() => bob.awareness.getStates().has(ada.doc.clientID))
    expect([ada.status.get().unsaved, textOf(bob)]).toEqual([2, ''])
    fixture.store.failWith(null)
    await ada.whenSaved()
    await waitUntil(() => textOf(bob) === 'one two')
  })

  test('[D3] every window of the document is notified when its store fails, and when it works again', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [fixture.openWindow('ada'), fixture.openWindow('bob', { transport: 'sse' })]
    await Promise.all([ada.whenSynced, bob.whenSynced])
    const failing = ({ status }: Pick<OpenDocument, 'status'>) => {
      const { document } = status.get()
      return document.state === 'synced' && document.storeFailing === true
    }
    fixture.store.hold()
    type(ada, 'slow is not failing')
    ada.awareness.setLocalState({})
    await waitUntil(() => bob.awareness.getStates().has(ada.doc.clientID))
    expect([failing(ada), failing(bob)]).toEqual([false, false])
    fixture.store.failWith(new Error('read-only file system'))
    fixture.store.release()
    await waitUntil(() => failing(ada) && failing(bob))
    bob.network.offline()
    fixture.store.failWith(null)
    await ada.whenSaved()
    expect([failing(ada), failing(bob)]).toEqual([false, true])
    bob.network.online()
    await waitUntil(() => !failing(bob)) // it was sent while there was no link
  })

  test('[D3] a window that joins while the store fails is notified, also over a restart that heals it', async () => {
    const fixture = await SessionFixture.open()
    const ada = fixture.openWindow('ada')
    await ada.whenSynced
    fixture.store.failWith(new Error('disk full'))
    type(ada, 'typed meanwhile')
    const failing = () => JSON.stringify(ada.status.get().document).includes('storeFailing')
    await waitUntil(failing)
    ada.network.cut()
    await waitUntil(() => ada.stats().links === 2 && ada.status.get().link.state === 'up')
    expect(failing()).toBe(true)
    await fixture.restart()
    await ada.whenSaved()
    expect(failing()).toBe(false)
    expect(textOf({ doc: await fixture.readStored() })).toBe('typed meanwhile')
  })

  test('whenSaved waits for what was typed before the call, not for what is typed later', async () => {
    const fixture = await SessionFixture.open()
    const ada = fixture.openWindow('ada')
    await ada.whenSynced
    const { store } = fixture
    const { append } = store
    store.append = async (edits) => {
      const numbers = await append(edits)
      store.append = append
      store.hold()
      type(ada, 'later') // before the author receives saved for the first
      return numbers
    }
    type(ada, 'first ')
    await ada.whenSaved()
    expect(ada.status.get().unsaved).toBe(1)
    expect(textOf({ doc: await fixture.readStored() })).toBe('first ')
    store.release()
    await ada.whenSaved()
    expect(textOf({ doc: await fixture.readStored() })).toBe('first later')
  })

  test('the window never shows that all is saved while something is not, over cuts, restarts and held commits', async () => {
    const fixture = await SessionFixture.open()
    const ada = fixture.openWindow('ada')
    await ada.whenSynced
    const lies: string[] = []
    let committed = 0
    const { append } = fixture.store
    fixture.store.append = async (edits) => {
      const numbers = await append(edits)
      committed += edits.length
      return numbers
    }
    let typedCount = 0
    const checkStatus = (): void => {
      const { unsaved } = ada.status.get()
      if (unsaved < typedCount - committed)
        lies.push(`${unsaved} unsaved, ${typedCount} made, ${committed} committed`)
    }
    ada.status.subscribe(checkStatus)
    for (let turn = 0; turn < 30; turn++) {
      type(ada, 'x')
      typedCount += 1
      checkStatus()
      if (turn % 10 === 3) ada.network.cut()
      if (turn % 10 === 5) fixture.store.hold()
      if (turn % 10 === 8) fixture.store.release()
      await new Promise((resolve) => setTimeout(resolve, turn % 3))
    }
    await ada.whenSaved()
    expect(lies).toEqual([])
    expect(textOf({ doc: await fixture.readStored() })).toBe('x'.repeat(30))
  })
})

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
