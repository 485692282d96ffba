/**
 * The window's name in the taskbar and on the tab, and the mark before it until the window is looked at. React brings the title of the
 * page's metadata when it comes to it, which on a busy machine is later than the name: so the name is watched while it is wanted.
 */
export const TITLE_MARK = '● '

/** The latest of them names the window. */
const requestedNames: { readonly name: string }[] = []
let isMarked = false
let observer: MutationObserver | undefined
/** The title that the page brought by itself. */
let pageTitle = ''
/** The title that was set here last, and how the document reads it: it makes one space of several. */
let writtenTitle: { readonly title: string; readonly read: string } | undefined

/** Keeps the window's name. Returns its undo, which brings back the name before, or the page's own title. */
export function setWindowName(name: string): () => void {
  const entry = { name }
  requestedNames.push(entry)
  updateTitle()
  return () => {
    requestedNames.splice(requestedNames.indexOf(entry), 1)
    updateTitle()
  }
}

export function showTitleMark(): void {
  if (document.hasFocus() || isMarked) return
  isMarked = true
  updateTitle()
  addEventListener('focus', hideTitleMark, { once: true })
}

function hideTitleMark(): void {
  isMarked = false
  updateTitle()
}

function updateTitle(): void {
  if (document.title !== writtenTitle?.read) {
    pageTitle = document.title
    writtenTitle = undefined
  }
  writeTitle(wantedTitle())
  if (isMarked || requestedNames.length > 0) return observeTitle()
  observer?.disconnect()
  observer = undefined
  writtenTitle = undefined
}

/** Nothing is set twice: the observer hears of what is set here, too, and would have it set for ever. */
function writeTitle(title: string): void {
  if (title === writtenTitle?.title) return
  document.title = title
  writtenTitle = { title, read: document.title }
}

function observeTitle(): void {
  if (observer) return
  observer = new MutationObserver(updateTitle)
  observer.observe(document.head, { subtree: true, childList: true, characterData: true })
}

function wantedTitle(): string {
  const name = requestedNames.at(-1)?.name ?? pageTitle
  return isMarked ? TITLE_MARK + name : name
}
