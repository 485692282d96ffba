/** Records in the page of the scenario `open` when its text is shown and can be edited. Needs the page's recorder. */
declare global {
  interface Window {
    /** The ms from the navigation to the first task after the frame that showed the text, and until it could be edited. */
    openedAt?: { painted: number; editable: number }
  }
}

/** Runs before the page's own scripts. @param letters The number of letters on screen from which the text counts as shown. */
export function watchOpening(letters: number): void {
  const at = { painted: 0, editable: 0 }
  let shown = false
  const check = (): void => {
    const text = document.querySelector('main [role=textbox].text')
    if (!shown && (text?.textContent.length ?? 0) >= letters) {
      shown = true
      window.recorder.afterFrame(() => (at.painted = performance.now()))
    }
    const saved = document.querySelector('[aria-label="Save state"][data-state="saved"]')
    if (at.editable === 0 && shown && saved && (text as HTMLElement).isContentEditable)
      at.editable = performance.now()
    if (at.painted > 0 && at.editable > 0) window.openedAt = at
    else setTimeout(check, 1)
  }
  check()
}
