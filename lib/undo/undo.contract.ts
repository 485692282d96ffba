/** Tests undo in several windows, whatever is edited and undone in them. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { UndoFixture, settleMessages, type UndoWindow } from './fixtures/undo-fixture.ts'
import type { UndoTarget } from './undo-step.ts'

type TestEdit =
  | { readonly does: 'type'; readonly at: number; readonly text: string }
  | { readonly does: 'remove' | 'bold'; readonly at: number; readonly length: number }
  | { readonly does: 'paragraph' | 'remove paragraph'; readonly at: number }
  | { readonly does: 'level'; readonly at: number; readonly level: number }
  | { readonly does: 'title'; readonly text: string }

interface UndoableDoc {
  readonly doc: Y.Doc
}

const bodyOf = ({ doc }: UndoableDoc) => doc.getXmlFragment('default')
const titleOf = ({ doc }: UndoableDoc) => doc.getText('title')
const contentOf = (undoable: UndoableDoc) => `${titleOf(undoable).toJSON()}|${bodyOf(undoable).toJSON()}`

type ShownTexts = Readonly<Record<UndoTarget, string>>

const shownTextsOf = (undoable: UndoableDoc): ShownTexts => ({
  title: titleOf(undoable).toJSON(),
  text: bodyOf(undoable).toJSON(),
})

/** What a person expects, without Yjs: each undo goes back to what was shown before the latest step. */
class ExpectedTexts {
  #shown: ShownTexts
  readonly #steps: Record<'undo' | 'redo', { before: ShownTexts; after: ShownTexts; target: UndoTarget }[]> =
    {
      undo: [],
      redo: [],
    }

  constructor(shown: ShownTexts) {
    this.#shown = shown
  }

  get shown(): ShownTexts {
    return this.#shown
  }

  /** @param after What is shown after the edit. An edit leaves nothing to redo. */
  recordEdit(after: ShownTexts): void {
    const before = this.#shown
    const target = before.title === after.title ? 'text' : 'title'
    if (before[target] === after[target]) return
    this.#steps.undo.push({ before, after, target })
    this.#steps.redo = []
    this.#shown = after
  }

  undoOrRedo(direction: 'undo' | 'redo', target: UndoTarget): void {
    const steps = this.#steps[direction]
    const index = steps.findLastIndex((step) => step.target === target)
    const [step] = index < 0 ? [] : steps.splice(index, 1)
    if (!step) return
    this.#steps[direction === 'undo' ? 'redo' : 'undo'].push(step)
    this.#shown = { ...this.#shown, [target]: step[direction === 'undo' ? 'before' : 'after'][target] }
  }
}

/** Makes the same edit in any document. Returns false where there is nothing to do. */
export function applyEdit(undoable: UndoableDoc, edit: TestEdit): boolean {
  const body = bodyOf(undoable)
  const paragraph = body.get('at' in edit ? edit.at % Math.max(1, body.length) : 0) as
    Y.XmlElement | undefined
  const text = paragraph?.get(0) as Y.XmlText | undefined
  const offset = 'at' in edit && text ? edit.at % (text.length + 1) : 0
  const length = 'length' in edit && text ? Math.min(edit.length, text.length - offset) : 0
  switch (edit.does) {
    case 'type':
      text?.insert(offset, edit.text)
      return text !== undefined
    case 'remove':
      if (length > 0) text!.delete(offset, length)
      return length > 0
    case 'bold':
      if (length > 0) text!.format(offset, length, { bold: true })
      return length > 0
    case 'paragraph': {
      const element = new Y.XmlElement('paragraph')
      element.insert(0, [new Y.XmlText('new')])
      body.insert(edit.at % (body.length + 1), [element])
      return true
    }
    case 'remove paragraph':
      if (paragraph) body.delete(edit.at % body.length, 1)
      return paragraph !== undefined
    case 'level':
      paragraph?.setAttribute('level', String(edit.level))
      return paragraph !== undefined
    case 'title':
      titleOf(undoable).insert(0, edit.text)
      return true
  }
}

const at = fc.nat(9)
const text = fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme-ascii' })
const length = fc.integer({ min: 1, max: 5 })
const plainEdit: fc.Arbitrary<TestEdit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('type'), at, text }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('remove'), at, length }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('paragraph', 'remove paragraph'), at }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('title'), text }) },
)
const edit: fc.Arbitrary<TestEdit> = fc.oneof(
  { weight: 3, arbitrary: plainEdit },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('bold'), at, length }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('level'), at, level: fc.nat(6) }) },
)

type UndoAction = { readonly window: number } & (
  | { readonly edit: TestEdit }
  | { readonly does: 'undo' | 'redo'; readonly target: UndoTarget }
  | { readonly does: 'open' | 'close' }
)

const target = fc.constantFrom<UndoTarget[]>('text', 'text', 'title')

const actionOf = (edits: fc.Arbitrary<TestEdit>): fc.Arbitrary<UndoAction> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ window: fc.nat(4), edit: edits }) },
    { weight: 5, arbitrary: fc.record({ window: fc.nat(4), does: fc.constantFrom('undo', 'redo'), target }) },
    { weight: 2, arbitrary: fc.record({ window: fc.nat(4), does: fc.constantFrom('open', 'close') }) },
  )

export const insertParagraphs = (undoable: UndoableDoc): void => {
  for (const words of ['one', 'two']) {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText(words)])
    bodyOf(undoable).push([paragraph])
  }
}

/** Undoes in one window and redoes in the other, each way as often as possible. */
async function undoAndRedoAll(one: UndoWindow, other: UndoWindow): Promise<void> {
  const { manager } = one.undo
  for (const direction of ['redo', 'undo', 'redo'] as const) {
    const stack = direction === 'undo' ? 'undoStack' : 'redoStack'
    while (manager[stack].length > 0) {
      other.undo[direction]('text')
      other.undo[direction]('title')
      await settleMessages()
    }
  }
}

async function runActions(
  fixture: UndoFixture,
  windows: UndoWindow[],
  actions: readonly UndoAction[],
  afterEach: (act: UndoAction) => void,
) {
  for (const action of actions) {
    const window = windows[action.window % windows.length]!
    if ('edit' in action) applyEdit(window, action.edit)
    else if (action.does === 'open') windows.push(fixture.open())
    // One window that saw everything stays.
    else if (action.does === 'close' && window !== windows[0])
      windows.splice(windows.indexOf(window), 1)[0]!.close()
    else if ('target' in action) window.undo[action.does](action.target)
    await settleMessages()
    afterEach(action)
  }
}

async function openThreeWindows(): Promise<{ fixture: UndoFixture; windows: UndoWindow[] }> {
  const fixture = new UndoFixture()
  const first = fixture.open()
  insertParagraphs(first)
  first.undo.manager.clear()
  const windows = [first, fixture.open(), fixture.open()]
  await settleMessages()
  return { fixture, windows }
}

const actionsOf = (edits: fc.Arbitrary<TestEdit>) =>
  fc.array(actionOf(edits), { minLength: 8, maxLength: 40 })

/** @param runs The number of random histories. */
export function describeUndo(runs: number): void {
  test('undo in whichever window, in any order, goes back to what was shown before the latest step', async () => {
    await fc.assert(
      fc.asyncProperty(actionsOf(plainEdit), async (actions) => {
        const { fixture, windows } = await openThreeWindows()
        const expected = new ExpectedTexts(shownTextsOf(windows[0]!))
        await runActions(fixture, windows, actions, (act) => {
          if ('edit' in act) expected.recordEdit(shownTextsOf(windows[0]!))
          else if ('target' in act) expected.undoOrRedo(act.does, act.target)
          for (const each of windows) expect(shownTextsOf(each)).toEqual(expected.shown)
        })
        for (const each of windows) each.close()
      }),
      { numRuns: runs },
    )
  })

  test('whatever is undone, by whomever, all windows and the server reach the same text', async () => {
    await fc.assert(
      fc.asyncProperty(actionsOf(edit), async (actions) => {
        const { fixture, windows } = await openThreeWindows()
        const check = () => {
          for (const each of windows) expect(contentOf(each)).toBe(contentOf({ doc: fixture.server }))
        }
        await runActions(fixture, windows, actions, check)
        await undoAndRedoAll(windows[0]!, windows.at(-1)!)
        check()
        for (const each of windows) each.close()
      }),
      { numRuns: runs },
    )
  })
}
