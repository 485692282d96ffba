import { expect, onTestFinished, test, vi } from 'vitest'
import * as Y from 'yjs'
import { realClock } from '../session/clock.ts'
import { FakeBrowser } from '../fixtures/fake-browser.ts'
import { NeighbourWindows } from './neighbour-windows.ts'
import { NoteChannel } from './note-channel.ts'

const sharedBrowser = new FakeBrowser()

/** Opens a window of the browser; what is written in `doc` goes to the others, with a note. */
function openWindow(browser = sharedBrowser, version?: string) {
  const doc = new Y.Doc()
  const receivedNotes: unknown[] = []
  const notes = new NoteChannel()
  const onNote = (note: unknown) => note !== undefined && receivedNotes.push(note)
  const noteNeighbours = new Set<string>()
  notes.setHandlers({
    noteOf: () => 'a step',
    onNote,
    onNeighbourJoined: (from) => noteNeighbours.add(from),
    onNeighbourGone: (from) => noteNeighbours.delete(from),
  })
  const window = browser.openWindow()
  const counts = () => ({ edits: 0, saved: 0, adopted: 0, unstored: 0 })
  const handlers = {
    counts,
    onCountChange() {},
    beforeRemoteEdit() {},
    onOrphanedEdits() {},
    notes,
    stamps: new NoteChannel(),
  }
  const neighbours = new NeighbourWindows(
    window,
    { document: 'one', part: 'body', ...(version !== undefined && { version }) },
    doc,
    realClock,
    handlers,
  )
  doc.on('update', (update: Uint8Array, origin: unknown, _doc: Y.Doc, transaction: Y.Transaction) => {
    if (origin !== neighbours) neighbours.broadcastEdit(update, transaction)
  })
  neighbours.join('user:one')
  onTestFinished(() => {
    neighbours.close()
    window.crash()
  })
  return { doc, receivedNotes, noteNeighbours, close: () => neighbours.close() }
}

test('[W2] a window that leaves its neighbours asks none of them for an undo step', async () => {
  const browser = new FakeBrowser()
  const [one, two] = [openWindow(browser), openWindow(browser)]
  await vi.waitFor(() => expect([one.noteNeighbours.size, two.noteNeighbours.size]).toEqual([1, 1]))
  one.close()
  expect(one.noteNeighbours.size).toBe(0)
  await vi.waitFor(() => expect(two.noteNeighbours.size).toBe(0))
})

test('[W2] what a listener throws at a neighbour’s edit is reported, and the note of the edit is received', async () => {
  const reported: unknown[] = []
  const queue = queueMicrotask
  vi.stubGlobal('queueMicrotask', (run: () => void) =>
    queue(() => {
      try {
        run()
      } catch (error) {
        reported.push(error)
      }
    }),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const [one, two] = [openWindow(), openWindow()]
  await vi.waitFor(() => expect(sharedBrowser.channels.posted).toHaveLength(3)) // hello, hello, here
  two.doc.getText('text').observe(() => {
    throw new Error('by a listener')
  })
  one.doc.getText('text').insert(0, 'word')
  await vi.waitFor(() => expect(two.doc.getText('text').toJSON()).toBe('word'))
  await vi.waitFor(() => expect(reported).toEqual([new Error('by a listener')]))
  expect(two.receivedNotes).toEqual(['a step'])
})

test('[W2] a window alone in its browser says hello and no more, and a newcomer is sent all of its text', async () => {
  const before = sharedBrowser.channels.posted.length
  const one = openWindow()
  await vi.waitFor(() => expect(sharedBrowser.channels.posted).toHaveLength(before + 1))
  one.doc.getText('text').insert(0, 'word')
  one.doc.getText('text').delete(0, 1)
  await Promise.resolve()
  expect(sharedBrowser.channels.posted).toHaveLength(before + 1)
  const two = openWindow()
  one.doc.getText('text').insert(3, 's')
  await vi.waitFor(() => expect(two.doc.getText('text').toJSON()).toBe('ords'))
})

test('[W2] what a newcomer writes before it is answered reaches the window that answers', async () => {
  const pendingDeliveries: (() => void)[] = []
  const browser = new FakeBrowser((run) => pendingDeliveries.push(run))
  const one = openWindow(browser)
  await vi.waitFor(() => expect(browser.channels.posted).toHaveLength(1))
  const two = openWindow(browser)
  await vi.waitFor(() => expect(pendingDeliveries).toHaveLength(1))
  two.doc.getText('text').insert(0, 'early')
  expect(browser.channels.posted).toHaveLength(2)
  while (pendingDeliveries.length > 0) pendingDeliveries.shift()!()
  expect(one.doc.getText('text').toJSON()).toBe('early')
})

test('[W2] a page of another release is no neighbour: neither writes through the other', async () => {
  const browser = new FakeBrowser()
  const [one, two] = [openWindow(browser), openWindow(browser)]
  await vi.waitFor(() => expect(browser.meetingCount).toBe(1))
  const old = openWindow(browser, '5.0')
  await vi.waitFor(() => expect(browser.channels.posted).toHaveLength(4)) // its hello, too
  old.doc.getText('text').insert(0, 'old')
  one.doc.getText('text').insert(0, 'new')
  await vi.waitFor(() => expect(two.doc.getText('text').toJSON()).toBe('new'))
  expect(old.doc.getText('text').toJSON()).toBe('old')
  expect(browser.meetingCount).toBe(1)
})
