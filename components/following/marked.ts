/** Shows what is selected in another window, by the highlights of CSS: nothing is written into the page. */
import { type DomPoint } from './geometry'

const NAME = 'followed'

function highlight(): Highlight | undefined {
  // Firefox before 140 has none.
  if (typeof Highlight === 'undefined' || !('highlights' in CSS)) return undefined
  const known = CSS.highlights.get(NAME)
  if (known) return known
  const made = new Highlight()
  CSS.highlights.set(NAME, made)
  return made
}

/** One surface's mark: each call moves it, null takes it away. */
export function mark(): (from: DomPoint | null, to: DomPoint | null) => void {
  let shown: Range | null = null
  return (from, to) => {
    if (shown) highlight()?.delete(shown)
    shown = null
    if (!from || !to) return
    const range = document.createRange()
    range.setStart(from.node, from.offset)
    range.setEnd(to.node, to.offset)
    highlight()?.add(range)
    shown = range
  }
}
