/** Five people change one table at once, some of them without a connection. What they made of it meets. */
import type { Node } from '@tiptap/pm/model'
import { type Command, TextSelection } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { createHeadlessEditor, type HeadlessEditor } from '@/components/binding/fixtures/headless-editor.ts'
import { TextReader } from '@/components/binding/read-text.ts'
import { pageSchema } from '@/components/editor/schema.ts'
import { parseColumns } from '@/lib/blocks/table/table-columns.ts'
import { createSeededRandom, type SeededRandom } from '@/lib/fixtures/seeded-random.ts'
import { createTable } from './insert-table.ts'
import {
  addColumn,
  addRow,
  alignColumns,
  deleteColumns,
  deleteRows,
  duplicateColumns,
  duplicateRows,
  moveColumns,
  moveRows,
  resizeColumns,
  toggleHead,
} from './table-commands.ts'
import { runs } from '@/lib/fixtures/runs.ts'

interface TableWindow {
  readonly doc: Y.Doc
  readonly editor: HeadlessEditor
  readonly undo: Y.UndoManager
  /** How often it wrote while it received. */
  writes: number
}

function openWindows(count: number, rows = 3, columns = 3): TableWindow[] {
  const first = new Y.Doc()
  const author = createHeadlessEditor(first.getXmlFragment('default'))
  author.edit((tr) => tr.insert(0, createTable(pageSchema, rows, columns)))
  return Array.from({ length: count }, () => {
    const doc = new Y.Doc()
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(first))
    const editor = createHeadlessEditor(doc.getXmlFragment('default'))
    const undo = new Y.UndoManager(doc.getXmlFragment('default'), {
      trackedOrigins: new Set([editor.binding]),
      captureTimeout: 0,
    })
    const window: TableWindow = { doc, editor, undo, writes: 0 }
    doc.on('afterTransaction', ({ local, changed, origin }: Y.Transaction) => {
      if (local && changed.size > 0 && origin !== editor.binding && origin !== undo) window.writes += 1
    })
    return window
  })
}

const send = (from: TableWindow, to: TableWindow): void =>
  Y.applyUpdate(to.doc, Y.encodeStateAsUpdate(from.doc, Y.encodeStateVector(to.doc)), 'network')

function meet(windows: readonly TableWindow[]): void {
  for (const from of windows) for (const to of windows) if (from !== to) send(from, to)
}

const run = ({ editor }: TableWindow, command: Command): boolean =>
  command(editor.state, (tr) => editor.dispatch(tr))

/** Puts the caret into a random cell. Returns false where there is no table. */
function enterCell({ editor }: TableWindow, random: SeededRandom): boolean {
  const { doc } = editor.state
  const lines: number[] = []
  doc.descendants((node, at, parent) => {
    if (node.isTextblock && parent?.type.name === 'tableCell') lines.push(at + 1)
  })
  if (lines.length === 0) return false
  const at = random.pick(lines)
  editor.edit((tr) =>
    tr.setSelection(TextSelection.create(doc, at + random.between(0, doc.resolve(at).parent.content.size))),
  )
  return true
}

const keepingCommands: Readonly<Record<string, (random: SeededRandom) => Command>> = {
  'add a column': (random) => addColumn(random.pick(['before', 'after'])),
  'add a row': (random) => addRow(random.pick(['before', 'after'])),
  'move a column': (random) => moveColumns(random.pick([-1, 1])),
  'move a row': (random) => moveRows(random.pick([-1, 1])),
  align: (random) => alignColumns(random.pick(['left', 'center', 'right', null])),
  resize: (random) => resizeColumns(random.pick([-40, 40])),
  'switch the head': (random) => toggleHead(random.pick(['headerRow', 'headerColumn'])),
}

const allCommands: typeof keepingCommands = {
  ...keepingCommands,
  'delete a column': () => deleteColumns,
  'delete a row': () => deleteRows,
  'duplicate a column': () => duplicateColumns,
  'duplicate a row': () => duplicateRows,
}

let letterCount = 0
const newLetter = (): string => String.fromCodePoint(0x4e00 + (letterCount++ % 20_000))

/** Every act of each; at random, some of the windows receive what another one has. Returns what was typed by each. */
function playTogether(
  windows: readonly TableWindow[],
  random: SeededRandom,
  commands: typeof allCommands,
  acts = 60,
): string[][] {
  const typed = windows.map((): string[] => [])
  for (let act = 0; act < acts; act++) {
    const index = random.between(0, windows.length - 1)
    const window = windows[index]!
    if (enterCell(window, random)) {
      if (random.next() < 0.5) {
        const letter = newLetter()
        typed[index]!.push(letter)
        window.editor.edit((tr) => tr.insertText(letter))
      } else run(window, commands[random.pick(Object.keys(commands))]!(random))
    }
    expectTables(window)
    if (random.next() < 0.3) send(window, random.pick(windows.filter((other) => other !== window)))
  }
  return typed
}

/** Every row has each column once, in their order. */
function expectTables({ editor, doc }: TableWindow): void {
  const { state } = editor
  state.doc.check()
  state.doc.descendants((node) => {
    if (node.type.name !== 'table') return
    const ids = parseColumns(node.attrs.columns).map(({ id }) => id)
    for (const row of node.children) expect(row.children.map(({ attrs }) => attrs.col)).toEqual(ids)
  })
  expect(new TextReader(pageSchema).read(doc.getXmlFragment('default')).node.eq(state.doc)).toBe(true)
}

function expectEqual(windows: readonly TableWindow[]): Node {
  const [first, ...others] = windows.map(({ editor }) => editor.state.doc)
  for (const other of others) expect(other.toJSON()).toEqual(first!.toJSON())
  for (const window of windows) {
    expectTables(window)
    expect(window.writes).toBe(0)
  }
  return first!
}

const seeds = Array.from({ length: runs(4, 12) }, (_, seed) => seed)

describe.each(seeds)('seed %i', (seed) => {
  test('[W11] five people add, move and write: all is shown to all, and no letter goes', () => {
    const windows = openWindows(5)
    const typed = playTogether(windows, createSeededRandom(seed, 'keep'), keepingCommands)
    meet(windows)
    const text = expectEqual(windows).textContent
    for (const letter of typed.flat()) expect(text).toContain(letter)
  })

  test('[W11] five people also delete and duplicate: tables stay whole, and nobody writes by receiving', () => {
    const windows = openWindows(5)
    playTogether(windows, createSeededRandom(seed, 'all'), allCommands)
    meet(windows)
    expectEqual(windows)
  })

  test('undo takes back all of one’s own and no letter of others', () => {
    const windows = openWindows(3)
    const random = createSeededRandom(seed, 'undo')
    const commands = Object.fromEntries(
      Object.entries(keepingCommands).filter(([name]) => !name.startsWith('add')),
    )
    const typed = playTogether(windows, random, commands, 40)
    meet(windows)
    const [own] = windows
    while (own!.undo.undoStack.length > 0) own!.undo.undo()
    meet(windows)
    const text = expectEqual(windows).textContent
    for (const letter of typed[0]!) expect(text).not.toContain(letter)
    for (const letter of typed.slice(1).flat()) expect(text).toContain(letter)
  })
})
