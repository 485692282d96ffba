/** Undo over windows as pages have them: with a server, and with neighbours that may be faster or slower than the server. */
import { expect, test } from 'vitest'
import { FakeBrowser } from '../../lib/fixtures/fake-browser.ts'
import { Undo } from '../../lib/undo/undo.ts'
import { textOf, type, type FixtureWindow, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

function undoOf({ doc, undoNotes }: FixtureWindow): Undo {
  const [body, title] = [doc.getXmlFragment('default'), doc.getText('title')]
  const undo = new Undo({ body, title, notes: undoNotes, windowLabel: '', captureMs: 0 })
  undo.setScope('all')
  return undo
}

test.each<[string, FakeBrowser, ((run: () => void) => void) | undefined]>([
  ['neighbours that are quicker', new FakeBrowser(), (run) => setTimeout(run, 20)],
  ['a server that is quicker', new FakeBrowser((run) => setTimeout(run, 20)), undefined],
])(
  'with %s: what a closed window did is undone by another, also for the server',
  async (_what, browser, schedule) => {
    const fixture = await SessionFixture.open()
    const options = { browser, ...(schedule && { schedule }) }
    const [ada, own] = [fixture.openWindow('ada', options), fixture.openWindow('ada', options)]
    const undos = [ada, own].map(undoOf)
    const bob = fixture.openWindow('bob')
    await Promise.all([ada, own, bob].map(({ whenSynced }) => whenSynced))
    await waitUntil(() => browser.meetingCount === 1)
    type(ada, 'budget')
    const stepsOf = (undo: Undo) => undo.manager.undoStack.length
    await waitUntil(() => stepsOf(undos[1]!) === 1) // so it knows its neighbour before that
    await ada.whenSaved()
    ada.doc.getText('title').delete(0, 3)
    await ada.whenSaved()
    await waitUntil(() => textOf(own) === 'get' && stepsOf(undos[1]!) === 2)
    await ada.close()
    undos[1]!.undo('title')
    expect(textOf(own)).toBe('budget')
    await own.whenSaved()
    await waitUntil(() => textOf(bob) === 'budget')
    undos[1]!.undo('title')
    await own.whenSaved()
    expect(textOf({ doc: await fixture.readStored() })).toBe('')
  },
)
