/** A long paste is inserted in pieces, one a task of the page. The blocks of each are counted; what comes of it is what pasting at once makes. */
import { Editor } from '@tiptap/core'
import { Fragment, type Node, Slice } from '@tiptap/pm/model'
import { type EditorState, TextSelection, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as Y from 'yjs'
import { createTable } from '@/components/blocks/table/insert-table.ts'
import { takeWaitingMessages } from '@/components/ui/toast.ts'
import { NoteChannel } from '@/lib/sync/note-channel.ts'
import { paragraph, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { Undo } from '@/lib/undo/undo.ts'
import { insertedTextStrings } from '@/lib/strings/inserted-text.ts'
import { createHeadlessEditor } from '@/components/binding/fixtures/headless-editor.ts'
import { TextReader } from '@/components/binding/read-text.ts'
import { pageSchema as schema, pageSchemaExtensions } from '../schema.ts'
import { SharedUndo } from '@/components/binding/shared-undo.ts'
import { insertionPlacesPlugin } from './insertion-place.ts'
import { pasteLong } from './long-paste.ts'
import { parseLines } from './paste-handling.ts'

const replaceWith = ({ tr }: EditorState, slice: Slice): Transaction => tr.replaceSelection(slice)

/** Shows `one two`, with the caret in the middle. Its steps of undo end by what happens, never by the clock. */
function openEditor() {
  vi.useFakeTimers()
  const text = textWith(paragraph('one two'))
  const undo = new Undo({
    body: text,
    title: text.doc!.getText('title'),
    notes: new NoteChannel(),
    windowLabel: '',
    captureMs: Infinity,
  })
  const { extensionManager } = new Editor({
    element: null,
    enableCoreExtensions: false,
    content: { type: 'doc', content: [{ type: 'paragraph' }] },
    extensions: [...pageSchemaExtensions, SharedUndo.configure({ undo })],
  })
  const undoPlugins = extensionManager.plugins.filter(({ props }) => props.handleDOMEvents?.blur)
  const editor = createHeadlessEditor(text, { plugins: [...undoPlugins, insertionPlacesPlugin()] })
  editor.edit((tr) => tr.setSelection(TextSelection.create(tr.doc, 4)))
  /** How many text blocks each paste or piece of it adds. */
  const added: number[] = []
  const view = {
    editable: true,
    get state() {
      return editor.state
    },
    dispatch(tr: Transaction) {
      const before = countBlocks(editor.state.doc)
      editor.dispatch(tr)
      if (tr.docChanged) added.push(countBlocks(editor.state.doc) - before)
    },
  } as unknown as EditorView
  const paste = (slice: Slice) => pasteLong(view, slice, replaceWith)
  onTestFinished(() => {
    vi.runAllTimers()
    editor.destroy()
    vi.useRealTimers()
    takeWaitingMessages()
  })
  return { text, undo, editor, view, added, paste }
}

function countBlocks(doc: Node): number {
  let count = 0
  doc.descendants((node) => {
    count += Number(node.isTextblock)
  })
  return count
}

const line = (letters: string): Node => schema.node('paragraph', null, schema.text(letters))

const linesOf = (count: number): Node[] => Array.from({ length: count }, (_, index) => line(`line ${index}`))

const openLines = (count: number): Slice => Slice.maxOpen(Fragment.from(linesOf(count)))

const closed = (...nodes: Node[]): Slice => new Slice(Fragment.from(nodes), 0, 0)

/** A letter of two units stands where a piece of letters would end. */
const code = `${'a\n'.repeat(24_999)}b😀${'c\n'.repeat(60_000)}end`

const cellsOf = (rows: number) =>
  Array.from({ length: rows }, (_, row) => [Fragment.from(line(`${row}`)), null])

const listOf = (lines: Node[]): Node =>
  schema.node(
    'bulletList',
    null,
    lines.map((one) => schema.node('listItem', null, one)),
  )

/** Each with how many text blocks the first piece adds, and then each of the others. */
const slices: readonly (readonly [string, () => Slice, number[]])[] = [
  ['lines that join the line of the caret', () => openLines(2_400), [500, 1_000, 899]],
  ['blocks of their own', () => closed(...linesOf(2_400)), [502, 1_000, 899]],
  ['a list', () => closed(listOf(linesOf(2_400))), [502, 1_000, 899]],
  ['a table', () => closed(createTable(schema, 900, 2, cellsOf(900))), [503, 1_000, 298]],
  ['code', () => closed(schema.node('codeBlock', null, schema.text(code))), [2, 0, 0, 0]],
]

test.each(slices)('%s: the pieces make what the whole would, and are one step', (_name, create, counts) => {
  const { text, undo, editor, added, paste } = openEditor()
  const [before, slice] = [editor.state, create()]
  expect(paste(slice)).toBe(true)
  vi.runAllTimers()
  const { doc, selection } = replaceWith(before, slice)
  expect(added).toEqual(counts)
  expect(editor.state.doc.eq(doc)).toBe(true)
  expect(editor.state.selection.toJSON()).toEqual(selection.toJSON())
  expect(new TextReader(schema).read(text).node.eq(doc)).toBe(true)
  undo.undo()
  expect(editor.state.doc.eq(before.doc)).toBe(true)
  expect(undo.nextItem('undo')).toBe(undefined)
  undo.redo()
  // The editor showed a line, so that it draws what comes as a text that opens.
  vi.runAllTimers()
  expect(editor.state.doc.eq(doc)).toBe(true)
})

test('what is shorter, or has cells that reach into later rows, is pasted at once', () => {
  const { paste } = openEditor()
  expect(paste(openLines(500))).toBe(false)
  const table = createTable(schema, 900, 2, cellsOf(900))
  const [first, ...rows] = table.children
  const cells = first!.children.map(({ type, attrs, content }) =>
    type.create({ ...attrs, rowspan: 2 }, content),
  )
  expect(paste(closed(table.copy(Fragment.from([first!.copy(Fragment.from(cells)), ...rows]))))).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

test('a long text becomes the same lines as a short one', () => {
  const { editor } = openEditor()
  const { $from } = editor.state.selection
  const letters = 'x'.repeat(100)
  expect(parseLines(`${letters}\n`, $from)).toBe(null)
  const slice = parseLines(`${letters}\r\n\n`.repeat(600), $from)!
  expect(slice.content.childCount).toBe(601)
  expect([slice.openStart, slice.openEnd]).toEqual([1, 1])
  expect([slice.content.child(1).textContent, slice.content.lastChild!.textContent]).toEqual([letters, ''])
})

/** Types at the end of the line that has these letters. */
function typeAfter({ editor }: ReturnType<typeof openEditor>, letters: string, typed: string): void {
  for (const letter of typed)
    editor.edit((tr) => {
      let end = 0
      tr.doc.descendants((node, at) => {
        if (node.textContent.startsWith(letters) && node.isTextblock) end ||= at + node.nodeSize - 1
      })
      return tr.insertText(letter, end, end)
    })
}

const linesIn = ({ doc }: EditorState): string[] => doc.children.map(({ textContent }) => textContent)

test('what is typed and what others write meanwhile stay whole, and are no part of its step', () => {
  const window = openEditor()
  const { text, undo, editor, paste } = window
  paste(openLines(5_000))
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(text.doc!))
  const theirs = new Y.XmlElement('paragraph')
  theirs.insert(0, [new Y.XmlText('theirs')])
  other.getXmlFragment('default').insert(3, [theirs])
  typeAfter(window, 'line 2', ' ty')
  vi.runOnlyPendingTimers()
  typeAfter(window, 'line 2', 'ped')
  Y.applyUpdate(text.doc!, Y.encodeStateAsUpdate(other), 'network')
  vi.runAllTimers()
  const lines = linesOf(5_000).map((one) => one.textContent)
  lines[0] = 'one' + lines[0]
  lines[2] += ' typed'
  lines[4_999] += ' two'
  lines.splice(3, 0, 'theirs')
  expect(linesIn(editor.state)).toEqual(lines)
  undo.undo()
  expect(linesIn(editor.state)).toEqual(lines.map((one) => one.replace(' typed', '')))
  undo.undo()
  expect(linesIn(editor.state)).toEqual(['theirs', 'one two'])
  expect(undo.nextItem('undo')).toBe(undefined)
})

test('an undo meanwhile takes back what is there, and ends it', () => {
  const { undo, editor, paste } = openEditor()
  paste(openLines(5_000))
  vi.runOnlyPendingTimers()
  undo.undo()
  vi.runAllTimers()
  expect(linesIn(editor.state)).toEqual(['one two'])
  expect(takeWaitingMessages()).toEqual([insertedTextStrings.pasted.undone])
})

test('undone and redone between two pieces, it goes on in the step that is there', () => {
  const { undo, editor, paste } = openEditor()
  paste(openLines(5_000))
  vi.runOnlyPendingTimers()
  undo.undo()
  undo.redo()
  vi.runAllTimers()
  expect(editor.state.doc.childCount).toBe(5_000)
  expect(takeWaitingMessages()).toEqual([])
  undo.undo()
  expect(linesIn(editor.state)).toEqual(['one two'])
})

test('whoever leaves the page has all of it', () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  const { editor, paste } = openEditor()
  paste(openLines(5_000))
  page.dispatchEvent(new Event('beforeunload'))
  expect(editor.state.doc.childCount).toBe(5_000)
  vi.runAllTimers()
  expect(editor.state.doc.childCount).toBe(5_000)
  vi.unstubAllGlobals()
})

test('letters do not follow where their block has become another kind', () => {
  const { editor, paste } = openEditor()
  paste(closed(schema.node('codeBlock', null, schema.text('let a = 1\n'.repeat(20_000)))))
  let at = -1
  editor.state.doc.descendants((node, position) => {
    if (node.type.name === 'codeBlock') at = position
  })
  const before = editor.state.doc.textContent.length
  editor.edit((tr) => tr.setNodeMarkup(at, schema.nodes['paragraph']))
  vi.runAllTimers()
  expect(editor.state.doc.textContent.length).toBe(before)
  expect(takeWaitingMessages()).toEqual([insertedTextStrings.pasted.incomplete])
})

test('where its place is deleted it ends, and says so', () => {
  const { editor, paste } = openEditor()
  paste(openLines(5_000))
  editor.edit((tr) => tr.delete(0, tr.doc.content.size))
  vi.runAllTimers()
  expect(linesIn(editor.state)).toEqual([''])
  expect(takeWaitingMessages()).toEqual([insertedTextStrings.pasted.incomplete])
})

test('what comes while the text can no longer be edited is not pasted, which is said', () => {
  const { editor, view, paste } = openEditor()
  paste(openLines(5_000))
  Object.assign(view, { editable: false })
  vi.runAllTimers()
  expect(editor.state.doc.childCount).toBe(501)
  expect(takeWaitingMessages()).toEqual([insertedTextStrings.pasted.closed])
})
