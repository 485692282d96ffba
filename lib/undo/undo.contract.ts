/** Undo in several windows, whatever is edited and undone in them. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { House, settle, type UndoWindow } from './fixtures/windows.ts'
import type { UndoTarget } from './step.ts'

type Edit =
  | { readonly does: 'type'; readonly at: number; readonly text: string }
  | { readonly does: 'remove' | 'bold'; readonly at: number; readonly length: number }
  | { readonly does: 'paragraph' | 'remove paragraph'; readonly at: number }
  | { readonly does: 'level'; readonly at: number; readonly level: number }
  | { readonly does: 'title'; readonly text: string }

interface Pages {
  readonly doc: Y.Doc
}

const bodyOf = ({ doc }: Pages) => doc.getXmlFragment('default')
const titleOf = ({ doc }: Pages) => doc.getText('title')
const contentOf = (pages: Pages) => `${titleOf(pages).toJSON()}|${bodyOf(pages).toJSON()}`

/** The same edit in whichever document. False where there is nothing to do. */
export function apply(pages: Pages, edit: Edit): boolean {
  const body = bodyOf(pages)
  const paragraph = body.get('at' in edit ? edit.at % Math.max(1, body.length) : 0) as
    Y.XmlElement | undefined
  const text = paragraph?.get(0) as Y.XmlText | undefined
  const place = 'at' in edit && text ? edit.at % (text.length + 1) : 0
  const length = 'length' in edit && text ? Math.min(edit.length, text.length - place) : 0
  switch (edit.does) {
    case 'type':
      text?.insert(place, edit.text)
      return text !== undefined
    case 'remove':
      if (length > 0) text!.delete(place, length)
      return length > 0
    case 'bold':
      if (length > 0) text!.format(place, length, { bold: true })
      return length > 0
    case 'paragraph': {
      const made = new Y.XmlElement('paragraph')
      made.insert(0, [new Y.XmlText('new')])
      body.insert(edit.at % (body.length + 1), [made])
      return true
    }
    case 'remove paragraph':
      if (paragraph) body.delete(edit.at % body.length, 1)
      return paragraph !== undefined
    case 'level':
      paragraph?.setAttribute('level', String(edit.level))
      return paragraph !== undefined
    case 'title':
      titleOf(pages).insert(0, edit.text)
      return true
  }
}

const at = fc.nat(9)
const text = fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme-ascii' })
const length = fc.integer({ min: 1, max: 5 })
const plainEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('type'), at, text }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('remove'), at, length }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('paragraph', 'remove paragraph'), at }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('title'), text }) },
)
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: plainEdit },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('bold'), at, length }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('level'), at, level: fc.nat(6) }) },
)

type Act = { readonly window: number } & (
  | { readonly edit: Edit }
  | { readonly does: 'undo' | 'redo'; readonly target: UndoTarget }
  | { readonly does: 'open' | 'close' }
)

const target = fc.constantFrom<UndoTarget[]>('text', 'text', 'title')

const actOf = (edits: fc.Arbitrary<Edit>): fc.Arbitrary<Act> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ window: fc.nat(4), edit: edits }) },
    { weight: 5, arbitrary: fc.record({ window: fc.nat(4), does: fc.constantFrom('undo', 'redo'), target }) },
    { weight: 2, arbitrary: fc.record({ window: fc.nat(4), does: fc.constantFrom('open', 'close') }) },
  )

export const seed = (pages: Pages): void => {
  for (const words of ['one', 'two']) {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText(words)])
    bodyOf(pages).push([paragraph])
  }
}

/** Undo by one and redo by the other: each way as often as it goes. */
async function undoAndRedoAll(one: UndoWindow, other: UndoWindow): Promise<void> {
  const { manager } = one.undo
  for (const direction of ['redo', 'undo', 'redo'] as const) {
    const stack = direction === 'undo' ? 'undoStack' : 'redoStack'
    while (manager[stack].length > 0) {
      other.undo[direction]('text')
      other.undo[direction]('title')
      await settle()
    }
  }
}

async function play(house: House, windows: UndoWindow[], acts: readonly Act[], each: (act: Act) => void) {
  for (const act of acts) {
    const window = windows[act.window % windows.length]!
    if ('edit' in act) apply(window, act.edit)
    else if (act.does === 'open') windows.push(house.open())
    // One that saw everything stays.
    else if (act.does === 'close' && window !== windows[0])
      windows.splice(windows.indexOf(window), 1)[0]!.close()
    else if ('target' in act) window.undo[act.does](act.target)
    await settle()
    each(act)
  }
}

async function begin(): Promise<{ house: House; windows: UndoWindow[] }> {
  const house = new House()
  const first = house.open()
  seed(first)
  first.undo.manager.clear()
  const windows = [first, house.open(), house.open()]
  await settle()
  return { house, windows }
}

const acts = (edits: fc.Arbitrary<Edit>) => fc.array(actOf(edits), { minLength: 8, maxLength: 40 })

/** @param runs So many histories of chance. */
export function describeUndo(runs: number): void {
  test('undo in whichever window, in any order, does what it would do in one window alone', async () => {
    await fc.assert(
      fc.asyncProperty(acts(plainEdit), async (some) => {
        const { house, windows } = await begin()
        // Not Yjs's manager by itself: of letters brought back together and then removed in part it finds only the first again.
        const alone = new House().open()
        seed(alone)
        alone.undo.manager.clear()
        await play(house, windows, some, (act) => {
          if ('edit' in act) apply(alone, act.edit)
          else if ('target' in act) alone.undo[act.does](act.target)
          for (const each of windows) expect(contentOf(each)).toBe(contentOf(alone))
        })
        for (const each of [...windows, alone]) each.close()
      }),
      { numRuns: runs },
    )
  })

  test('whatever is undone, by whomever, all windows and the server come to the same text', async () => {
    await fc.assert(
      fc.asyncProperty(acts(edit), async (some) => {
        const { house, windows } = await begin()
        const check = () => {
          for (const each of windows) expect(contentOf(each)).toBe(contentOf({ doc: house.server }))
        }
        await play(house, windows, some, check)
        await undoAndRedoAll(windows[0]!, windows.at(-1)!)
        check()
        for (const each of windows) each.close()
      }),
      { numRuns: runs },
    )
  })
}
