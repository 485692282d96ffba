import { type Command, TextSelection } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { createHeadlessEditor, type HeadlessEditor } from '@/components/binding/fixtures/headless-editor.ts'
import { parseColumns } from '@/lib/blocks/table/table-columns.ts'
import { initialOrderKey } from '@/lib/blocks/table/order-keys.ts'
import { appendBlocks, type BlockSketch, paragraph } from '@/lib/text/fixtures/text-sketches.ts'
import { markdownOf } from '@/lib/text/markdown.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { insertTable } from './insert-table.ts'
import {
  addColumn,
  addRow,
  alignColumns,
  deleteColumns,
  deleteRows,
  deleteTable,
  duplicateColumns,
  duplicateRows,
  goToCell,
  moveColumns,
  moveRows,
  toggleHead,
} from './table-commands.ts'

interface Person {
  readonly doc: Y.Doc
  readonly editor: HeadlessEditor
  readonly undo: Y.UndoManager
}

/** People at one document, which `meet` brings to the same state. */
function openPeople(...blocks: BlockSketch[]) {
  const first = new Y.Doc()
  appendBlocks(first.getXmlFragment('default'), blocks)
  const people = ['Ada', 'Bob'].map((): Person => {
    const doc = new Y.Doc()
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(first))
    const text = doc.getXmlFragment('default')
    const editor = createHeadlessEditor(text)
    const undo = new Y.UndoManager(text, { trackedOrigins: new Set([editor.binding]), captureTimeout: 0 })
    return { doc, editor, undo }
  }) as [Person, Person]
  const meet = (): string => {
    const [ada, bob] = people
    for (const [from, to] of [
      [ada, bob],
      [bob, ada],
    ] as const)
      Y.applyUpdate(to.doc, Y.encodeStateAsUpdate(from.doc, Y.encodeStateVector(to.doc)), 'network')
    expect(gridOf(ada)).toBe(gridOf(bob))
    return gridOf(ada)
  }
  return { ada: people[0], bob: people[1], meet }
}

const cell = (letters: string, attributes: BlockSketch['attributes'] = {}): BlockSketch => ({
  name: 'tableCell',
  attributes,
  children: [paragraph(...(letters === '.' ? [] : [letters]))],
})

/** "ab/cd" for two rows of two cells, as a page stores them; a dot is an empty cell. */
function tableOf(letters: string, attributes: BlockSketch['attributes'] = {}): BlockSketch {
  const rows = letters.split('/').map((row) => Array.from(row))
  const columns = rows[0]!.map((_cell, index) => [`col:${index}`, initialOrderKey(index)])
  return {
    name: 'table',
    attributes: { ...Object.fromEntries(columns), ...attributes },
    children: rows.map((row) => ({
      name: 'tableRow',
      children: row.map((letter, index) => cell(letter, { col: String(index) })),
    })),
  }
}

/** As another program stores it: no cell names its column. */
const plainTableOf = (letters: string): BlockSketch => ({
  name: 'table',
  children: letters
    .split('/')
    .map((row) => ({ name: 'tableRow', children: Array.from(row, (letter) => cell(letter)) })),
})

/** Returns the letters of each cell, a line for a row; a bar stands between two lines of one cell. */
function gridOf({ editor }: Person): string {
  const rows: string[] = []
  editor.state.doc.descendants((node) => {
    if (node.type.name !== 'tableRow') return
    rows.push(node.children.map((one) => one.textBetween(0, one.content.size, '|') || '.').join(''))
  })
  return rows.join('/')
}

function goTo({ editor }: Person, letter: string): void {
  let at = 0
  editor.state.doc.descendants((node, position) => {
    if (node.isText && node.text!.includes(letter)) at = position + node.text!.indexOf(letter) + 1
  })
  editor.edit((tr) => tr.setSelection(TextSelection.create(tr.doc, at)))
}

/** The n-th cell from the start of the text. */
function goToNth({ editor }: Person, n: number): void {
  const starts: number[] = []
  editor.state.doc.descendants((node, at) => void (node.type.name === 'tableCell' && starts.push(at + 2)))
  editor.edit((tr) => tr.setSelection(TextSelection.create(tr.doc, starts[n]!)))
}

const type = ({ editor }: Person, letters: string): void => editor.edit((tr) => tr.insertText(letters))

function run(person: Person, letter: string | number, ...commands: Command[]): boolean {
  if (typeof letter === 'number') goToNth(person, letter)
  else goTo(person, letter)
  return commands.every((command) => command(person.editor.state, (tr) => person.editor.dispatch(tr)))
}

describe('one person', () => {
  test.each<[string, string, Command[], string]>([
    ['adds a column after', 'a', [addColumn('after')], 'a.b/c.d'],
    ['adds a column before', 'a', [addColumn('before')], '.ab/.cd'],
    ['adds a row after', 'a', [addRow('after')], 'ab/../cd'],
    ['adds a row before', 'a', [addRow('before')], '../ab/cd'],
    ['deletes a column', 'a', [deleteColumns], 'b/d'],
    ['deletes the last column, and the table with it', 'a', [deleteColumns, deleteColumns], ''],
    ['deletes a row', 'a', [deleteRows], 'cd'],
    ['deletes the last row, and the table with it', 'a', [deleteRows, deleteRows], ''],
    ['moves a column', 'a', [moveColumns(1)], 'ba/dc'],
    ['moves a column beyond the end', 'b', [moveColumns(1)], 'ab/cd'],
    ['moves a row down', 'a', [moveRows(1)], 'cd/ab'],
    ['moves a row up', 'd', [moveRows(-1)], 'cd/ab'],
    ['moves a row there and back', 'a', [moveRows(1), moveRows(-1)], 'ab/cd'],
    ['duplicates a column', 'a', [duplicateColumns], 'aab/ccd'],
    ['duplicates a row', 'a', [duplicateRows], 'ab/ab/cd'],
    ['duplicates what was moved', 'a', [moveRows(1), duplicateRows, moveColumns(1)], 'dc/ba/ba'],
    ['deletes the table', 'a', [deleteTable], ''],
    ['goes to the next cell and adds a row there', 'a', [goToCell(1), addRow('after')], 'ab/../cd'],
    ['goes beyond the last cell', 'd', [goToCell(1)], 'ab/cd/..'],
  ])('%s, in a table of this page and of another program', (_name, letter, commands, shown) => {
    for (const table of [tableOf('ab/cd'), plainTableOf('ab/cd')]) {
      const { ada, meet } = openPeople(table, paragraph('END'))
      run(ada, letter, ...commands)
      expect(meet()).toBe(shown)
      expect(ada.editor.state.doc.lastChild!.textContent).toBe('END')
      ada.editor.state.doc.check()
      while (ada.undo.undoStack.length > 0) ada.undo.undo()
      expect(meet()).toBe('ab/cd')
    }
  })

  test('the caret stays in its cell while columns and rows move', () => {
    const { ada } = openPeople(tableOf('ab/cd'))
    run(ada, 'c', moveRows(-1), moveColumns(1), addColumn('before'))
    type(ada, '!')
    expect(gridOf(ada)).toBe('d.c!/b.a')
  })

  test('moving a column writes one key, and moving a row of a table in which rows have moved, too', () => {
    const { ada } = openPeople(tableOf('abc/def/ghi'))
    const writesOf = (act: () => void): number => {
      const before = Y.encodeStateVector(ada.doc)
      act()
      return [...Y.decodeUpdate(Y.encodeStateAsUpdate(ada.doc, before)).structs].length
    }
    expect(writesOf(() => run(ada, 'a', moveColumns(1)))).toBe(1)
    run(ada, 'a', moveRows(1))
    expect(writesOf(() => run(ada, 'g', moveRows(-1)))).toBe(1)
  })

  test('the head of a row and a column, and the alignment, are drawn on their cells', () => {
    const { ada } = openPeople(tableOf('ab/cd'))
    run(ada, 'd', toggleHead('headerRow'), toggleHead('headerColumn'), alignColumns('right'))
    const cells: unknown[] = []
    ada.editor.state.doc.descendants(({ type: { name }, attrs }) => {
      if (name === 'tableCell') cells.push([attrs.header, attrs.align])
    })
    expect(cells).toEqual([
      [true, null],
      [true, 'right'],
      [true, null],
      [false, 'right'],
    ])
    expect(markdownOf(treeOf(ada.doc.getXmlFragment('default')))).toBe('| a | b |\n| - | -: |\n| c | d |\n')
  })

  test('a new table replaces an empty line, and its first cell has the caret', () => {
    const { ada } = openPeople(paragraph())
    ada.editor.edit((tr) => tr.setSelection(TextSelection.create(tr.doc, 1)))
    insertTable(2, 2)(ada.editor.state, (tr) => ada.editor.dispatch(tr))
    type(ada, 'x')
    expect(gridOf(ada)).toBe('x./..')
    expect(ada.editor.state.doc.childCount).toBe(1)
  })

  test('a range from one cell into another deletes letters and no other column', () => {
    const { ada, meet } = openPeople(tableOf('abc/def/ghi'))
    const { doc } = ada.editor.state
    let [from, to] = [0, 0]
    doc.descendants((node, at) => {
      if (node.text === 'b') from = at
      if (node.text === 'h') to = at + 1
    })
    ada.editor.edit((tr) => tr.delete(from, to))
    expect(meet()).toBe('a.i')
  })
})

describe('two people', () => {
  test('each add a column and a row at the same place', () => {
    const { ada, bob, meet } = openPeople(tableOf('ab/cd'))
    run(ada, 'a', addColumn('after'), addRow('after'))
    run(bob, 'a', addColumn('after'), addRow('after'))
    expect(meet()).toBe('a..b/..../..../c..d')
  })

  test('a column that is moved keeps what somebody writes in it, and so does a row', () => {
    const { ada, bob, meet } = openPeople(tableOf('ab/cd'))
    run(ada, 'a', moveColumns(1), moveRows(1))
    goTo(bob, 'a')
    type(bob, '!')
    expect(meet()).toBe('dc/ba!')
  })

  test('two who fill a virtual cell at once: both are shown, one after the other', () => {
    const { ada, bob, meet } = openPeople(tableOf('ab/cd'))
    run(ada, 'b', addColumn('after'))
    meet()
    goToNth(ada, 2)
    type(ada, 'x')
    goToNth(bob, 2)
    type(bob, 'y')
    expect(meet()).toMatch(/^ab(?:x\|y|y\|x)\/cd\.$/)
    goTo(bob, 'y')
    type(bob, '!')
    goTo(ada, 'x')
    type(ada, '?')
    expect(meet()).toMatch(/^ab(?:x\?\|y!|y!\|x\?)\/cd\.$/)
    // Either can delete all of it.
    const { doc } = ada.editor.state
    const all: number[] = []
    doc.descendants((node, at) => void (/[xy]/.test(node.text ?? '') && all.push(at)))
    ada.editor.edit((tr) => tr.delete(all[0]!, all[1]! + 2))
    expect(meet()).toBe('ab./cd.')
  })

  test('a column that somebody deletes takes with it what others write there, and undo brings the column back', () => {
    const { ada, bob, meet } = openPeople(tableOf('ab/cd'))
    run(ada, 'b', addColumn('after'))
    meet()
    run(ada, 2, deleteColumns)
    goToNth(bob, 2)
    type(bob, 'x')
    expect(meet()).toBe('ab/cd')
    ada.undo.undo()
    expect(meet()).toBe('abx/cd.')
  })

  test('one deletes a row, the other adds a column: the rest is whole', () => {
    const { ada, bob, meet } = openPeople(tableOf('ab/cd'))
    run(ada, 'a', deleteRows)
    run(bob, 'a', addColumn('after'))
    expect(meet()).toBe('c.d')
    ada.undo.undo()
    expect(meet()).toBe('a.b/c.d')
  })

  test('both name the columns of a table that another program wrote', () => {
    const { ada, bob, meet } = openPeople(plainTableOf('ab/cd'))
    run(ada, 'a', addColumn('after'))
    run(bob, 'b', addColumn('after'))
    expect(meet()).toBe('a.b./c.d.')
  })
})

describe('a table that no page wrote', () => {
  test.each<[string, BlockSketch, string]>([
    ['rows of different lengths', plainTableOf('a/bcd/ef'), 'a../bcd/ef.'],
    ['no rows', { name: 'table' }, '.'],
    ['a cell without a column among cells with one', withRow(cell('a', { col: '1' }), cell('b')), '../ba'],
    ['a cell with an empty name', withRow(cell('a', { col: '1' }), cell('b', { col: '' })), '../ba'],
    [
      'a cell of a column that is gone',
      withRow(cell('a', { col: 'gone' }), cell('b', { col: '0' })),
      '../b.',
    ],
    ['two cells of one column', withRow(cell('a', { col: '0' }), cell('b', { col: '0' })), '../a|b.'],
    ['keys of a wrong kind', tableOf('ab', { 'col:0': 7, 'col:1': null }), 'a'],
    ['more cells than columns', withRow(cell('a'), cell('b'), cell('c')), '../ab|c'],
  ])('%s', (_name, sketch, shown) => {
    const { ada, meet } = openPeople(sketch)
    expect(meet()).toBe(shown)
    ada.editor.state.doc.check()
    expect(ada.undo.undoStack).toHaveLength(0)
  })

  test('its cells are written in where they stand', () => {
    const { ada, meet } = openPeople(plainTableOf('a/bcd'))
    goToNth(ada, 2)
    type(ada, 'x')
    expect(meet()).toBe('a.x/bcd')
    const columns = ada.editor.state.doc.firstChild!.attrs.columns as string
    expect(parseColumns(columns).map(({ id }) => id)).toEqual(['place-0', 'place-1', 'place-2'])
  })

  test.each([
    ['201 columns', () => tableOf('.'.repeat(201))],
    ['more than 20,000 cells', () => tableOf(Array.from({ length: 101 }, () => '.'.repeat(200)).join('/'))],
  ])('one of %s is shown as a part that this page does not know', (_name, createTable) => {
    const { ada } = openPeople(createTable())
    expect(ada.editor.state.doc.firstChild!.type.name).toBe('unknownBlock')
  })

  test('one that has other parts than rows is shown as a part that this page does not know', () => {
    const { ada } = openPeople({ name: 'table', children: [paragraph('a')] })
    expect(ada.editor.state.doc.firstChild!.type.name).toBe('unknownBlock')
  })
})

/** A table of two columns, whose second row has these cells. */
function withRow(...cells: BlockSketch[]): BlockSketch {
  const table = tableOf('..')
  return { ...table, children: [...table.children!, { name: 'tableRow', children: cells }] }
}

test('a letter in one of 10,000 cells reads its row and no other', () => {
  const { ada } = openPeople(tableOf(Array.from({ length: 100 }, () => 'x'.repeat(100)).join('/')))
  const rowsOf = () => ada.editor.binding.reading!.children[0]!.children
  const before = rowsOf()
  goToNth(ada, 5_050)
  type(ada, '!')
  const read = rowsOf().flatMap((row, index) => (row === before[index] ? [] : [row]))
  expect(read).toHaveLength(1)
  const cells = read[0]!.children.filter((one, index) => one !== before[50]!.children[index])
  expect(cells).toHaveLength(1)
})
