/**
 * A place in the text that others' edits do not shift (W5): a Yjs relative position as text. Read as input: spots come from other
 * windows, other people and storage.
 */
import * as Y from 'yjs'
import { fromBase64, toBase64 } from '../protocol/base64.ts'

export interface Spot {
  /** A relative position in base64. */
  readonly at: string
  /** The end of a selection that begins at `at`. */
  readonly to?: string
}

type Part = Y.XmlFragment | Y.XmlText

const parentOf = (part: Part): Part | null => part.parent as Part | null

/** Where a spot is now, as Yjs counts. */
export interface Place {
  readonly type: Part
  readonly index: number
}

/** Some 25 bytes encoded; more is nobody's position. */
const MAX_TEXT = 120

export const encodePosition = (position: Y.RelativePosition): string =>
  toBase64(Y.encodeRelativePosition(position))

/** @param assoc As in Yjs: 0 keeps to the letter that follows, -1 to the one before, or to the beginning of the type. */
export const positionAt = ({ type, index }: Place, assoc: 0 | -1 = 0): string =>
  encodePosition(Y.createRelativePositionFromTypeIndex(type, index, assoc))

/** The beginning of a block or of the whole text, whatever is written into it. As `anchor` in lib/text/headings.ts. */
export const startOf = (type: Y.XmlFragment): Spot => ({ at: positionAt({ type, index: 0 }, -1) })

export function readSpot(value: unknown): Spot | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { at, to } = value as Record<string, unknown>
  if (!isPosition(at)) return undefined
  return isPosition(to) ? { at, to } : { at }
}

const isPosition = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT

/** Null for what is no position, not in this text, or no longer there. */
export function placeOf(fragment: Y.XmlFragment, position: string): Place | null {
  const found = fragment.doc && absolute(fragment.doc, fragment, position)
  if (!found) return null
  const { type, index } = found
  return (type instanceof Y.XmlFragment || type instanceof Y.XmlText) && isWithin(fragment, type)
    ? { type, index }
    : null
}

function absolute(doc: Y.Doc, fragment: Y.XmlFragment, position: string): Y.AbsolutePosition | null {
  try {
    const relative = Y.decodeRelativePosition(fromBase64(position))
    // Resolving a name makes a root of that name, where there is none.
    if (relative.tname !== null && (doc.share.get(relative.tname) as unknown) !== fragment) return null
    return Y.createAbsolutePositionFromRelativePosition(relative, doc)
  } catch {
    return null
  }
}

/** What was deleted with all around it resolves to a type that hangs nowhere. */
function isWithin(fragment: Y.XmlFragment, type: Part): boolean {
  for (let at: Part | null = type; at !== null; at = parentOf(at)) {
    if (at === fragment) return true
    if (at._item?.deleted) return false
  }
  return false
}

/** The block among `fragment`'s own children that a place is in; null at the beginning of the whole text. */
export function topBlockAt(fragment: Y.XmlFragment, { type, index }: Place): Y.XmlElement | null {
  if (type === fragment) return elementAt(fragment, index)
  let at: Part | null = type
  while (at !== null && parentOf(at) !== fragment) at = parentOf(at)
  return at instanceof Y.XmlElement ? at : null
}

function elementAt(fragment: Y.XmlFragment, index: number): Y.XmlElement | null {
  const child: unknown = index < fragment.length ? fragment.get(index) : null
  return child instanceof Y.XmlElement ? child : null
}
