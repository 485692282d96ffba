/**
 * An address that leads to a position of a text: that of its document, with `#at=…`, and for a heading its first letters, as
 * `#at=AQG…&heading=Costs`. Anybody can write one, so it is read like input. Knows addresses; does not know where the page is.
 */
import type * as Y from 'yjs'
import { headingsOf } from '../text/headings.ts'
import { treeOf } from '../text/tree.ts'
import { readTextPosition, resolvePosition, type TextPosition } from './text-position.ts'

export interface PositionLink {
  readonly position: TextPosition
  /** How the heading began when the link was made. A section that is moved is written anew, and its former position is gone then. */
  readonly heading: string | null
}

/** In UTF-16 units: enough to tell headings apart, and short in an address where each letter takes up to nine. */
const MAX_HEADING_LENGTH = 40

const beginningOf = (heading: string): string =>
  heading.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_HEADING_LENGTH).trim().toWellFormed()

/** @param heading The heading's letters; null for another block. */
export function positionHashOf({ at }: TextPosition, heading: string | null): string {
  const parameters = new URLSearchParams({
    at: at.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  })
  const beginning = beginningOf(heading ?? '')
  if (beginning !== '') parameters.set('heading', beginning)
  return `#${parameters}`
}

/** Null for a fragment that leads to no position. */
export function readPositionHash(hash: string): PositionLink | null {
  const parameters = new URLSearchParams(hash.slice(1))
  const at = parameters.get('at')?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
  const position = readTextPosition({ at: at.padEnd(Math.ceil(at.length / 4) * 4, '=') })
  if (!position) return null
  return { position, heading: beginningOf(parameters.get('heading') ?? '') || null }
}

/** The link within an address of this document, whatever window of it the address opens; null for any other address. */
export function readPositionLink(address: string, document: string, origin: string): PositionLink | null {
  const url = URL.parse(address, origin)
  if (url?.origin !== origin || url.search !== '') return null
  const [, kind, id, ...panel] = url.pathname.split('/')
  const isOfDocument = kind === 'd' && id === document && (panel.length === 0 || panel[0] === 'p')
  return isOfDocument ? readPositionHash(url.hash) : null
}

/** Where a link leads now: to a heading of the same beginning, where its own position is gone. Null where nothing is left. */
export function findLinkedPosition(
  text: Y.XmlFragment,
  { position, heading }: PositionLink,
): TextPosition | null {
  if (resolvePosition(text, position.at)) return position
  const found =
    heading !== null && headingsOf(treeOf(text)).find((other) => beginningOf(other.text) === heading)
  return found ? { at: found.anchor } : null
}
