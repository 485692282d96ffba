/** Which section of the text a place is in. */
import * as Y from 'yjs'
import { placeOf, type Spot, startOf, topBlockAt } from './spot.ts'

/** The last top heading at or above a spot; undefined before the first one, and where the spot is gone. */
export function sectionOf(fragment: Y.XmlFragment, { at }: Spot): Spot | undefined {
  const place = placeOf(fragment, at)
  const block = place && topBlockAt(fragment, place)
  const heading = block && headingAbove(block, sectionsOf(fragment))
  return heading ? startOf(heading) : undefined
}

type Sections = Map<Y.XmlElement, Y.XmlElement | null>

const known = new WeakMap<Y.XmlFragment, Sections>()

/** By block, the heading above it: what is typed within a block changes no section. Forgotten when a block comes or goes. */
function sectionsOf(fragment: Y.XmlFragment): Sections {
  const before = known.get(fragment)
  if (before) return before
  const sections: Sections = new Map()
  // Lives as long as its document. Before any observer may ask.
  fragment.doc?.on('beforeObserverCalls', (transaction: Y.Transaction) => {
    const changed: ReadonlyMap<unknown, unknown> = transaction.changed
    if (changed.has(fragment)) sections.clear()
  })
  known.set(fragment, sections)
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
    if (block instanceof Y.XmlElement && block.nodeName === 'heading') return block
    block = block.prevSibling
  }
  return null
}
