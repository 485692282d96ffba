/** Functions that run inside the page of the benchmark `open`, with the recorder of page-recorder.ts. */
declare global {
  interface Window {
    /** ms since navigation: the first task after the frame that showed the text; and when it could be written in. */
    openedAt?: { painted: number; editable: number }
  }
}

/** Before the page's own scripts. @param letters So many are on screen once the text is. */
export function watchOpening(letters: number): void {
  const at = { painted: 0, editable: 0 }
  let shown = false
  const look = (): void => {
    const text = document.querySelector('main [role=textbox].text')
    if (!shown && (text?.textContent.length ?? 0) >= letters) {
      shown = true
      window.recorder.afterFrame(() => (at.painted = performance.now()))
    }
    const saved = document.querySelector('[aria-label="Save state"][data-state="saved"]')
    if (at.editable === 0 && shown && saved && (text as HTMLElement).isContentEditable)
      at.editable = performance.now()
    if (at.painted > 0 && at.editable > 0) window.openedAt = at
    else setTimeout(look, 1)
  }
  look()
}
