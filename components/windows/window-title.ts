/**
 * The window's name in the taskbar and on the tab, and the mark before it until the window is looked at. React brings the title of the
 * page's metadata when it comes to it, which on a busy machine is later than the name: so the name is watched while it is wanted.
 */
export const MARK = '● '

/** The latest of them names the window. */
const names: { readonly name: string }[] = []
let isMarked = false
let watching: MutationObserver | undefined
/** The title that the page brought by itself. */
let ownTitle = ''
/** The title that was set here last, and how the document reads it: it makes one space of several. */
let written: { readonly title: string; readonly read: string } | undefined

/** Keeps the window's name. Returns its undo, which brings back the name before, or the page's own title. */
export function nameWindow(name: string): () => void {
  const entry = { name }
  names.push(entry)
  show()
  return () => {
    names.splice(names.indexOf(entry), 1)
    show()
  }
}

export function markTitle(): void {
  if (document.hasFocus() || isMarked) return
  isMarked = true
  show()
  addEventListener('focus', unmark, { once: true })
}

function unmark(): void {
  isMarked = false
  show()
}

function show(): void {
  if (document.title !== written?.read) {
    ownTitle = document.title
    written = undefined
  }
  write(wantedTitle())
  if (isMarked || names.length > 0) return watch()
  watching?.disconnect()
  watching = undefined
  written = undefined
}

/** Nothing is set twice: the observer hears of what is set here, too, and would have it set for ever. */
function write(title: string): void {
  if (title === written?.title) return
  document.title = title
  written = { title, read: document.title }
}

function watch(): void {
  if (watching) return
  watching = new MutationObserver(show)
  watching.observe(document.head, { subtree: true, childList: true, characterData: true })
}

function wantedTitle(): string {
  const name = names.at(-1)?.name ?? ownTitle
  return isMarked ? MARK + name : name
}
