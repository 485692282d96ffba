/** What runs inside the pages of the benchmark `windows`, with the recorder of page-recorder.ts. */
import type { Paint } from '../support/typed-windows.ts'

declare global {
  interface Window {
    /** ms since navigation; 0 until then. */
    usableAt?: number
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
  return { bytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) }
}

/** @param selector What shows the text, and nothing beside it: it has to be empty still. */
export function recordPaints(selector: string): void {
  const paints: Paint[] = (window.paints = [])
  const lettersOf = () => document.querySelector(selector)?.textContent.length
  if (lettersOf() !== 0) throw new Error(`There is no text in ${selector} that is empty.`)
  let shown = 0
  const watch = new MutationObserver(() => {
    const letters = lettersOf() ?? 0
    if (letters === shown) return
    shown = letters
    window.recorder.afterFrame((at) => void paints.push({ letters, at }))
  })
  watch.observe(document.body, { childList: true, subtree: true, characterData: true })
}
