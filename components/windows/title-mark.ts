/** A mark before the window's name, in the taskbar and on the tab, until the window is looked at. Whoever sets the name knows nothing of it. */
export const MARK = '● '

let marked: MutationObserver | undefined

const put = (): void => {
  if (!document.title.startsWith(MARK)) document.title = MARK + document.title
}

export function markTitle(): void {
  if (document.hasFocus() || marked) return
  put()
  marked = new MutationObserver(put)
  marked.observe(document.head, { subtree: true, childList: true, characterData: true })
  addEventListener('focus', unmark, { once: true })
}

function unmark(): void {
  marked?.disconnect()
  marked = undefined
  if (document.title.startsWith(MARK)) document.title = document.title.slice(MARK.length)
}
