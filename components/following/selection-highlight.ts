/** Shows the selection of another window with the CSS Highlight API: nothing is written into the page. */
import { type DomPoint } from './text-geometry.ts'

const NAME = 'followed'

function sharedHighlight(): Highlight | undefined {
  // Firefox before 140 lacks the API.
  if (typeof Highlight === 'undefined' || !('highlights' in CSS)) return undefined
  const existing = CSS.highlights.get(NAME)
  if (existing) return existing
  const created = new Highlight()
  CSS.highlights.set(NAME, created)
  return created
}

/** The highlight of one surface: each call moves it, null removes it. */
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
