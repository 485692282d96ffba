import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { OpenDocument } from '../../lib/client.ts'
import { SessionFixture, textOf, type } from './fixtures/session-fixture.ts'

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
