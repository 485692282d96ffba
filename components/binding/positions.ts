/** Positions of the editor as relative positions of Yjs, which no edit shifts, and back. They are those of Tiptap's own binding. */
import * as Y from 'yjs'
import { itemOf } from '@/lib/yjs-internals/shared-type.ts'
import type { InlineReading, Reading } from './reading.ts'
import { UnknownGroup } from './unknown-groups.ts'

/** The shared type around a position, and the index in it. */
interface SharedPlace {
  readonly type: SharedType
  readonly index: number
}

type SharedType = Y.AbsolutePosition['type']

export function relativePositionOf(root: Reading, at: number): Y.RelativePosition {
  const { type, index } = sharedPlaceOf(root, at)
  return Y.createRelativePositionFromTypeIndex(type, index, -1)
}

export function sharedPlaceOf(root: Reading, at: number): SharedPlace {
  let reading = root
  let place: SharedPlace = { type: root.source as SharedType, index: 0 }
  let offset = at
  while (!reading.inline) {
    const { child, start, index } = childAt(reading, offset, place.index)
    place = placeAmongCells(reading, child, start) ?? { ...place, index }
    if (!child || offset === start) return place
    offset -= start + 1
    if (child.unknown !== undefined || child.node.isLeaf) return place
    if (child.source) place = { type: child.source as SharedType, index: 0 }
    reading = child
  }
  return placeAmongLetters(reading.inline, offset, place)
}

/**
 * The rows and cells of a table stand in another order than their shared types, and a cell may show the content of several. Null for a
 * reading of which none of that holds.
 */
function placeAmongCells(
  { node, source, parts, children }: Reading,
  child: Reading | undefined,
  start: number,
): SharedPlace | null {
  if (!source) return null
  if (parts) {
    const at = child ? children.indexOf(child) : children.length
    let first = 0
    for (const { source: part, count } of parts) {
      if (at < first + count || (!child && part === parts.at(-1)!.source))
        return { type: part as SharedType, index: widthOf(children.slice(first, at)) }
      first += count
    }
  }
  if (!['table', 'row'].includes(node.type.spec.tableRole as string)) return null
  const stored: readonly unknown[] = source.toArray()
  const index = child?.source ? stored.indexOf(child.source) : start === 0 ? 0 : stored.length
  return { type: source as SharedType, index }
}

const widthOf = (readings: readonly Reading[]): number => readings.reduce((sum, { width }) => sum + width, 0)

interface FoundChild {
  /** The child that begins at the offset or holds it; undefined behind the last one. */
  readonly child: Reading | undefined
  readonly start: number
  /** How many children of the shared type are before it. */
  readonly index: number
}

function childAt({ children }: Reading, offset: number, firstIndex: number): FoundChild {
  let [start, index] = [0, firstIndex]
  for (const child of children) {
    if (offset < start + child.node.nodeSize) return { child, start, index }
    start += child.node.nodeSize
    index += child.width
  }
  return { child: undefined, start, index }
}

function placeAmongLetters(
  inline: readonly InlineReading[],
  offset: number,
  { type, index }: SharedPlace,
): SharedPlace {
  let end = 0
  let last: SharedPlace = { type, index }
  for (const one of inline) {
    const isText = one.child instanceof Y.Text
    // The end of a text rather than the beginning of the next one.
    if (
      isText &&
      offset <= end + one.size &&
      (offset > end || one.size === 0 || end === 0 || !(last.type instanceof Y.Text))
    )
      return { type: one.child as SharedType, index: one.offset + Math.min(offset - end, one.length) }
    end += one.size
    last = isText
      ? { type: one.child as SharedType, index: one.offset + one.length }
      : { type, index: index + one.index + 1 }
    if (offset < end) return { type, index: index + one.index }
    if (offset === end && isText) return last
  }
  return last
}

/** Null for a position that is not in this text any more. */
export function absolutePositionOf(root: Reading, position: Y.RelativePosition): number | null {
  const text = root.source
  const found = text?.doc ? Y.createAbsolutePositionFromRelativePosition(position, text.doc) : null
  return found && positionOfPlace(root, found)
}

export function positionOfPlace(root: Reading, { type, index }: SharedPlace): number | null {
  const path = pathTo(root, type)
  if (!path) return null
  let at = 0
  let reading = root
  let position = 0
  let table: Covering | null = null
  for (const next of path) {
    const own = findCovering(reading, next)
    const found: Covering | null = own ?? (table && findMerged(table.reading, next))
    if (!found) return null
    if (!own) position = table!.start
    position += found.start
    const isTable = found.reading.node.type.spec.tableRole === 'table'
    if (isTable) table = { reading: found.reading, start: position + 1 }
    if (found.inline) return position + found.inline(type, index)
    if (found.reading.unknown !== undefined || found.reading.node.isLeaf) return position
    reading = found.reading
    position += 1
  }
  at = position + startOfShared(reading, type, index)
  return at
}

/** The types from the root's child down to the type itself; null for a type that is deleted or elsewhere. */
function pathTo(root: Reading, type: SharedType): SharedType[] | null {
  const path: SharedType[] = []
  for (let at: SharedType | null = type; at !== root.source; at = at.parent) {
    if (!at || itemOf(at)?.deleted) return null
    path.unshift(at)
  }
  return path
}

interface Covering {
  readonly reading: Reading
  /** From the beginning of the content that is searched. */
  readonly start: number
  /** For a text that stands among letters, the offset of an index in it. */
  readonly inline?: (type: SharedType, index: number) => number
}

/** Finds what a child of the reading's shared type is shown as. */
function findCovering(reading: Reading, type: SharedType): Covering | null {
  if (reading.inline) return findAmongLetters(reading, type)
  let start = 0
  for (const child of reading.children) {
    if (
      child.source === type ||
      standsFor(child.unknown, type) ||
      child.parts?.some(({ source }) => source === type)
    )
      return { reading: child, start }
    if (!child.source && child.unknown === undefined && child.width > 0) {
      const inner = findCovering(child, type)
      if (inner) return { ...inner, start: start + 1 + inner.start }
    }
    start += child.node.nodeSize
  }
  return null
}

const standsFor = (unknown: unknown, type: SharedType): boolean =>
  unknown instanceof UnknownGroup ? unknown.parts.includes(type) : unknown === type

/** Finds a cell that is shown within a merged one, which may stand in another row. */
function findMerged({ children: rows }: Reading, cell: SharedType): Covering | null {
  let start = 0
  for (const row of rows) {
    const found = findCovering(row, cell)
    if (found) return { ...found, start: start + 1 + found.start }
    start += row.node.nodeSize
  }
  return null
}

function findAmongLetters(reading: Reading, type: SharedType): Covering | null {
  let start = 0
  const readings = reading.inline!
  for (const [first, one] of readings.entries()) {
    if (one.child !== type) {
      start += one.size
      continue
    }
    const own = readings.slice(first).filter(({ child }) => child === type)
    return { reading, start, inline: (target, index) => (target === type ? offsetOf(own, index) : 0) }
  }
  return null
}

function offsetOf(readings: readonly InlineReading[], index: number): number {
  let offset = 0
  for (const one of readings) {
    if (index <= one.offset + one.length)
      return offset + (one.size === one.length ? index - one.offset : index > one.offset ? one.size : 0)
    offset += one.size
  }
  return offset
}

/** Where the child of the shared type begins, from the beginning of the content of the reading that shows it. */
function startOfShared(reading: Reading, type: SharedType, index: number): number {
  const { parts, children, node, source } = reading
  if (['table', 'row'].includes(node.type.spec.tableRole as string)) {
    const child = (source?.toArray() as unknown[] | undefined)?.[index]
    const at = children.findIndex(
      (one) => one.source === child || one.parts?.some((part) => part.source === child),
    )
    return child ? sizeOf(children.slice(0, Math.max(at, 0))) : node.content.size
  }
  let first = 0
  for (const part of parts ?? []) {
    const own = children.slice(first, first + part.count)
    if ((part.source as SharedType) === type)
      return sizeOf(children.slice(0, first)) + startOfIndex({ ...reading, children: own }, index)
    first += part.count
  }
  return startOfIndex(reading, index)
}

const sizeOf = (readings: readonly Reading[]): number =>
  readings.reduce((sum, { node }) => sum + node.nodeSize, 0)

/** Where the child with that index begins, from the beginning of the reading's content. */
function startOfIndex(reading: Reading, index: number): number {
  if (reading.inline) return reading.inline.reduce((sum, one) => sum + (one.index < index ? one.size : 0), 0)
  let [start, covered] = [0, 0]
  for (const child of reading.children) {
    if (child.width > 0 && covered + child.width > index)
      return child.source || child.unknown !== undefined || covered === index
        ? start
        : start + 1 + startOfIndex(child, index - covered)
    start += child.node.nodeSize
    covered += child.width
  }
  return start
}
