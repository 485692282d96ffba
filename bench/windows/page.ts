/** What runs inside the pages of the benchmark `windows`. */

declare global {
  interface Window {
    /** ms since navigation; 0 until then. */
    usableAt?: number
    /** The moment of each key, on the browser's clock. */
    keysAt?: number[]
    /** For each letter, the first moment after the frame that showed it. */
    paintedAt?: Map<number, number>
  }
}

/** Usable: what the page is for is on screen, and its text is the server's. Runs before the page's own scripts. */
export function watchUsable(): void {
  const isUsable = () => {
    const saved = document.querySelector('[aria-label="Save state"][data-state="saved"]')
    const text = document.querySelector('main > [id=panel] [data-panel-body] *, main [role=textbox].text')
    return saved !== null && text !== null
  }
  const look = () => {
    if (!isUsable()) return
    watch.disconnect()
    window.usableAt = performance.now()
  }
  const watch = new MutationObserver(look)
  watch.observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['data-state'],
  })
}

export const scriptsLoaded = () => {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const scripts = entries.filter(
    ({ name, responseEnd }) => /\.js(\?|$)/.test(name) && responseEnd <= (window.usableAt ?? Infinity),
  )
  return {
    bytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    unpacked: scripts.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
  }
}

export function recordKeys(): void {
  const keysAt: number[] = (window.keysAt = [])
  const onKey = ({ key, timeStamp }: KeyboardEvent) => {
    if (key.length === 1) keysAt.push(performance.timeOrigin + timeStamp)
  }
  addEventListener('keydown', onKey, { capture: true })
}

/** By how many letters the shown text has. @param selector Where it is shown. */
export function recordPaints(selector: string): void {
  const paintedAt: Map<number, number> = (window.paintedAt = new Map())
  const lettersOf = () => {
    const copy = document.querySelector(selector)?.cloneNode(true) as HTMLElement | undefined
    for (const caret of copy?.querySelectorAll('.ProseMirror-widget') ?? []) caret.remove()
    return copy?.textContent.replaceAll('\u2060', '').length ?? 0
  }
  const painted = new MessageChannel()
  let shown = 0
  painted.port1.onmessage = ({ data }) => {
    const now = performance.timeOrigin + performance.now()
    for (let letters = data as number; letters > 0 && !paintedAt.has(letters); letters--)
      paintedAt.set(letters, now)
  }
  const watch = new MutationObserver(() => {
    const letters = lettersOf()
    if (letters === shown) return
    shown = letters
    // The task after the frame.
    requestAnimationFrame(() => painted.port2.postMessage(letters))
  })
  watch.observe(document.body, { childList: true, subtree: true, characterData: true })
}

export const keysOf = () => window.keysAt ?? []
export const paintsOf = () => [...(window.paintedAt ?? [])]
