/** Whatever a program has written: it opens, what it says is shown, and the text around it can be edited. Counted, not timed. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { randomTexts } from '../../../lib/text/fixtures/random-text.ts'
import type { HeadlessEditor } from './editor-subject.ts'
import { countStoredLetters, missingLetters } from './letters.ts'
import { badTexts, letter, nested } from './bad-texts.ts'
import { testedSubject } from './subject.ts'
import { runs } from '../../../lib/fixtures/runs.ts'

/** Deeper blocks are shown as one part: a browser's layout takes a stack frame and more for each. */
const MAX_SHOWN_DEPTH = 130
/** In UTF-16 units of all that is laid out or carried along, where nothing but a value of a million is bad. */
const MAX_SHOWN_SIZE = 200_000

const own = '丁'

function openCounted(doc: Y.Doc, mayWrite = true): { editor: HeadlessEditor; writes: () => number } {
  let writes = 0
  doc.on('update', () => void (writes += 1))
  const editor = testedSubject.openEditor(doc, mayWrite)
  return { editor, writes: () => writes }
}

function copyOf(doc: Y.Doc): Y.Doc {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  return copy
}

/** How deep the shown document is, and how much it holds in letters and attributes. */
function measure({ state: { doc } }: HeadlessEditor) {
  let [depth, size, shown] = [0, 0, '']
  const visit = (node: typeof doc, level: number): void => {
    depth = Math.max(depth, level)
    size += JSON.stringify([node.text, node.attrs, node.marks]).length
    shown += node.text ?? (testedSubject.isUnknown(node) ? JSON.stringify(node.attrs) : '')
    node.forEach((child) => visit(child, level + 1))
  }
  visit(doc, 0)
  return { depth, size, shown }
}

/** Somebody writes a paragraph after all that is there. */
function writeBelow({ state, dispatch }: HeadlessEditor): void {
  const { schema, doc, tr } = state
  dispatch(tr.insert(doc.content.size, schema.nodes.paragraph!.create(null, schema.text(own))))
}

/** Checks that the document opens without a write, is the same everywhere, and can be written in. */
function checkOpens(doc: Y.Doc): HeadlessEditor {
  const before = countStoredLetters(doc)
  const { editor, writes } = openCounted(doc)
  editor.state.doc.check()
  expect(writes()).toBe(0)
  writeBelow(editor)
  expect(writes()).toBe(1)
  expect(missingLetters(before, countStoredLetters(doc))).toEqual([])
  expect(countStoredLetters(doc).get(own)).toBe(1)
  const viewer = openCounted(copyOf(doc), false)
  expect(viewer.writes()).toBe(0)
  expect(viewer.editor.state.doc.eq(editor.state.doc)).toBe(true)
  editor.undo()
  expect(countStoredLetters(doc).get(own)).toBeUndefined()
  return editor
}

test.each(badTexts)('%s: it opens, its text is shown, and it can be edited', (_what, build) => {
  const doc = new Y.Doc()
  doc.transact(() => build(doc.getXmlFragment('default')))
  const editor = checkOpens(doc)
  const { depth, size, shown } = measure(editor)
  expect(depth).toBeLessThan(MAX_SHOWN_DEPTH)
  expect(size).toBeLessThan(MAX_SHOWN_SIZE + 300 * editor.state.doc.childCount)
  expect(shown).toContain(letter)
})

test('whatever tree a program writes opens, is shown as what it is, and can be edited', () => {
  fc.assert(
    fc.property(randomTexts, (text) => void checkOpens(text.doc!)),
    { numRuns: runs(50, 200) },
  )
})

test('a letter written at the end of 10,000 levels arrives, and so does one that is deleted there', () => {
  const doc = new Y.Doc()
  doc.transact(() => nested('blockquote')(doc.getXmlFragment('default')))
  const { editor } = openCounted(doc)
  const other = copyOf(doc)
  let innermost: Y.XmlFragment = other.getXmlFragment('default')
  while (innermost.get(0) instanceof Y.XmlElement) innermost = innermost.get(0) as Y.XmlElement
  ;(innermost.get(0) as unknown as Y.XmlText).insert(1, own)
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other, Y.encodeStateVector(doc)))
  expect(measure(editor).shown).toContain(own)
  innermost.delete(0, 1)
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other, Y.encodeStateVector(doc)))
  expect(measure(editor).shown).not.toContain(own)
})
