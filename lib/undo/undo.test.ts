import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { initialOrderKey } from '../blocks/table/order-keys.ts'
import { UndoFixture, settleMessages, type UndoWindow } from './fixtures/undo-fixture.ts'
import { applyEdit, describeUndo, insertParagraphs } from './undo.contract.ts'

describeUndo(25)

/** Another person, on another device, removes all text. */
function removeAllText({ doc, body }: UndoWindow): void {
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  other.getXmlFragment('default').delete(0, body.length)
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other), 'server')
}

/** Another person, on another device, writes in the innermost block. */
function writeInBlock({ doc, body }: UndoWindow, letters: string): void {
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  let block: Y.XmlFragment = other.getXmlFragment('default')
  while (block.length > 0 && block.get(0) instanceof Y.XmlElement) block = block.get(0) as Y.XmlElement
  const text = block.length > 0 ? (block.get(0) as Y.XmlText) : new Y.XmlText()
  if (block.length === 0) block.insert(0, [text])
  text.insert(text.length, letters)
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other), 'server')
  expect(body.toJSON()).toContain(letters)
}

test.each([['heading'], ['codeBlock'], ['bulletList', 'listItem', 'paragraph'], ['blockquote', 'heading']])(
  'undoing that a %s was made leaves what somebody else wrote in it',
  (...names) => {
    const window = new UndoFixture().open()
    const text = new Y.XmlText('own ')
    const block = names.reduceRight<Y.XmlElement | Y.XmlText>((inner, name) => {
      const around = new Y.XmlElement(name)
      around.insert(0, [inner])
      return around
    }, text)
    window.doc.transact(() => window.body.insert(0, [block]))
    writeInBlock(window, 'theirs')
    window.undo.undo()
    expect(window.body.toJSON()).toContain('theirs')
    expect(window.body.toJSON()).not.toContain('own')
  },
)

test('undoing a change of a table that named no columns leaves the names, on which somebody else may have relied since', () => {
  const window = new UndoFixture().open()
  const [table, row, cell] = ['table', 'tableRow', 'tableCell'].map((name) => new Y.XmlElement(name))
  row!.insert(0, [cell!])
  table!.insert(0, [row!])
  window.body.insert(0, [table!])
  window.doc.transact(() => {
    table!.setAttribute('col:place-0', initialOrderKey(0))
    cell!.setAttribute('col', 'place-0')
    table!.setAttribute('col:new', initialOrderKey(1))
  })
  window.undo.undo()
  expect(table!.getAttributes()).toEqual({ 'col:place-0': initialOrderKey(0) })
  expect(cell!.getAttributes()).toEqual({ col: 'place-0' })
  window.undo.redo()
  expect(Object.keys(table!.getAttributes())).toEqual(['col:place-0', 'col:new'])
})

describe('title and text', () => {
  test('where somebody else has removed the text, its undo does not go on to the title', () => {
    const window = new UndoFixture().open()
    window.title.insert(0, 'budget')
    insertParagraphs(window)
    removeAllText(window)
    window.undo.undo()
    expect(window.title.toJSON()).toBe('budget')
    window.undo.undo('title')
    expect(window.title.toJSON()).toBe('')
    window.undo.redo()
    expect(window.title.toJSON()).toBe('')
    window.undo.redo('title')
    expect(window.title.toJSON()).toBe('budget')
  })

  test('where undo covers all windows, it does not go on to a title that another window wrote', async () => {
    const fixture = new UndoFixture()
    const [one, other] = [fixture.open(), fixture.open()]
    await settleMessages()
    insertParagraphs(one)
    one.title.insert(0, 'budget')
    await settleMessages()
    other.undo.undo()
    other.undo.undo()
    other.undo.undo()
    await settleMessages()
    expect([one.text, one.title.toJSON()]).toEqual(['', 'budget'])
    other.undo.undo('title')
    await settleMessages()
    expect(one.title.toJSON()).toBe('')
    one.undo.redo()
    expect(one.text).toContain('one')
  })

  test('typed without a pause are two steps', () => {
    const window = new UndoFixture().open({ captureMs: 60_000 })
    window.title.insert(0, 'budget')
    insertParagraphs(window)
    window.title.insert(6, 's')
    window.undo.undo()
    expect([window.text, window.title.toJSON()]).toEqual(['', 'budgets'])
  })

  test('a command that changed both, or the title alone, is undone as a whole in the text', () => {
    const window = new UndoFixture().open()
    window.undo.runAsStep('a version restored', () => {
      insertParagraphs(window)
      window.title.insert(0, 'budget')
    })
    window.undo.runAsStep('a version restored', () => window.title.insert(6, 's'))
    window.undo.undo('title')
    expect(window.title.toJSON()).toBe('budgets')
    window.undo.undo()
    expect(window.title.toJSON()).toBe('budget')
    window.undo.undo()
    expect([window.text, window.title.toJSON()]).toEqual(['', ''])
  })
})

describe.each(['the window that wrote it', 'another window'])('a line restored by %s', (by) => {
  async function openLine() {
    const fixture = new UndoFixture()
    const [one, other] = [fixture.open(), fixture.open()]
    applyEdit(one, { does: 'paragraph', at: 0 })
    await settleMessages()
    const undoIn = async ({ undo }: UndoWindow) => {
      await settleMessages()
      undo.undo()
      await settleMessages()
    }
    return {
      text: () => (one.body.get(0) as Y.XmlElement).get(0) as Y.XmlText,
      shown: () => [one, other].map((window) => window.text),
      undo: () => undoIn(one),
      removeAndRestore: () => {
        one.body.delete(0, 1)
        return undoIn(by === 'another window' ? other : one)
      },
    }
  }

  const twice = (words: string) => Array(2).fill(`<paragraph>${words}</paragraph>`)

  test('has the restored letter beside a new one', async () => {
    const { text, shown, undo, removeAndRestore } = await openLine()
    text().insert(2, ' ')
    text().delete(3, 1)
    await undo()
    await removeAndRestore()
    expect(shown()).toEqual(twice('ne w'))
  })

  test('has its letters in their order, where something was typed between restored ones', async () => {
    const { text, shown, undo, removeAndRestore } = await openLine()
    text().delete(1, 2)
    await undo()
    text().insert(2, '+')
    text().delete(3, 1)
    text().insert(3, '!')
    await removeAndRestore()
    expect(shown()).toEqual(twice('ne+!'))
  })

  test('restores a letter that was removed before another one was restored', async () => {
    const { text, shown, undo, removeAndRestore } = await openLine()
    text().delete(2, 1)
    await removeAndRestore()
    text().delete(1, 1)
    await undo()
    await removeAndRestore()
    await undo()
    expect(shown()).toEqual(twice('new'))
  })
})

describe('two windows', () => {
  async function openTwoWindows(options = {}): Promise<[UndoWindow, UndoWindow]> {
    const fixture = new UndoFixture()
    const [text, outline] = [fixture.open(options), fixture.open({ ...options, windowLabel: 'Outline' })]
    await settleMessages()
    return [text, outline]
  }

  test('a step names what it was and where it was done', async () => {
    const [text, outline] = await openTwoWindows()
    text.title.insert(0, 'budget')
    await settleMessages()
    outline.undo.undo('title')
    await settleMessages()
    expect(text.title.toJSON()).toBe('')
    expect(outline.reports).toEqual([
      { direction: 'undo', what: { typed: 'budget' }, windowLabel: '', isOwnStep: false },
    ])
    text.undo.redo('title')
    await settleMessages()
    expect(outline.title.toJSON()).toBe('budget')
    expect(text.reports).toEqual([
      { direction: 'redo', what: { typed: 'budget' }, windowLabel: '', isOwnStep: true },
    ])
    outline.undo.runAsStep('A section moved', () => outline.title.delete(0, 3))
    await settleMessages()
    text.undo.undo()
    expect(text.reports.at(-1)).toEqual({
      direction: 'undo',
      what: { label: 'A section moved' },
      windowLabel: 'Outline',
      isOwnStep: false,
    })
  })

  test('one that has closed can be undone by the one that remains', async () => {
    const [text, outline] = await openTwoWindows()
    text.title.insert(0, 'budget')
    text.title.delete(0, 3)
    await settleMessages()
    text.close()
    outline.undo.undo('title')
    expect(outline.title.toJSON()).toBe('budget')
    outline.undo.undo('title')
    expect(outline.title.toJSON()).toBe('')
    outline.undo.redo('title')
    expect(outline.title.toJSON()).toBe('budget')
  })

  test('with the setting for this window alone each undoes its own steps, and may switch the setting', async () => {
    const [text, outline] = await openTwoWindows({ scope: 'window' })
    text.title.insert(0, 'a')
    await settleMessages()
    outline.title.insert(1, 'b')
    await settleMessages()
    text.undo.undo('title')
    await settleMessages()
    expect(outline.title.toJSON()).toBe('b')
    text.undo.undo('title')
    expect(text.title.toJSON()).toBe('b')
    text.undo.setScope('all')
    text.undo.undo('title')
    await settleMessages()
    expect(outline.title.toJSON()).toBe('')
    expect(outline.undo.manager.undoStack).toEqual([])
    text.undo.setScope('window')
    expect(text.undo.manager.redoStack).toHaveLength(1)
  })

  test('what is typed without a pause is one step in each window, unless the other wrote in between', async () => {
    const [text, outline] = await openTwoWindows({ captureMs: 60_000 })
    for (const letter of 'abc') text.title.insert(text.title.length, letter)
    await settleMessages()
    expect([text, outline].map(({ undo }) => undo.manager.undoStack.length)).toEqual([1, 1])
    outline.title.insert(3, 'X')
    await settleMessages()
    text.title.insert(4, 'd')
    await settleMessages()
    expect([text, outline].map(({ undo }) => undo.manager.undoStack.length)).toEqual([3, 3])
    outline.undo.undo('title')
    await settleMessages()
    outline.undo.undo('title')
    await settleMessages()
    text.undo.undo('title')
    expect(text.title.toJSON()).toBe('')
  })

  test('a newcomer asks for what one did before it was opened and it cannot undo itself', async () => {
    const fixture = new UndoFixture()
    const text = fixture.open()
    text.title.insert(0, 'budget')
    text.title.delete(0, 3)
    const late = fixture.open()
    await settleMessages()
    late.undo.undo('title')
    await settleMessages()
    expect([text.title.toJSON(), late.title.toJSON()]).toEqual(['budget', 'budget'])
    expect(late.reports).toEqual([
      { direction: 'undo', what: { deleted: 'bud' }, windowLabel: '', isOwnStep: false },
    ])
    expect(text.reports).toEqual([])
  })

  test('what was restored under other ids is found by a newcomer that never saw the first ones', async () => {
    const fixture = new UndoFixture()
    const text = fixture.open()
    insertParagraphs(text)
    text.undo.manager.clear()
    applyEdit(text, { does: 'type', at: 0, text: 'X' })
    applyEdit(text, { does: 'remove paragraph', at: 0 })
    const late = fixture.open()
    await settleMessages()
    late.undo.undo()
    await settleMessages()
    expect(late.text).toBe('<paragraph>Xone</paragraph><paragraph>two</paragraph>')
    late.undo.undo()
    await settleMessages()
    expect([late, text].map((window) => window.text)).toEqual(
      Array(2).fill('<paragraph>one</paragraph><paragraph>two</paragraph>'),
    )
  })

  test('a step whose content nobody has any more is skipped', async () => {
    const fixture = new UndoFixture()
    const text = fixture.open()
    text.title.insert(0, 'budget')
    text.title.delete(0, 3)
    const late = fixture.open()
    await settleMessages()
    text.close()
    late.undo.undo('title')
    await settleMessages()
    expect(late.title.toJSON()).toBe('')
  })

  test('nobody here can undo others’ edits, nor what Yjs tidies up after them', async () => {
    const [text] = await openTwoWindows()
    const other = new Y.Doc()
    text.title.insert(0, 'abc')
    Y.applyUpdate(other, Y.encodeStateAsUpdate(text.doc))
    other.getText('title').format(0, 2, { bold: true })
    other.getText('title').format(0, 3, { bold: true })
    other.getText('title').insert(3, '!')
    Y.applyUpdate(text.doc, Y.encodeStateAsUpdate(other), 'server')
    expect(text.undo.manager.undoStack).toHaveLength(1)
    text.undo.undo('title')
    expect(text.title.toJSON()).toBe('!')
  })
})
