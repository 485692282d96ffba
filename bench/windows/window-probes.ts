/** Measures inside the pages of the scenario `windows`. Each function is sent to a page by itself, and needs the page's recorder. */
import type { Paint } from '../support/typed-windows.ts'

declare global {
  interface Window {
    /** The ms from the navigation until the page was usable. */
    usableAt?: number
    paints?: Paint[]
  }
}

/** Runs before the page's own scripts. A page is usable once its text or panel is on screen, and its text is the server's. */
export function watchUsable(): void {
  const isUsable = () => {
    const saved = document.querySelector('[aria-label="Save state"][data-state="saved"]')
    const text = document.querySelector(
      'main > [id=panel] [data-panel-body] > :not([aria-busy]), main [role=textbox].text',
    )
    return saved !== null && text !== null
  }
  const observer = new MutationObserver(() => {
    if (!isUsable()) return
    observer.disconnect()
    window.usableAt = performance.now()
  })
  observer.observe(document, {
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

/** @param selector Selects what shows the text alone, which must be empty at first. */
export function recordPaints(selector: string): void {
  const countLetters = () => document.querySelector(selector)?.textContent.length
  if (countLetters() !== 0) throw new Error(`There is no empty text in ${selector}.`)
  window.paints = window.recorder.recordPaints(document.body, () => countLetters() ?? 0)
}
