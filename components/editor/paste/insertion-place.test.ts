/** A dropped or pasted file is inserted where the person put it, and replaces nothing else, however long its preparation takes. */
import { type EditorState, NodeSelection, TextSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { createHeadlessEditor } from '@/components/binding/fixtures/headless-editor.ts'
import { insertFiles } from './dropped-files.ts'
import { InsertionPlace, insertionPlacesPlugin } from './insertion-place.ts'
import { insertBlocks } from './insert-blocks.ts'
import { roomProblem } from './room-problem.ts'
import { takeWaitingMessages } from '@/components/ui/toast.ts'

const picture = { type: 'picture', attrs: { file: 'AAAAAAAAAAAAAAAAAAAAAA' }, content: [{ type: 'caption' }] }

/** An editor of some lines. */
function openEditor(...lines: string[]) {
  const doc = new Y.Doc()
  const text = doc.getXmlFragment('default')
  const editor = createHeadlessEditor(text, { plugins: [insertionPlacesPlugin()] })
  const { schema } = editor.state
  const nodes = lines.map((line) => schema.node('paragraph', null, line === '' ? [] : [schema.text(line)]))
  editor.edit((tr) => tr.replaceWith(0, tr.doc.content.size, nodes))
  const select = (from: number, to = from) =>
    editor.edit((tr) => tr.setSelection(TextSelection.create(tr.doc, from, to)))
  return { doc, editor, view: editor as unknown as EditorView, select }
}

const linesOf = ({ doc }: EditorState): string[] =>
  doc.children.map(({ type, textContent }) => (type.name === 'paragraph' ? textContent : type.name))

const selectedIn = ({ doc, selection: { from, to } }: EditorState): string => doc.textBetween(from, to)

test('a selection that was made while a picture was prepared stays, and so does what it selects', () => {
  const { editor, view, select } = openEditor('one', 'two', 'three')
  select(4)
  const place = new InsertionPlace(view)
  select(11, 16)
  expect(selectedIn(editor.state)).toBe('three')
  insertBlocks(view, [picture], place.take())
  expect(linesOf(editor.state).filter((line) => line !== '')).toEqual(['one', 'picture', 'two', 'three'])
  expect(selectedIn(editor.state)).toBe('three')
})

test('the place moves with what others write before it', () => {
  const { doc, editor, view, select } = openEditor('one', 'two')
  select(4)
  const place = new InsertionPlace(view)
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  const line = new Y.XmlElement('paragraph')
  line.insert(0, [new Y.XmlText('zero')])
  other.getXmlFragment('default').insert(0, [line])
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other), 'network')
  expect(linesOf(editor.state)).toEqual(['zero', 'one', 'two'])
  insertBlocks(view, [picture], place.take())
  expect(linesOf(editor.state).filter((line) => line !== '')).toEqual(['zero', 'one', 'picture', 'two'])
})

test('what was selected is replaced, unless somebody wrote into it', () => {
  const replaced = openEditor('one two')
  replaced.select(5, 8)
  const place = new InsertionPlace(replaced.view)
  insertBlocks(replaced.view, [picture], place.take())
  expect(linesOf(replaced.editor.state).slice(0, 2)).toEqual(['one ', 'picture'])

  const written = openEditor('one two')
  written.select(5, 8)
  const former = new InsertionPlace(written.view)
  written.editor.edit((tr) => tr.insertText('X', 6))
  insertBlocks(written.view, [picture], former.take())
  expect(linesOf(written.editor.state).slice(0, 2)).toEqual(['one tXwo', 'picture'])
})

test('a picture that was selected is replaced, and one that was deleted takes nothing with it', () => {
  const { editor, view } = openEditor('one', 'two')
  insertBlocks(view, [picture], TextSelection.create(editor.state.doc, 4))
  const at = 5
  expect(editor.state.doc.nodeAt(at)?.type.name).toBe('picture')
  editor.edit((tr) => tr.setSelection(NodeSelection.create(tr.doc, at)))
  const place = new InsertionPlace(view)
  editor.edit((tr) => tr.deleteSelection())
  insertBlocks(view, [picture], place.take())
  expect(linesOf(editor.state).filter((line) => line !== '')).toEqual(['one', 'picture', 'two'])
})

test('whoever closes the document before a file is inserted is told its name', async () => {
  const { editor } = openEditor('one')
  takeWaitingMessages()
  const view = { ...editor, state: editor.state, isDestroyed: true, editable: true } as unknown as EditorView
  await insertFiles(view, [new File(['a,b'], 'plan.csv')], async () => {})
  expect(takeWaitingMessages()).toEqual([
    '“plan.csv” was not inserted: the document was closed, or you can’t edit it any more.',
  ])
})

test('a server that does not say whether it has room delays a large file for no more than 3 s', async () => {
  const threeSeconds = new AbortController()
  const asked = Promise.withResolvers<void>()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) =>
    ms === 3_000 ? threeSeconds.signal : new AbortController().signal,
  )
  vi.stubGlobal('fetch', (path: string, { signal }: { signal: AbortSignal }) => {
    if (path !== '/api/storage') return Promise.resolve(new Response())
    asked.resolve()
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    )
  })
  try {
    const problem = roomProblem({ name: 'a.bin', bytes: new Blob([new Uint8Array(5 * 1024 * 1024)]) }, 'doc1')
    await asked.promise
    threeSeconds.abort()
    expect(await problem).toBeNull()
  } finally {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  }
})
