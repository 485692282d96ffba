/** What runs inside the pages of the benchmark `windows`. */
import type { Paint } from './match.ts'

declare global {
  interface Window {
    /** ms since navigation; 0 until then. */
    usableAt?: number
    /** The moment of each key, on the browser's clock. */
    keysAt?: number[]
    /** The first moment after each frame that showed another number of letters, on the browser's clock. */
    paints?: Paint[]
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

/** @param selector What shows the text, and nothing beside it: it has to be empty still. */
export function recordPaints(selector: string): void {
  const paints: Paint[] = (window.paints = [])
  const lettersOf = () => document.querySelector(selector)?.textContent.length
  if (lettersOf() !== 0) throw new Error(`There is no text in ${selector} that is empty.`)
  const painted = new MessageChannel()
  let shown = 0
  painted.port1.onmessage = ({ data }) => {
    paints.push({ letters: data as number, at: performance.timeOrigin + performance.now() })
  }
  const watch = new MutationObserver(() => {
    const letters = lettersOf() ?? 0
    if (letters === shown) return
    shown = letters
    // The task after the frame.
    requestAnimationFrame(() => painted.port2.postMessage(letters))
  })
  watch.observe(document.body, { childList: true, subtree: true, characterData: true })
}

export const keysOf = () => window.keysAt ?? []
export const paintsOf = () => window.paints ?? []
