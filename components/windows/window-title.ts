/**
 * The window's name in the taskbar and on the tab, and the mark before it until the window is looked at. React brings the title of the
 * page's metadata when it comes to it, which on a busy machine is later than the name: so the name is watched while it is wanted.
 */
export const MARK = '● '

/** Who came last names the window. */
const names: { readonly name: string }[] = []
let isMarked = false
let watching: MutationObserver | undefined

/** Keeps the window's name. Returns its undo, which brings back the name before. */
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
  const title = wantedTitle()
  if (document.title !== title) document.title = title
  const isWanted = isMarked || names.length > 0
  if (isWanted && !watching) {
    watching = new MutationObserver(show)
    watching.observe(document.head, { subtree: true, childList: true, characterData: true })
  } else if (!isWanted) {
    watching?.disconnect()
    watching = undefined
  }
}

function wantedTitle(): string {
  const { title } = document
  const name = names.at(-1)?.name ?? (title.startsWith(MARK) ? title.slice(MARK.length) : title)
  return isMarked ? MARK + name : name
}
