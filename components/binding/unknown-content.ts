/**
 * Parts of a shared text that the schema does not know, as JSON: a copy of one is written as what it was. Its letters are shown. Knows Yjs;
 * does not know the editor.
 */
import * as Y from 'yjs'
import { firstItemOf } from '@/lib/yjs-internals/shared-type.ts'
import { isJson, isRecord, type JsonLimit, MARK_PREFIX, parseJson, takeFrom } from './formats.ts'

/** In UTF-16 units of JSON. A longer part stays in its place and is shown; it cannot be copied to another document. */
const MAX_CONTENT_JSON = 65_536
const MAX_DEPTH = 60
/** In UTF-16 units. */
const MAX_SHOWN_TEXT = 10_000
/** What is further on in a part is not shown. */
const MAX_SHOWN_ITEMS = 50_000

/** What an element takes in JSON without what is in it. */
const ELEMENT_JSON = JSON.stringify({ name: '', attributes: {}, children: [] }).length

/** An element or a text; or what a text holds among its letters: an object, or an element or a text of its own. */
type UnknownPart = SharedPart | { readonly embed: object } | { readonly embedded: SharedPart }

type SharedPart =
  | { readonly name: string; readonly attributes?: object; readonly children?: readonly SharedPart[] }
  | { readonly text: readonly TextInsert[] }

interface TextInsert {
  readonly insert: string | object
  readonly attributes?: object
}

/**
 * JSON of the part; null where JSON cannot hold it, or where it is too long.
 *
 * @param isEmbedded Whether it stands among the letters of a text.
 */
export function describePart(part: unknown, isEmbedded = false): string | null {
  const limit = { left: MAX_CONTENT_JSON }
  const shared = partOf(part, limit, 0, isEmbedded)
  const embed = isEmbedded && isRecord(part) && isJson(part, limit) ? { embed: part } : null
  const described: UnknownPart | null = shared && isEmbedded ? { embedded: shared } : (shared ?? embed)
  if (!described) return null
  const json = JSON.stringify(described)
  return json.length <= MAX_CONTENT_JSON ? json : null
}

/** Ends where the JSON would be longer than the limit, however much is left of the part. */
function partOf(part: unknown, limit: JsonLimit, depth: number, isEmbedded = false): SharedPart | null {
  if (depth > MAX_DEPTH) return null
  if (part instanceof Y.XmlElement) {
    if (!takeFrom(limit, ELEMENT_JSON)) return null
    const attributes = sorted(part.getAttributes(), depth === 0 && !isEmbedded)
    const children = isJson(attributes, limit) ? childrenOf(part, limit, depth) : null
    return children && { name: part.nodeName, attributes, children }
  }
  return part instanceof Y.XmlText ? textOf(part, limit) : null
}

function childrenOf(parent: Y.XmlElement, limit: JsonLimit, depth: number): SharedPart[] | null {
  const children: SharedPart[] = []
  for (let item = firstItemOf(parent); item; item = item.right) {
    if (!takeFrom(limit, 1)) return null
    if (item.deleted || !item.countable) continue
    const child = item.content instanceof Y.ContentType ? partOf(item.content.type, limit, depth + 1) : null
    if (!child) return null
    children.push(child)
  }
  return children
}

function textOf(part: Y.XmlText, limit: JsonLimit): SharedPart | null {
  for (let item = firstItemOf(part); item; item = item.right)
    if (!takeFrom(limit, item.deleted ? 1 : item.length)) return null
  const text: unknown = part.toDelta()
  return isDelta(text, limit) ? { text } : null
}

/** The order in which Yjs lists keys differs between replicas. The marks of the part are those of its node. */
const sorted = (record: object, hasMarks: boolean): object =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([name]) => !(hasMarks && name.startsWith(MARK_PREFIX)))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

const isDelta = (value: unknown, limit?: JsonLimit): value is TextInsert[] =>
  Array.isArray(value) &&
  value.every(
    (one) =>
      isRecord(one) &&
      (typeof one.insert === 'string' || (isRecord(one.insert) && isJson(one.insert, limit))) &&
      (one.attributes === undefined || (isRecord(one.attributes) && isJson(one.attributes, limit))),
  )

/** Whether the text is what `describePart` writes. Anybody may have put it on the clipboard. */
export const isPartDescription = (json: unknown): json is string =>
  typeof json === 'string' && json.length <= MAX_CONTENT_JSON && isPart(parseJson(json))

function isPart(value: unknown): value is UnknownPart {
  if (!isRecord(value)) return false
  if ('embed' in value) return isRecord(value.embed) && isJson(value.embed)
  return isSharedPart('embedded' in value ? value.embedded : value, 0)
}

function isSharedPart(value: unknown, depth: number): value is SharedPart {
  if (!isRecord(value) || depth > MAX_DEPTH) return false
  if ('text' in value) return isDelta(value.text)
  const { name, attributes = {}, children = [] } = value
  return (
    typeof name === 'string' &&
    name.length < 200 &&
    isRecord(attributes) &&
    isJson(attributes) &&
    Array.isArray(children) &&
    children.every((child) => isSharedPart(child, depth + 1))
  )
}

/** A new part: a shared type, or a text that holds what stood among letters. Null for what `describePart` did not write. */
export function createPart(json: string): Y.XmlElement | Y.XmlText | null {
  if (!isPartDescription(json)) return null
  const part = JSON.parse(json) as UnknownPart
  if (!('embed' in part || 'embedded' in part)) return newPart(part)
  const text = new Y.XmlText()
  text.insertEmbed(0, 'embed' in part ? part.embed : newPart(part.embedded))
  return text
}

function newPart(part: SharedPart): Y.XmlElement | Y.XmlText {
  if ('text' in part) {
    const text = new Y.XmlText()
    text.applyDelta(part.text as object[] as never)
    return text
  }
  const element = new Y.XmlElement(part.name)
  for (const [name, value] of Object.entries(part.attributes ?? {}))
    element.setAttribute(name, value as string)
  element.insert(0, (part.children ?? []).map(newPart) as Y.XmlElement[])
  return element
}

/**
 * A copy of the part within its document, whatever it is. Null for a value that is no shared type.
 *
 * @param isEmbedded Whether it stands among the letters of a text, as the copy then does.
 */
export function copyPart(part: unknown, isEmbedded: boolean): Y.XmlElement | Y.XmlText | null {
  if (!(part instanceof Y.AbstractType)) return null
  try {
    const copy = copyOf(part) as Y.XmlElement
    if (!isEmbedded) return copy
    const text = new Y.XmlText()
    text.insertEmbed(0, copy)
    return text
  } catch {
    return null // nested deeper than the stack
  }
}

function copyOf(part: unknown): unknown {
  if (!(part instanceof Y.AbstractType)) return part
  if (part instanceof Y.XmlFragment) {
    const copy = part instanceof Y.XmlElement ? new Y.XmlElement(part.nodeName) : new Y.XmlFragment()
    if (part instanceof Y.XmlElement && copy instanceof Y.XmlElement)
      for (const [name, value] of Object.entries(part.getAttributes())) copy.setAttribute(name, copyOf(value))
    copy.insert(0, part.toArray().map(copyOf) as Y.XmlElement[])
    return copy
  }
  if (!(part instanceof Y.Text)) return part.clone()
  const text = part instanceof Y.XmlText ? new Y.XmlText() : new Y.Text()
  text.applyDelta(
    (part.toDelta() as TextInsert[]).map(({ insert, ...rest }) => ({
      insert: copyOf(insert),
      ...rest,
    })) as never,
  )
  return text
}

/**
 * The letters of the part, a space between blocks, up to a limit. Does not recurse, since a part may be 10,000 levels deep, and ends after so
 * many items, whether they hold letters or not.
 */
export function shownTextOf(part: unknown): string {
  const words: string[] = []
  let [length, visited] = [0, 0]
  const waiting: unknown[] = [part]
  const isWithinLimits = (): boolean => length < MAX_SHOWN_TEXT && visited < MAX_SHOWN_ITEMS
  while (waiting.length > 0 && isWithinLimits()) {
    const next = waiting.pop()
    if (next instanceof Y.Item) {
      visited += 1
      if (next.right) waiting.push(next.right)
      if (!next.deleted && next.content instanceof Y.ContentType) waiting.push(next.content.type)
    } else if (next instanceof Y.Text) {
      let letters = ''
      for (let item = firstItemOf(next); item && isWithinLimits(); item = item.right, visited++) {
        if (item.deleted) continue
        if (item.content instanceof Y.ContentString) letters += item.content.str
        else if (item.content instanceof Y.ContentType) waiting.push(item.content.type)
      }
      if (letters) words.push(letters)
      length += letters.length
    } else if (next instanceof Y.XmlFragment) waiting.push(firstItemOf(next))
  }
  return words.join(' ').slice(0, MAX_SHOWN_TEXT)
}
