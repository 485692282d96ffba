/**
 * A position in the text that others' edits do not shift (W5): a Yjs relative position as text. It is validated like input, since
 * positions come from other windows, other people and storage.
 */
import { isRecord } from '../protocol/value-reader.ts'
import * as Y from 'yjs'
import { itemOf } from '../yjs-internals/shared-type.ts'
import { fromBase64, toBase64 } from '../protocol/base64.ts'

export interface TextPosition {
  /** A relative position in base64. */
  readonly at: string
  /** The end of a selection that begins at `at`. */
  readonly to?: string
}

type YjsTextType = Y.XmlFragment | Y.XmlText

const parentOf = (type: YjsTextType): YjsTextType | null => type.parent as YjsTextType | null

/** Where a position is now, in Yjs's terms. */
export interface YjsPosition {
  readonly type: YjsTextType
  readonly index: number
}

/** A position takes some 25 bytes; a longer text is none. */
const MAX_POSITION_LENGTH = 120

export const encodePosition = (position: Y.RelativePosition): string =>
  toBase64(Y.encodeRelativePosition(position))

/** @param assoc As in Yjs: 0 keeps to the letter that follows, -1 to the one before, or to the beginning of the type. */
export const encodePositionAt = ({ type, index }: YjsPosition, assoc: 0 | -1 = 0): string =>
  encodePosition(Y.createRelativePositionFromTypeIndex(type, index, assoc))

/** The beginning of a block or of the whole text, whatever is written into it. As `anchor` in lib/text/headings.ts. */
export const startPositionOf = (type: Y.XmlFragment): TextPosition => ({
  at: encodePositionAt({ type, index: 0 }, -1),
})

export function readTextPosition(value: unknown): TextPosition | undefined {
  if (!isRecord(value)) return undefined
  const { at, to } = value
  if (!isEncodedPosition(at)) return undefined
  return isEncodedPosition(to) ? { at, to } : { at }
}

const isEncodedPosition = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_POSITION_LENGTH

/** Returns null for what is no position, not in this text, or no longer there. */
export function resolvePosition(fragment: Y.XmlFragment, position: string): YjsPosition | null {
  const resolved = fragment.doc && decodeAbsolutePosition(fragment.doc, fragment, position)
  if (!resolved) return null
  const { type, index } = resolved
  return (type instanceof Y.XmlFragment || type instanceof Y.XmlText) && isAttachedTo(fragment, type)
    ? { type, index }
    : null
}

function decodeAbsolutePosition(
  doc: Y.Doc,
  fragment: Y.XmlFragment,
  position: string,
): Y.AbsolutePosition | null {
  try {
    const relative = Y.decodeRelativePosition(fromBase64(position))
    // Resolving a name would create a root of that name, where there is none.
    if (relative.tname !== null && (doc.share.get(relative.tname) as unknown) !== fragment) return null
    return Y.createAbsolutePositionFromRelativePosition(relative, doc)
  } catch {
    return null
  }
}

/** A position whose surroundings were deleted resolves to a type that is attached nowhere. */
function isAttachedTo(fragment: Y.XmlFragment, type: YjsTextType): boolean {
  for (let at: YjsTextType | null = type; at !== null; at = parentOf(at)) {
    if (at === fragment) return true
    if (itemOf(at)?.deleted) return false
  }
  return false
}

/** The block among `fragment`'s own children that a position is in; null at the beginning of the whole text. */
export function topBlockAt(fragment: Y.XmlFragment, { type, index }: YjsPosition): Y.XmlElement | null {
  if (type === fragment) return elementAt(fragment, index)
  let at: YjsTextType | null = type
  while (at !== null && parentOf(at) !== fragment) at = parentOf(at)
  return at instanceof Y.XmlElement ? at : null
}

function elementAt(fragment: Y.XmlFragment, index: number): Y.XmlElement | null {
  const child: unknown = index < fragment.length ? fragment.get(index) : null
  return child instanceof Y.XmlElement ? child : null
}
