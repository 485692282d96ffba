/**
 * Marks and attributes of the editor, and how Yjs stores them: a mark is a format of letters, by its name or as `name--hash` where several of
 * its kind may overlap; on a node that is no letter it is the attribute `mark:name`, which Tiptap's own binding ignores. What the schema does
 * not know is carried as JSON, so that it is written back as it was.
 */
import type { AttributeSpec, Mark, MarkType, Node, NodeType, Schema } from '@tiptap/pm/model'
import { Mark as MarkClass } from '@tiptap/pm/model'
import * as buffer from 'lib0/buffer'
import { digest } from 'lib0/hash/sha256'
import { definitionOf } from '@/lib/blocks/blocks.ts'

export type Formats = Readonly<Record<string, unknown>>

/** The attribute of nodes and marks that holds what the schema does not know of theirs. */
export const UNKNOWN_ATTRIBUTES = 'unknownAttributes'

/** The mark that stands for a format which the schema does not know. */
export const UNKNOWN_MARK = 'unknownMark'

export const MARK_PREFIX = 'mark:'

/** In UTF-16 units of JSON. What is longer stays in Yjs and is not carried along. */
const MAX_UNKNOWN_JSON = 16_384

/** In UTF-16 units. A longer value is read as the default: no page writes one. */
const MAX_ATTRIBUTE = 65_536

const hashPattern = /--[\da-zA-Z+/=]{8}$/

/** The order in which Yjs lists keys differs between replicas. */
const sortedEntries = (record: Formats): [string, unknown][] =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))

/** The marks of letters or of an inline node that stands in a block of that type. */
export function marksOf(formats: Formats, schema: Schema, parent: NodeType): readonly Mark[] {
  let marks: readonly Mark[] = MarkClass.none
  for (const [key, value] of sortedEntries(formats)) {
    const mark = markOf(key, value, schema)
    if (mark && parent.allowsMarkType(mark.type)) marks = mark.addToSet(marks)
  }
  return marks
}

/** The mark that stands for a format; null for one that is too long to be carried. */
export function markOf(key: string, value: unknown, schema: Schema): Mark | null {
  const name = key.replace(hashPattern, '')
  const type = Object.hasOwn(schema.marks, name) && name !== UNKNOWN_MARK ? schema.marks[name]! : null
  // Other programs write `true` for a mark without attributes.
  if (type) return type.create(readAttributes(type, isRecord(value) ? value : {}))
  const json = jsonOf(value)
  const unknown = schema.marks[UNKNOWN_MARK]
  return json === null ? null : (unknown?.create({ name: key, value: json }) ?? null)
}

export function formatKeyOf(mark: Mark): string {
  if (mark.type.name === UNKNOWN_MARK) return String(mark.attrs.name)
  const { name } = mark.type
  return mark.type.excludes(mark.type) ? name : `${name}--${hashOf(mark)}`
}

export const formatValueOf = (mark: Mark): unknown =>
  mark.type.name === UNKNOWN_MARK ? JSON.parse(String(mark.attrs.value)) : storedAttributesOf(mark)

export const formatsOf = (marks: readonly Mark[]): Formats =>
  createFormats(marks.map((mark) => [formatKeyOf(mark), formatValueOf(mark)]))

/** Yjs would find the members of every object in one with a prototype: `constructor` is a possible name of a format. */
export const createFormats = (entries: Iterable<readonly [string, unknown]>): Formats =>
  Object.assign(Object.create(null) as object, Object.fromEntries(entries))

/** As y-tiptap names it: 48 bits of a hash of the mark. */
function hashOf(mark: Mark): string {
  const stored = storedAttributesOf(mark)
  const json = { type: mark.type.name, ...(Object.keys(stored).length > 0 && { attrs: stored }) }
  const hash = digest(buffer.encodeAny(json))
  for (let at = 6; at < hash.length; at++) hash[at % 6]! ^= hash[at]!
  return buffer.toBase64(hash.slice(0, 6))
}

/**
 * The attributes of a node or mark. Values of a wrong kind are read as the default, and so is null, which an element does not store. They and
 * what the schema does not know go into `unknownAttributes`, where the schema has that.
 */
export function readAttributes(type: NodeType | MarkType, stored: Formats): Formats {
  const specs = (type.spec.attrs ?? {}) as Readonly<Record<string, AttributeSpec>>
  const known: Record<string, unknown> = {}
  const unknown: [string, unknown][] = []
  for (const [name, value] of sortedEntries(stored)) {
    if (name.startsWith(MARK_PREFIX) || value === undefined) continue
    if (Object.hasOwn(specs, name) && name !== UNKNOWN_ATTRIBUTES && isAcceptable(value, specs[name]!))
      known[name] = value ?? specs[name]!.default ?? null
    else unknown.push([name, value])
  }
  if (unknown.length > 0 && Object.hasOwn(specs, UNKNOWN_ATTRIBUTES)) {
    const carried = unknown.filter(([, value]) => isJson(value, { left: MAX_UNKNOWN_JSON }))
    const json = jsonOf(Object.fromEntries(carried))
    if (json !== null && json !== '{}') known[UNKNOWN_ATTRIBUTES] = json
  }
  return known
}

/** The marks of an inline node, which its element stores as attributes. */
export function nodeFormatsOf(stored: Formats): Formats {
  const marks = Object.entries(stored).filter(([name]) => name.startsWith(MARK_PREFIX))
  return Object.fromEntries(marks.map(([name, value]) => [name.slice(MARK_PREFIX.length), value]))
}

/** Returns what an element stores for the node. */
export function storedElementAttributesOf(node: Node): Formats {
  const attributes = storedAttributesOf(node)
  const written = definitionOf(node.type.name)?.storedAttributes?.(attributes) ?? attributes
  const stored = Object.entries(written).filter(
    ([name, value]) => value !== null || !Object.hasOwn(node.attrs, name),
  )
  return { ...Object.fromEntries(stored), ...markAttributesOf(node.marks) }
}

export const markAttributesOf = (marks: readonly Mark[]): Formats =>
  Object.fromEntries(marks.map((mark) => [MARK_PREFIX + formatKeyOf(mark), formatValueOf(mark)]))

function storedAttributesOf({ type, attrs }: Node | Mark): Formats {
  const { [UNKNOWN_ATTRIBUTES]: carried, ...known } = attrs as Formats
  const parsed = typeof carried === 'string' ? parseJson(carried) : null
  if (!isRecord(parsed)) return known
  const specs = (type.spec.attrs ?? {}) as Readonly<Record<string, AttributeSpec>>
  // A value of a wrong kind counts until somebody chooses another one than the default that is shown for it.
  const isReplaced = ([name, value]: readonly [string, unknown]): boolean =>
    Object.hasOwn(specs, name) && (known[name] !== specs[name]!.default || isAcceptable(value, specs[name]!))
  const kept = Object.fromEntries(Object.entries(parsed).filter((entry) => !isReplaced(entry)))
  return { ...kept, ...known, ...kept }
}

function isAcceptable(value: unknown, { validate }: AttributeSpec): boolean {
  if (!isSimple(value) || (typeof value === 'string' && value.length > MAX_ATTRIBUTE)) return false
  if (typeof validate === 'string')
    return validate.split('|').includes(value === null ? 'null' : typeof value)
  try {
    validate?.(value)
    return true
  } catch {
    return false
  }
}

/** NaN is left out: a node that has it equals no other, not even itself. */
const isSimple = (value: unknown): boolean =>
  value === null ||
  ['string', 'boolean'].includes(typeof value) ||
  (typeof value === 'number' && !Number.isNaN(value))

/** ProseMirror's attributes have no prototype. */
export const isRecord = (value: unknown): value is Formats =>
  typeof value === 'object' &&
  value !== null &&
  [null, Object.prototype].includes(Object.getPrototypeOf(value) as object | null)

/** In UTF-16 units of JSON, what may still be read. What is taken from it is never more than the JSON takes. */
export interface JsonLimit {
  left: number
}

export const takeFrom = (limit: JsonLimit, amount: number): boolean => (limit.left -= amount) >= 0

/** Whether JSON holds the value as it is, and is not longer than the limit. Ends where it would be. */
export function isJson(value: unknown, limit: JsonLimit = { left: Infinity }, depth = 0): boolean {
  if (!takeFrom(limit, typeof value === 'string' ? value.length : 1)) return false
  if (typeof value === 'number') return Number.isFinite(value)
  if (isSimple(value)) return true
  if (depth > 20) return false
  if (Array.isArray(value)) return value.every((one) => isJson(one, limit, depth + 1))
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([name, one]) => takeFrom(limit, name.length) && isJson(one, limit, depth + 1),
    )
  )
}

function jsonOf(value: unknown): string | null {
  if (!isJson(value, { left: MAX_UNKNOWN_JSON })) return null
  const json = JSON.stringify(value)
  return json.length <= MAX_UNKNOWN_JSON ? json : null
}

/** Null for what is no JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
