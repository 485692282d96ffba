/**
 * Writes what changed among the letters of one text block: what was inserted at the very place, what was deleted and no more, and of the
 * letters that stayed the formats that changed.
 */
import { type Fragment, Mark, type Node } from '@tiptap/pm/model'
import * as Y from 'yjs'
import { isOfTable } from '@/lib/blocks/table/table.ts'
import { createInlineParts, differenceOf, type FindCopies, groupLetters } from './create-parts.ts'
import {
  createFormats,
  type Formats,
  formatKeyOf,
  formatValueOf,
  formatsOf,
  markAttributesOf,
  markOf,
  storedElementAttributesOf,
} from './formats.ts'
import type { KeptStretch } from './kept-stretches.ts'
import type { InlineReading } from './reading.ts'

export interface LettersEdit {
  readonly before: Node
  readonly inline: readonly InlineReading[]
  readonly after: Node
  /** By offset within the block. */
  readonly kept: readonly KeptStretch[]
  /** The shared type that holds the block's parts, from this index on. */
  readonly shared: Y.XmlFragment
  readonly index: number
  readonly findCopies: FindCopies
  /** Called before such a part is deleted. */
  readonly keepCopies: (parts: readonly InlineReading[]) => void
}

/** Units of the block before and after; those of a kept part are alike, but for their marks. */
interface BlockPart {
  readonly isKept: boolean
  readonly from: number
  readonly to: number
  readonly newFrom: number
  readonly newTo: number
}

/** Writes from the end to the start, so that places before a change stay what they were. */
export function writeLetters(edit: LettersEdit): void {
  const readings = placeReadings(edit.inline)
  const parts = includeTails(edit, readings, partsOf(edit))
  for (const part of parts.toReversed()) {
    if (part.isKept) writeFormats(edit, readings, part)
    else {
      edit.keepCopies(readings.filter(({ from, to }) => from < part.to && to > part.from))
      deleteUnits(edit, readings, part)
      insertNodes(edit, readings, part)
    }
  }
}

interface PlacedReading extends InlineReading {
  readonly from: number
  readonly to: number
}

function placeReadings(inline: readonly InlineReading[]): readonly PlacedReading[] {
  let from = 0
  return inline.map((reading) => {
    const placed = { ...reading, from, to: from + reading.size }
    from = placed.to
    return placed
  })
}

// What changed

function partsOf({ before, after, kept }: LettersEdit): BlockPart[] {
  const [size, newSize] = [before.content.size, after.content.size]
  const parts: BlockPart[] = []
  let [at, newAt] = [0, 0]
  const ends = [...kept, { before: size, after: newSize, size: 0 }]
  for (const stretch of ends) {
    const replaced = { from: at, to: stretch.before, newFrom: newAt, newTo: stretch.after }
    parts.push(...trimReplaced(before.content, after.content, replaced))
    ;[at, newAt] = [stretch.before + stretch.size, stretch.after + stretch.size]
    if (stretch.size > 0)
      parts.push({ isKept: true, from: stretch.before, to: at, newFrom: stretch.after, newTo: newAt })
  }
  return parts.filter(({ from, to, newFrom, newTo }) => from < to || newFrom < newTo)
}

/** Of what was replaced, the units at both ends that are alike are kept. */
function trimReplaced(
  before: Fragment,
  after: Fragment,
  { from, to, newFrom, newTo }: Omit<BlockPart, 'isKept'>,
): BlockPart[] {
  if (from === to || newFrom === newTo) return [{ isKept: false, from, to, newFrom, newTo }]
  const [old, current] = [unitsOf(before.cut(from, to)), unitsOf(after.cut(newFrom, newTo))]
  const most = Math.min(old.length, current.length)
  let [start, end] = [0, 0]
  while (start < most && isSameUnit(old[start]!, current[start]!)) start += 1
  if (isHighSurrogate(old[start - 1])) start -= 1
  while (end < most - start && isSameUnit(old.at(-1 - end)!, current.at(-1 - end)!)) end += 1
  if (isLowSurrogate(old[old.length - end])) end -= 1
  return [
    { isKept: true, from, to: from + start, newFrom, newTo: newFrom + start },
    { isKept: false, from: from + start, to: to - end, newFrom: newFrom + start, newTo: newTo - end },
    { isKept: true, from: to - end, to, newFrom: newTo - end, newTo },
  ]
}

type Unit = string | Node

const unitsOf = ({ content }: Fragment): Unit[] =>
  content.flatMap((node): Unit[] => (node.isText ? node.text!.split('') : [node.mark(Mark.none)]))

const isSameUnit = (a: Unit, b: Unit): boolean =>
  a === b || (typeof a !== 'string' && typeof b !== 'string' && a.eq(b))

// Yjs keeps no half of a pair.
const isHighSurrogate = (unit: Unit | undefined): boolean =>
  typeof unit === 'string' && /^[\uD800-\uDBFF]$/.test(unit)

const isLowSurrogate = (unit: Unit | undefined): boolean =>
  typeof unit === 'string' && /^[\uDC00-\uDFFF]$/.test(unit)

/**
 * A part that is no letter cannot stand within a text: what follows it there is written anew behind it.
 */
function includeTails(
  { after }: LettersEdit,
  readings: readonly PlacedReading[],
  parts: readonly BlockPart[],
): readonly BlockPart[] {
  const included: BlockPart[] = []
  for (const part of parts) {
    const last = included.at(-1)
    const tail = last && !last.isKept ? tailEndOf(after, readings, last) : 0
    const isAdjacent = last?.isKept === false && !part.isKept && part.from === last.to
    if (!last || (part.from >= tail && !isAdjacent)) included.push(part)
    else if (!part.isKept || part.to <= tail)
      included[included.length - 1] = { ...last, to: part.to, newTo: part.newTo }
    else {
      const newTail = part.newFrom + tail - part.from
      included[included.length - 1] = { ...last, to: tail, newTo: newTail }
      included.push({ ...part, from: tail, newFrom: newTail })
    }
  }
  return included
}

/** The end of the text that an inserted part would cut; 0 where it cuts none. */
function tailEndOf(
  { content }: Node,
  readings: readonly PlacedReading[],
  { from, to, newFrom, newTo }: BlockPart,
): number {
  const hasNoLetter = content.cut(newFrom, newTo).content.some((node) => !node.isText)
  const left = readings.findLast((one) => one.child instanceof Y.Text && one.from < from && from <= one.to)
  if (!hasNoLetter || !left) return 0
  const end = readings.findLast(({ child }) => child === left.child)!.to
  return end > to ? end : 0
}

// Writing it

function deleteUnits(
  { shared, index }: LettersEdit,
  readings: readonly PlacedReading[],
  { from, to }: BlockPart,
): void {
  for (const reading of readings.toReversed()) {
    const [start, end] = [Math.max(from, reading.from), Math.min(to, reading.to)]
    if (start >= end) continue
    if (!(reading.child instanceof Y.Text)) shared.delete(index + reading.index, 1)
    else if (reading.unknown !== undefined) reading.child.delete(reading.offset, reading.length)
    else reading.child.delete(reading.offset + start - reading.from, end - start)
  }
}

interface TextPlace {
  readonly text: Y.Text
  /** The index of the text among the block's parts. */
  readonly index: number
  readonly offset: number
  /** What is inserted stands at the end of the text, rather than at its start. */
  readonly isAtEnd: boolean
}

function insertNodes(edit: LettersEdit, readings: readonly PlacedReading[], part: BlockPart): void {
  const nodes = edit.after.content.cut(part.newFrom, part.newTo).content
  if (nodes.length === 0) return
  const place = textPlaceAt(readings, part.from)
  if (place && nodes.every(({ isText }) => isText)) return insertLetters(place.text, place.offset, nodes)
  insertParts(edit, readings, part, place, nodes)
}

function textPlaceAt(readings: readonly PlacedReading[], at: number): TextPlace | null {
  const isText = ({ child }: InlineReading) => child instanceof Y.Text
  const left = readings.findLast((one) => isText(one) && one.from < at && at <= one.to)
  if (left) {
    const offset = left.offset + (at === left.to ? left.length : at - left.from)
    return { text: left.child as Y.Text, index: left.index, offset, isAtEnd: true }
  }
  const right = readings.find((one) => isText(one) && one.from === at)
  return right
    ? { text: right.child as Y.Text, index: right.index, offset: right.offset, isAtEnd: right.size === 0 }
    : null
}

function insertLetters(text: Y.Text, offset: number, nodes: readonly Node[]): void {
  let at = offset
  for (const node of nodes) {
    text.insert(at, node.text!, formatsOf(node.marks))
    at += node.text!.length
  }
}

function insertParts(
  { shared, index, findCopies }: LettersEdit,
  readings: readonly PlacedReading[],
  { from }: BlockPart,
  place: TextPlace | null,
  nodes: readonly Node[],
): void {
  const groups = groupLetters(nodes)
  const first = groups[0]!
  const last = groups.at(-1)!
  const childIndex = place ? place.index + Number(place.isAtEnd) : childIndexAt(readings, from)
  let rest: readonly Node[] = nodes
  // Letters at either end go into the text that is there.
  const following: unknown = index + childIndex < shared.length ? shared.get(index + childIndex) : null
  const isOfBlock = readings.some(({ child }) => child === following)
  if (groups.length > 1 && Array.isArray(last) && following instanceof Y.Text && isOfBlock) {
    insertLetters(following, 0, last)
    rest = rest.slice(0, rest.length - last.length)
  }
  const isLetterFirst = Array.isArray(first) && place?.isAtEnd === true
  if (isLetterFirst) rest = rest.slice(first.length)
  if (rest.length > 0) shared.insert(index + childIndex, createInlineParts(rest, findCopies))
  if (isLetterFirst) insertLetters(place.text, place.offset, first)
}

function childIndexAt(readings: readonly PlacedReading[], at: number): number {
  const left = readings.findLast(({ to }) => to <= at)
  return left ? left.index + 1 : 0
}

// What stayed

function writeFormats(edit: LettersEdit, readings: readonly PlacedReading[], part: BlockPart): void {
  const shift = part.newFrom - part.from
  for (const reading of readings.toReversed()) {
    const [start, end] = [Math.max(part.from, reading.from), Math.min(part.to, reading.to)]
    if (start >= end) continue
    if (reading.child instanceof Y.Text) formatLetters(edit, reading, start, end, shift)
    else if (reading.child instanceof Y.XmlElement) writeElement(edit, reading, start + shift)
  }
}

function formatLetters(
  { after }: LettersEdit,
  reading: PlacedReading,
  from: number,
  to: number,
  shift: number,
): void {
  let at = from
  for (const node of after.content.cut(from + shift, to + shift).content) {
    const { length, offset } = reading
    const changed = changedFormats(reading, node)
    const text = reading.child as Y.Text
    if (changed && node.isText) text.format(offset + at - reading.from, node.nodeSize, changed)
    else if (changed) text.format(offset, length, changed)
    at += node.nodeSize
  }
}

/** Null where nothing changed. Formats that are shown as no mark stay. */
function changedFormats({ node: before, formats }: InlineReading, after: Node): Formats | null {
  if (!before || Mark.sameSet(before.marks, after.marks)) return null
  const gone = before.marks.filter((mark) => !mark.isInSet(after.marks))
  const added = after.marks.filter((mark) => !mark.isInSet(before.marks))
  const goneKeys = Object.keys(formats).filter((key) => {
    const mark = markOf(key, formats[key], after.type.schema)
    return mark && gone.some((one) => one.eq(mark))
  })
  return createFormats([
    ...goneKeys.map((key) => [key, null] as const),
    ...added.map((mark) => [formatKeyOf(mark), formatValueOf(mark)] as const),
  ])
}

function writeElement({ after }: LettersEdit, { node: before, child }: InlineReading, at: number): void {
  const node = after.content.cut(at, at + 1).firstChild!
  if (before && !before.eq(node)) writeAttributes(child as Y.XmlElement, before, node)
}

export function writeAttributes(element: Y.XmlElement, before: Node, after: Node): void {
  const isUnknown = before.type.name === 'unknownInline'
  const stored = (node: Node): Formats =>
    isUnknown ? markAttributesOf(node.marks) : storedElementAttributesOf(node)
  for (const [name, value] of differenceOf(stored(before), stored(after))) {
    if (isOfTable(after.type.name, name)) continue
    if (value === undefined) element.removeAttribute(name)
    else element.setAttribute(name, value as string)
  }
}
