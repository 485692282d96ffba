interface Line {
  readonly left: number
  readonly top: number
  readonly bottom: number
}

/** Space in px between a popup and the line or the edge. */
const GAP = 6

/** The most that a popup takes, in px. */
const MAX_HEIGHT = 320

/**
 * Places a fixed popup at one side of a line of text, or at the other where there is more room, within what a phone's keyboard leaves of
 * the window.
 */
export function placeBeside(popup: HTMLElement, line: Line, preferred: 'above' | 'below' = 'below'): void {
  const visible = window.visualViewport
  const top = visible?.offsetTop ?? 0
  const bottom = top + (visible?.height ?? innerHeight)
  const room = { above: line.top - top - 2 * GAP, below: bottom - line.bottom - 2 * GAP }
  const other = preferred === 'above' ? 'below' : 'above'
  popup.style.maxHeight = ''
  const needed = Math.min(popup.scrollHeight, MAX_HEIGHT)
  const side = room[preferred] >= needed || room[preferred] >= room[other] ? preferred : other
  popup.style.maxHeight = `${Math.max(needed > room[side] ? room[side] : MAX_HEIGHT, 96)}px`
  popup.style.top = `${side === 'below' ? line.bottom + GAP : line.top - GAP - popup.offsetHeight}px`
  const furthest = document.documentElement.clientWidth - popup.offsetWidth - GAP
  popup.style.left = `${Math.max(GAP, Math.min(line.left, furthest))}px`
}
