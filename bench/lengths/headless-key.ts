/**
 * Measures what a letter costs the binding alone, without a screen, beside Tiptap's own binding, in documents of several lengths. The
 * programs take turns, a stretch of keys each; processor time is counted and not a clock. Run it by
 * `node --import ./e2e/chaos/editor/page-imports.ts bench/lengths/headless-key.ts`.
 */
import { EditorState, type Plugin, type PluginView, TextSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { ySyncPlugin } from '@tiptap/y-tiptap'
import * as Y from 'yjs'
import { createHeadlessEditor } from '../../components/binding/fixtures/headless-editor.ts'
import { pageSchema } from '../../components/editor/schema.ts'
import { createProseDocument } from './prose-document.ts'

const LENGTHS = [0, 21_000, 104_000]
const STRETCHES = 20
const KEYS = 200

type TypeKey = () => void

function openDocument(characters: number): Y.XmlFragment {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, createProseDocument(characters, 1))
  return doc.getXmlFragment('default')
}

function ours(text: Y.XmlFragment): TypeKey {
  const editor = createHeadlessEditor(text)
  editor.edit((tr) => tr.setSelection(TextSelection.atEnd(tr.doc)))
  return () => editor.edit((tr) => tr.insertText('x'))
}

function stock(text: Y.XmlFragment): TypeKey {
  const plugin = ySyncPlugin(text) as Plugin
  // It draws the text while its view is created.
  const drawn: { plugin?: PluginView } = {}
  const view = {
    state: EditorState.create({ schema: pageSchema, plugins: [plugin] }),
    hasFocus: () => false,
    dispatch(transaction: EditorState['tr']) {
      view.state = view.state.apply(transaction)
      drawn.plugin?.update?.(view as unknown as EditorView, view.state)
    },
  }
  drawn.plugin = plugin.spec.view!(view as unknown as EditorView)
  view.dispatch(view.state.tr.setSelection(TextSelection.atEnd(view.state.doc)))
  return () => view.dispatch(view.state.tr.insertText('x'))
}

/** Returns the ms of processor time of a key. */
function measure(type: TypeKey): number {
  const start = process.cpuUsage()
  for (let key = 0; key < KEYS; key++) type()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000 / KEYS
}

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]!

for (const length of LENGTHS) {
  const programs = { ours: ours(openDocument(length)), stock: stock(openDocument(length)) }
  const figures = { ours: [] as number[], stock: [] as number[] }
  for (let stretch = 0; stretch < STRETCHES; stretch++)
    for (const name of ['ours', 'stock'] as const) figures[name].push(measure(programs[name]))
  const [own, theirs] = [median(figures.ours), median(figures.stock)]
  console.log(
    `${length} characters: ${own.toFixed(3)} ms a key; Tiptap's binding ${theirs.toFixed(3)} ms; ratio ${(own / theirs).toFixed(2)}`,
  )
}
