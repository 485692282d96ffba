/** What a key in a large table reads and makes anew, counted. */
import { type Node, NodeType } from '@tiptap/pm/model'
import { afterEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { createTable } from '@/components/blocks/table/insert-table.ts'
import { parseColumns, storedColumnsOf } from '@/lib/blocks/table/table-columns.ts'
import { createHeadlessEditor, type HeadlessEditor } from './fixtures/headless-editor.ts'
import { TextReader } from './read-text.ts'
import { pageSchema } from '@/components/editor/schema.ts'

const SIDE = 100

function openLargeTable(): HeadlessEditor {
  const editor = createHeadlessEditor(new Y.Doc().getXmlFragment('default'))
  editor.edit((tr) => tr.insert(0, createTable(pageSchema, SIDE, SIDE)))
  return editor
}

/** Where the letters of a cell begin. */
function startOfCell(doc: Node, row: number, column: number): number {
  const rows = doc.firstChild!.children
  const sizeOf = (nodes: readonly Node[]) => nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0)
  return 1 + sizeOf(rows.slice(0, row)) + 1 + sizeOf(rows[row]!.children.slice(0, column)) + 2
}

/** How many rows and cells are read, each as often as it is, and nodes made. */
function countWork(run: () => void): Readonly<Record<'tableRow' | 'tableCell' | 'nodes', number>> {
  const counts = { tableRow: 0, tableCell: 0, nodes: 0 }
  const countReads = (name: 'toArray' | 'getAttribute' | 'getAttributes'): void => {
    const read = Y.XmlElement.prototype[name] as (this: Y.XmlElement, ...args: unknown[]) => never
    vi.spyOn(Y.XmlElement.prototype, name).mockImplementation(function (
      this: Y.XmlElement,
      ...args: unknown[]
    ) {
      if (this.nodeName === 'tableRow' || this.nodeName === 'tableCell') counts[this.nodeName] += 1
      return read.apply(this, args)
    })
  }
  countReads('toArray')
  countReads('getAttribute')
  countReads('getAttributes')
  const create = NodeType.prototype.create
  vi.spyOn(NodeType.prototype, 'create').mockImplementation(function (this: NodeType, ...args) {
    counts.nodes += 1
    return create.apply(this, args)
  })
  run()
  vi.restoreAllMocks()
  return counts
}

const expectFreshReading = ({ binding, state }: HeadlessEditor): void =>
  expect(new TextReader(pageSchema).read(binding.text).node.eq(state.doc)).toBe(true)

/** The document, the table, and the row, cell and line of the letter. */
const NODES_AROUND_LETTER = 5

afterEach(() => vi.restoreAllMocks())

test('a key in a table of 10,000 cells reads one row and one cell, and makes the nodes around its letter', () => {
  const editor = openLargeTable()
  const at = startOfCell(editor.state.doc, 50, 50)
  editor.edit((tr) => tr.insertText('a', at))
  const { tableRow, tableCell, nodes } = countWork(() => editor.edit((tr) => tr.insertText('b', at + 1)))
  expect(nodes).toBe(NODES_AROUND_LETTER)
  expect(tableRow).toBeLessThanOrEqual(3)
  expect(tableCell).toBeLessThanOrEqual(3)
  expectFreshReading(editor)
})

test('a key of somebody else in such a table does, too', () => {
  const editor = openLargeTable()
  const other = createHeadlessEditor(new Y.Doc().getXmlFragment('default'))
  const [own, others] = [editor.binding.text.doc!, other.binding.text.doc!]
  Y.applyUpdate(others, Y.encodeStateAsUpdate(own))
  const at = startOfCell(other.state.doc, 50, 50)
  other.edit((tr) => tr.insertText('a', at))
  Y.applyUpdate(own, Y.encodeStateAsUpdate(others, Y.encodeStateVector(own)))
  other.edit((tr) => tr.insertText('b', at + 1))
  const key = Y.encodeStateAsUpdate(others, Y.encodeStateVector(own))
  const { tableRow, tableCell, nodes } = countWork(() => Y.applyUpdate(own, key))
  expect(nodes).toBe(NODES_AROUND_LETTER)
  expect(tableRow).toBeLessThanOrEqual(3)
  expect(tableCell).toBeLessThanOrEqual(3)
  expectFreshReading(editor)
})

test('a key in a row whose other cells are virtual makes none of them anew', () => {
  const editor = openLargeTable()
  const table = editor.binding.text.get(0) as Y.XmlElement
  const columns = parseColumns(editor.state.doc.firstChild!.attrs.columns)
  const added = columns.map(({ id, ...column }) => ({ ...column, id: `${id}-2` }))
  table.doc!.transact(() => {
    for (const [key, value] of Object.entries(storedColumnsOf([...columns, ...added])))
      table.setAttribute(key, value as string)
  })
  expect(editor.state.doc.firstChild!.firstChild!.childCount).toBe(2 * SIDE)
  const at = startOfCell(editor.state.doc, 50, 50)
  editor.edit((tr) => tr.insertText('a', at))
  expect(countWork(() => editor.edit((tr) => tr.insertText('b', at + 1))).nodes).toBe(NODES_AROUND_LETTER)
  expectFreshReading(editor)
})

test('a letter in a table without rows writes the row and the cell that hold it, and no other cell', () => {
  const editor = openLargeTable()
  const table = editor.binding.text.get(0) as Y.XmlElement
  table.delete(0, table.length)
  editor.edit((tr) => tr.insertText('a', startOfCell(editor.state.doc, 0, 1)))
  expect(table.toArray().map(String)).toEqual([
    expect.stringMatching(/^<tablerow><tablecell [^>]*><paragraph>a<\/paragraph><\/tablecell><\/tablerow>$/),
  ])
  expectFreshReading(editor)
})

test('what moves rows, names other columns or merges cells after a key is read', () => {
  const editor = openLargeTable()
  const table = editor.binding.text.get(0) as Y.XmlElement
  const at = startOfCell(editor.state.doc, 50, 50)
  const changes: readonly ((row: Y.XmlElement, cell: Y.XmlElement) => void)[] = [
    (row) => row.setAttribute('order', 'Uzzy4k'),
    (_row, cell) => cell.setAttribute('colspan', 2 as never),
    (_row, cell) => cell.setAttribute('rowspan', 3 as never),
    (_row, cell) => cell.setAttribute('col', 'elsewhere'),
    (row) => row.delete(4, 1),
    () => table.setAttribute('headerRow', true as never),
  ]
  for (const [index, change] of changes.entries()) {
    editor.edit((tr) => tr.insertText('a', at))
    const row = table.get(10 * index + 3) as Y.XmlElement
    change(row, row.get(7) as Y.XmlElement)
    expectFreshReading(editor)
  }
})
