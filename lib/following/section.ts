/** Finds which section of the text a position is in. */
import * as Y from 'yjs'
import { definitionOf } from '../blocks/blocks.ts'
import { resolvePosition, type TextPosition, startPositionOf, topBlockAt } from './text-position.ts'

/** The last top heading at or above a position; undefined before the first one, and where the position is gone. */
export function sectionOf(fragment: Y.XmlFragment, { at }: TextPosition): TextPosition | undefined {
  const position = resolvePosition(fragment, at)
  const block = position && topBlockAt(fragment, position)
  const heading = block && headingAbove(block, sectionsOf(fragment))
  return heading ? startPositionOf(heading) : undefined
}

type Sections = Map<Y.XmlElement, Y.XmlElement | null>

const sectionCaches = new WeakMap<Y.XmlFragment, Sections>()

/**
 * Caches the heading above each block: typing within a block changes no section. The cache is dropped when a block is added or removed.
 */
function sectionsOf(fragment: Y.XmlFragment): Sections {
  const existing = sectionCaches.get(fragment)
  if (existing) return existing
  const sections: Sections = new Map()
  // The listener lives as long as its document. It runs before any observer can read the cache.
  fragment.doc?.on('beforeObserverCalls', (transaction: Y.Transaction) => {
    const changed: ReadonlyMap<unknown, unknown> = transaction.changed
    if (changed.has(fragment)) sections.clear()
  })
  sectionCaches.set(fragment, sections)
  return sections
}

function headingAbove(block: Y.XmlElement, sections: Sections): Y.XmlElement | null {
  const found = sections.get(block)
  if (found !== undefined) return found
  const heading = findHeading(block)
  sections.set(block, heading)
  return heading
}

function findHeading(from: Y.XmlElement): Y.XmlElement | null {
  let block: unknown = from
  while (block instanceof Y.XmlElement || block instanceof Y.XmlText) {
    if (block instanceof Y.XmlElement && definitionOf(block.nodeName)?.headingLevel) return block
    block = block.prevSibling
  }
  return null
}
