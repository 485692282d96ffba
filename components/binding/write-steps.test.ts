/** What a person's steps change in the shared text: the letters and blocks that they are about, and nothing else. */
import type { Node } from '@tiptap/pm/model'
import { NodeSelection, type Transaction } from '@tiptap/pm/state'
import { wrapIn } from '@tiptap/pm/commands'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  appendBlocks,
  type BlockSketch,
  lineBreak,
  paragraph,
  sketchBlocks,
  textWith,
} from '@/lib/text/fixtures/text-sketches.ts'
import { createHeadlessEditor, type HeadlessEditor } from './fixtures/headless-editor.ts'

const item = (...children: BlockSketch[]): BlockSketch => ({ name: 'listItem', children })
const list = (...children: BlockSketch[]): BlockSketch => ({ name: 'bulletList', children })
const hologram: BlockSketch = { name: 'hologram', attributes: { depth: 3 }, children: [paragraph('far')] }

/** An editor, and another person's replica of its text. */
function openText(...blocks: BlockSketch[]) {
  const text = textWith(...blocks)
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(text.doc!))
  const otherText = other.getXmlFragment('default')
  const exchangeUpdates = (): void => {
    const [update, otherUpdate] = [
      Y.encodeStateAsUpdate(text.doc!, Y.encodeStateVector(other)),
      Y.encodeStateAsUpdate(other, Y.encodeStateVector(text.doc!)),
    ]
    Y.applyUpdate(other, update)
    Y.applyUpdate(text.doc!, otherUpdate)
  }
  return { text, otherText, exchangeUpdates, editor: createHeadlessEditor(text) }
}

const blockAt = (text: Y.XmlFragment, ...path: number[]): Y.XmlElement =>
  path.reduce<Y.XmlFragment>((parent, index) => parent.get(index) as Y.XmlElement, text) as Y.XmlElement

const lettersAt = (text: Y.XmlFragment, ...path: number[]): Y.XmlText =>
  blockAt(text, ...path).get(0) as Y.XmlText

/** The position of the first node for which it holds. */
function positionOf({ state }: HeadlessEditor, isIt: (node: Node) => boolean): number {
  let found = -1
  state.doc.descendants((node, at) => void (found < 0 && isIt(node) && (found = at)))
  return found
}

const hasText = (text: string) => (node: Node) => node.isTextblock && node.textContent === text

const lines = (text: Y.XmlFragment): string[] =>
  text.toArray().map((block) => block.toJSON() as unknown as string)

describe('letters', () => {
  test('one of several equal letters is inserted at its place, and another person’s stays on its side', () => {
    const { text, otherText, editor, exchangeUpdates } = openText(paragraph('aaaa'))
    lettersAt(otherText, 0).insert(3, 'X')
    editor.edit((tr) => tr.insertText('a', 3))
    lettersAt(otherText, 0).insert(2, 'Y')
    exchangeUpdates()
    expect(lettersAt(text, 0).toString()).toMatch(/^aa(aY|Ya)aXa$/)
  })

  test('one of several equal letters is deleted at its place', () => {
    const { text, otherText, editor, exchangeUpdates } = openText(paragraph('aaaa'))
    editor.edit((tr) => tr.delete(2, 3))
    lettersAt(otherText, 0).format(1, 1, { bold: {} })
    exchangeUpdates()
    expect(lettersAt(text, 0).toString()).toBe('aaa')
  })

  test('a mark is the only thing that marking letters writes, and an unknown one beside it stays', () => {
    const { text, editor } = openText(paragraph('a', { text: 'bc', marks: { glow: { by: 1 } } }))
    const first = lettersAt(text, 0)
    editor.edit((tr) => tr.addMark(2, 3, editor.state.schema.mark('bold')))
    expect(sketchBlocks(text)).toEqual([
      paragraph(
        'a',
        { text: 'b', marks: { glow: { by: 1 }, bold: {} } },
        { text: 'c', marks: { glow: { by: 1 } } },
      ),
    ])
    editor.edit((tr) => tr.removeMark(1, 4))
    expect(first.toString()).toBe('abc')
  })

  test('a line break cuts its text, and bold comes with it', () => {
    const { text, editor } = openText(paragraph('abcd'))
    const { schema } = editor.state
    editor.edit((tr) => tr.insert(3, schema.nodes.hardBreak!.create(null, null, [schema.mark('bold')])))
    expect(sketchBlocks(text)).toEqual([
      paragraph('ab', { ...lineBreak, attributes: { 'mark:bold': {} } }, 'cd'),
    ])
    editor.edit((tr) => tr.removeMark(1, 6))
    expect(sketchBlocks(text)).toEqual([paragraph('ab', lineBreak, 'cd')])
  })

  test('an emptied line keeps its text, so that two people write into the same one', () => {
    const { text, otherText, editor, exchangeUpdates } = openText(paragraph('a'))
    editor.edit((tr) => tr.delete(1, 2))
    exchangeUpdates()
    lettersAt(otherText, 0).insert(0, 'b')
    editor.edit((tr) => tr.insertText('c', 1))
    exchangeUpdates()
    expect(blockAt(text, 0).length).toBe(1)
    expect(lettersAt(text, 0).toString()).toMatch(/^(bc|cb)$/)
  })

  test('a new empty line gets a text, wherever it stands', () => {
    const { text, editor } = openText(paragraph('a'))
    editor.edit((tr) => tr.split(2))
    expect(blockAt(text, 1).length).toBe(1)
  })
})

describe('blocks', () => {
  test.each([
    ['near its beginning', 2, 'behind'],
    ['near its end', 7, 'before'],
  ])(
    'splitting a line %s writes the shorter part anew, and what others write in the longer one stays',
    (_where, at) => {
      const { text, otherText, editor, exchangeUpdates } = openText(paragraph('abcdefgh'))
      lettersAt(otherText, 0).insert(4, 'X')
      editor.edit((tr) => tr.split(at))
      exchangeUpdates()
      expect(lines(text)).toEqual(
        at === 2
          ? ['<paragraph>a</paragraph>', '<paragraph>bcdXefgh</paragraph>']
          : ['<paragraph>abcdXef</paragraph>', '<paragraph>gh</paragraph>'],
      )
    },
  )

  test('a line inserted among equal ones stands where it was inserted', () => {
    const { text, editor } = openText(paragraph('a'), paragraph('a'), paragraph('a'))
    const [first, second, third] = text.toArray()
    editor.edit((tr) => tr.insert(3, editor.state.doc.child(0)))
    expect(text.toArray().map((block) => [first, second, third].indexOf(block))).toEqual([0, -1, 1, 2])
    editor.edit((tr) => tr.delete(0, 3))
    expect(text.toArray().map((block) => [first, second, third].indexOf(block))).toEqual([-1, 1, 2])
  })

  test('a block that is moved is written anew, and the others stay', () => {
    const { text, editor } = openText(paragraph('a'), paragraph('b'), paragraph('c'))
    const [, second, third] = text.toArray()
    editor.edit((tr) => tr.delete(0, 3).insert(6, editor.state.doc.child(0)))
    expect(lines(text).join('')).toBe(
      '<paragraph>b</paragraph><paragraph>c</paragraph><paragraph>a</paragraph>',
    )
    expect([text.get(0), text.get(1)]).toEqual([second, third])
  })

  test('an attribute is the only thing that changing it writes; unknown and hostile ones stay', () => {
    const { text, editor } = openText({
      name: 'heading',
      attributes: { level: 2, glow: { by: 1 }, size: 4n },
      children: [{ text: 'a' }],
    })
    const block = blockAt(text, 0)
    const letters = lettersAt(text, 0)
    editor.edit((tr) => tr.setNodeAttribute(0, 'level', 3))
    expect(block.getAttributes()).toEqual({ level: 3, glow: { by: 1 }, size: 4n })
    expect(block.get(0)).toBe(letters)
  })

  test('an edit writes nothing in the other blocks, whatever they are', () => {
    const others = [hologram, list(list(paragraph('odd'))), paragraph({ text: 'x', marks: { glow: 1 } })]
    const { text, editor } = openText(...others, paragraph('a'))
    const before = text.toArray().slice(0, 3)
    const sketches = sketchBlocks(text).slice(0, 3)
    let changed: unknown[] = []
    text.doc!.on('afterTransaction', (transaction) => (changed = [...transaction.changed.keys()]))
    editor.edit((tr) => tr.insertText('b', tr.doc.content.size - 1))
    expect(changed).toEqual([lettersAt(text, 3)])
    expect(text.toArray().slice(0, 3)).toEqual(before)
    expect(sketchBlocks(text).slice(0, 3)).toEqual(sketches)
  })
})

describe('what is shown and not stored', () => {
  const itemWithoutText = () => openText(list(item(list(item(paragraph('kept'))))), paragraph('end'))

  test('[W11] two deletions that meet leave an item of a list alone: its list stays for everybody', () => {
    const { text, otherText, editor, exchangeUpdates } = openText(
      list(item(paragraph('p1'), paragraph('p2'), list(item(paragraph('kept'))))),
    )
    const at = positionOf(editor, hasText('p1'))
    editor.edit((tr) => tr.delete(at, at + 4))
    blockAt(otherText, 0, 0).delete(1, 1)
    exchangeUpdates()
    expect(sketchBlocks(text)).toEqual([list(item(list(item(paragraph('kept')))))])
    expect(editor.state.doc.toString()).toBe(
      'doc(bulletList(listItem(paragraph, bulletList(listItem(paragraph("kept"))))))',
    )
  })

  test('a line that was filled in becomes real with its first letter, at its place', () => {
    const { text, editor } = itemWithoutText()
    editor.edit((tr) => tr.insertText('new', 3))
    expect(sketchBlocks(text)[0]).toEqual(list(item(paragraph('new'), list(item(paragraph('kept'))))))
  })

  test('an edit beside it leaves it as it is, and so does deleting it', () => {
    const { text, editor } = itemWithoutText()
    const stored = sketchBlocks(text)[0]
    editor.edit((tr) => tr.insertText('!', positionOf(editor, hasText('end')) + 4))
    const at = positionOf(editor, hasText('kept')) + 5
    editor.edit((tr) => tr.insertText('?', at).delete(at, at + 1))
    editor.dispatch(editor.state.tr.setSelection(NodeSelection.create(editor.state.doc, 2)).deleteSelection())
    expect(sketchBlocks(text)[0]).toEqual(stored)
    expect(editor.state.doc.firstChild!.toString()).toBe(
      'bulletList(listItem(paragraph, bulletList(listItem(paragraph("kept")))))',
    )
  })

  test('a part in a place that is not its own is edited where it stands', () => {
    const { text, editor } = openText(item(paragraph('a')))
    const stored = blockAt(text, 0)
    editor.edit((tr) => tr.insertText('b', 4).split(4, 2))
    expect(sketchBlocks(text)).toEqual([item(paragraph('a')), item(paragraph('b'))])
    expect(text.get(0)).toBe(stored)
    expect(editor.state.doc.toString()).toBe(
      'doc(bulletList(listItem(paragraph("a")), listItem(paragraph("b"))))',
    )
  })

  test('letters beside blocks are edited where they stand', () => {
    const { text, editor } = openText(paragraph('a'))
    text.insert(1, [new Y.XmlText('loose')])
    editor.edit((tr) => tr.insertText('!', tr.doc.content.size - 1))
    expect(lines(text)).toEqual(['<paragraph>a</paragraph>', 'loose!'])
  })
})

describe('what this page does not know', () => {
  const selectUnknown = (editor: HeadlessEditor): Transaction =>
    editor.state.tr.setSelection(
      NodeSelection.create(
        editor.state.doc,
        positionOf(editor, ({ type }) => type.name.startsWith('unknown')),
      ),
    )

  test('a person can delete it, and undo brings it back as it was', () => {
    const { text, editor } = openText(paragraph('a'), hologram)
    const undo = new Y.UndoManager(text, { trackedOrigins: new Set([editor.binding]) })
    editor.dispatch(selectUnknown(editor).deleteSelection())
    expect(sketchBlocks(text)).toEqual([paragraph('a')])
    undo.undo()
    expect(sketchBlocks(text)).toEqual([paragraph('a'), hologram])
    expect(editor.state.doc.toString()).toBe('doc(paragraph("a"), unknownBlock)')
  })

  test('wrapped, moved or copied, also to another document, it is written as what it was', () => {
    const { text, editor } = openText(paragraph('a'), hologram, paragraph('b'))
    const selected = editor.state.apply(selectUnknown(editor))
    wrapIn(selected.schema.nodes.blockquote!)(selected, (transaction) =>
      editor.edit((tr) => transaction.steps.reduce((sum, step) => sum.step(step), tr)),
    )
    expect(sketchBlocks(text)[1]).toEqual({ name: 'blockquote', children: [hologram] })
    const elsewhere = openText(paragraph('c'))
    elsewhere.editor.edit((tr) => tr.insert(0, editor.state.doc.child(1).child(0)))
    expect(sketchBlocks(elsewhere.text)).toEqual([hologram, paragraph('c')])
  })

  test('what no copy can describe is moved within its document all the same', () => {
    const { text, editor } = openText(paragraph('a'), paragraph('b'))
    const odd = new Y.XmlElement('hologram')
    text.insert(0, [odd])
    odd.setAttribute('bytes', new Uint8Array([1, 2]) as unknown as string)
    appendBlocks(odd, [paragraph('far')])
    const { firstChild } = editor.state.doc
    expect(firstChild!.attrs.content).toBeNull()
    editor.edit((tr) => tr.delete(0, 1).insert(tr.doc.content.size, firstChild!))
    expect(blockAt(text, 2).getAttributes()).toEqual({ bytes: new Uint8Array([1, 2]) })
    expect(blockAt(text, 2, 0).toJSON()).toBe('<paragraph>far</paragraph>')
  })

  test('unknown attributes and marks go with a line that is wrapped, and with letters that are moved', () => {
    const glowing = { text: 'x', marks: { glow: { by: 1 } } }
    const { text, editor } = openText({ ...paragraph(glowing), attributes: { glow: 1 } })
    wrapIn(editor.state.schema.nodes.blockquote!)(editor.state, editor.dispatch)
    expect(sketchBlocks(text)).toEqual([
      { name: 'blockquote', children: [{ ...paragraph(glowing), attributes: { glow: 1 } }] },
    ])
  })
})

test('a window that may not write shows no edit of its own', () => {
  const text = textWith(paragraph('a'))
  const editor = createHeadlessEditor(text, { editable: false })
  editor.edit((tr) => tr.insertText('b', 1))
  expect(editor.state.doc.textContent).toBe('a')
})

test('an edit within a transaction in which others have changed the text has no place there: the text is drawn', () => {
  const { text, editor } = openText(paragraph('abc'))
  text.doc!.transact(() => {
    lettersAt(text, 0).delete(0, 2)
    editor.edit((tr) => tr.insertText('x', 3))
    expect(editor.state.doc.textContent).toBe('c')
    editor.edit((tr) => tr.insertText('y', 2))
  })
  expect([editor.state.doc.textContent, lettersAt(text, 0).toString()]).toEqual(['cy', 'cy'])
})
