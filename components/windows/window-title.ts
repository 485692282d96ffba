/**
 * The window's name in the taskbar and on the tab, with a mark before it until the person looks at the window. React sets the title from
 * the page's metadata, on a busy machine later than the name: so the title is watched as long as the window needs its name.
 */
export const TITLE_MARK = '● '

/** The latest of them names the window. */
const requestedNames: { readonly name: string }[] = []
let prefix = ''
let isMarked = false
let observer: MutationObserver | undefined
/** The title that the page itself had. */
let pageTitle = ''
/** The title last set here, and how the document returns it: it collapses white space. */
let writtenTitle: { readonly title: string; readonly read: string } | undefined

/** Sets the window's name. Returns a function that restores the name before, or the page's own title. */
export function setWindowName(name: string): () => void {
  const entry = { name }
  requestedNames.push(entry)
  updateTitle()
  return () => {
    requestedNames.splice(requestedNames.indexOf(entry), 1)
    updateTitle()
  }
}

/** Stands before the name, as "Proposal: ". Returns a function that takes it away. */
export function setNamePrefix(wanted: string): () => void {
  prefix = wanted
  updateTitle()
  return () => {
    prefix = ''
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
  if (isMarked || prefix !== '' || requestedNames.length > 0) return observeTitle()
  observer?.disconnect()
  observer = undefined
  writtenTitle = undefined
}

/** Sets no title twice: the observer also sees what is set here, and would set it again for ever. */
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
  const name = prefix + (requestedNames.at(-1)?.name ?? pageTitle)
  return isMarked ? TITLE_MARK + name : name
}
