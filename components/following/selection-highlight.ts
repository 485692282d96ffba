/** Shows what is selected in another window, by the highlights of CSS: nothing is written into the page. */
import { type DomPoint } from './text-geometry'

const NAME = 'followed'

function sharedHighlight(): Highlight | undefined {
  // Firefox before 140 has none.
  if (typeof Highlight === 'undefined' || !('highlights' in CSS)) return undefined
  const existing = CSS.highlights.get(NAME)
  if (existing) return existing
  const created = new Highlight()
  CSS.highlights.set(NAME, created)
  return created
}

/** One surface's mark: each call moves it, null takes it away. */
export function createSelectionHighlight(): (from: DomPoint | null, to: DomPoint | null) => void {
  let shown: Range | null = null
  return (from, to) => {
    if (shown) sharedHighlight()?.delete(shown)
    shown = null
    if (!from || !to) return
    const range = document.createRange()
    range.setStart(from.node, from.offset)
    range.setEnd(to.node, to.offset)
    sharedHighlight()?.add(range)
    shown = range
  }
}
