/** Creates the shared types for new nodes of the editor, as Tiptap's own binding does. */
import type { Node } from '@tiptap/pm/model'
import * as Y from 'yjs'
import { placeCells, type PlacedCell } from '@/lib/blocks/table/place-cells.ts'
import { tableRow } from '@/lib/blocks/table/table.ts'
import { parseColumns, storedColumnsOf } from '@/lib/blocks/table/table-columns.ts'
import { type Formats, formatsOf, markAttributesOf, storedElementAttributesOf } from './formats.ts'
import { createPart } from './unknown-content.ts'

/** Finds copies of the parts that a node cannot describe, because they are too long, or several, or hold what JSON does not. */
export type FindCopies = (node: Node) => readonly SharedPart[] | null

type SharedPart = Y.XmlElement | Y.XmlText

/** Several for a node that stands for several parts. */
export const createBlocks = (node: Node, findCopies: FindCopies): readonly SharedPart[] =>
  node.type.name === 'unknownBlock' ? createUnknown(node, findCopies) : [createBlock(node, findCopies)]

function createBlock(node: Node, findCopies: FindCopies): Y.XmlElement {
  if (node.type.spec.tableRole === 'table') return createTable(node, findCopies)
  const element = new Y.XmlElement(node.type.name)
  setAttributes(element, storedElementAttributesOf(node))
  if (node.inlineContent) element.insert(0, createInlineParts(node.children, findCopies, true))
  else element.insert(0, node.children.flatMap((child) => createBlocks(child, findCopies)) as Y.XmlElement[])
  return element
}

function createTable(node: Node, findCopies: FindCopies): Y.XmlElement {
  const columns = [...parseColumns(node.attrs.columns)]
  const rows = node.children.map((row) => createRow(placeCells(row.children, columns), findCopies))
  const element = new Y.XmlElement(node.type.name)
  setAttributes(element, { ...storedElementAttributesOf(node), ...storedColumnsOf(columns) })
  element.insert(0, rows)
  return element
}

export function createRow(cells: readonly PlacedCell<Node>[], findCopies: FindCopies): Y.XmlElement {
  const element = new Y.XmlElement(tableRow.name)
  element.insert(
    0,
    cells.map(({ node, col }) => createCell(node, col, findCopies)),
  )
  return element
}

export function createCell(node: Node, col: string, findCopies: FindCopies): Y.XmlElement {
  const cell = createBlock(node, findCopies)
  cell.setAttribute('col', col)
  return cell
}

/**
 * @param isWholeBlock An empty block gets a text, so that two people who begin there at once write into the same one.
 */
export function createInlineParts(
  nodes: readonly Node[],
  findCopies: FindCopies,
  isWholeBlock = false,
): SharedPart[] {
  const parts: SharedPart[] = []
  for (const group of groupLetters(nodes)) {
    if (Array.isArray(group)) parts.push(createText(group))
    else addInlinePart(parts, group, findCopies)
  }
  return parts.length === 0 && isWholeBlock ? [new Y.XmlText()] : parts
}

function addInlinePart(parts: SharedPart[], node: Node, findCopies: FindCopies): void {
  if (node.type.name !== 'unknownInline') return void parts.push(createBlock(node, findCopies))
  const [created] = createFromDescription(node) ?? findCopies(node) ?? []
  if (created) {
    const { marks } = node
    if (created instanceof Y.XmlElement) setAttributes(created, markAttributesOf(marks))
    else if (created instanceof Y.Text && marks.length > 0) created.format(0, 1, formatsOf(marks))
    return void parts.push(created)
  }
  const text = new Y.XmlText()
  text.insert(0, String(node.attrs.text))
  parts.push(text)
}

function setAttributes(element: Y.XmlElement, attributes: Formats): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value as string)
}

function createText(nodes: readonly Node[]): Y.XmlText {
  const text = new Y.XmlText()
  const delta = nodes.map((node) => ({ insert: node.text!, attributes: formatsOf(node.marks) as object }))
  text.applyDelta(delta as never)
  return text
}

function createFromDescription({ attrs: { content } }: Node): readonly SharedPart[] | null {
  const part = typeof content === 'string' ? createPart(content) : null
  return part && [part]
}

function createUnknown(node: Node, findCopies: FindCopies): readonly SharedPart[] {
  const created = createFromDescription(node) ?? findCopies(node)
  if (created) return created
  const paragraph = new Y.XmlElement('paragraph')
  const text = new Y.XmlText()
  text.insert(0, String(node.attrs.text))
  paragraph.insert(0, [text])
  return [paragraph]
}

/** Neighbouring letters share a text. */
export function groupLetters(nodes: readonly Node[]): (Node | Node[])[] {
  const groups: (Node | Node[])[] = []
  for (const node of nodes) {
    const last = groups.at(-1)
    if (!node.isText) groups.push(node)
    else if (Array.isArray(last)) last.push(node)
    else groups.push([node])
  }
  return groups
}

/** Compares two records: returns the new value of each key that differs, undefined for one that is gone. */
export function differenceOf(before: Formats, after: Formats): [name: string, value: unknown][] {
  const changed = Object.entries(after).filter(([name, value]) => !isSameValue(before[name], value))
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  return [...changed, ...gone.map((name): [string, undefined] => [name, undefined])]
}

const isSameValue = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)
