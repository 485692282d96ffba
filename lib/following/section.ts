/** Which section of the text a place is in. */
import * as Y from 'yjs'
import { type Place, placeOf, type Spot, startOf, topBlockAt } from './spot.ts'

/** The last top heading at or above a spot; undefined before the first one, and where the spot is gone. */
export function sectionOf(fragment: Y.XmlFragment, { at }: Spot): Spot | undefined {
  const place = placeOf(fragment, at)
  const heading = place && headingAbove(fragment, place)
  return heading ? startOf(heading) : undefined
}

function headingAbove(fragment: Y.XmlFragment, place: Place): Y.XmlElement | null {
  let block: unknown = topBlockAt(fragment, place)
  while (block instanceof Y.XmlElement || block instanceof Y.XmlText) {
    if (block instanceof Y.XmlElement && block.nodeName === 'heading') return block
    block = block.prevSibling
  }
  return null
}
