/** Links to places in the document that the page shows: which click follows one. Small, as each window of a document loads it. */

/** In a text that can be edited a click puts the caret into a link, and Ctrl or ⌘ with it follows the link. Null for any other click. */
export function clickedLink(event: MouseEvent, document: string): HTMLAnchorElement | null {
  const { target, button, ctrlKey, metaKey, shiftKey, defaultPrevented } = event
  const anchor = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href*="#at="]') : null
  if (!anchor || button !== 0 || defaultPrevented || shiftKey) return null
  const isFollowed = anchor.isContentEditable === (ctrlKey || metaKey)
  const isOfDocument = anchor.origin === location.origin && anchor.pathname.split('/')[2] === document
  return isFollowed && isOfDocument ? anchor : null
}

/**
 * Keeps clicks on such links from the browser, which would open another tab, until `load` has brought the code that follows them: the last
 * one is made again then. Returns a function that stops it.
 * @param load Resolves with null where the window no longer shows the document.
 */
export function holdClicksOnLinks(document: string, load: () => Promise<object | null>): () => void {
  const stop = new AbortController()
  let last: MouseEvent | null = null
  const onClick = (event: MouseEvent) => {
    const anchor = clickedLink(event, document)
    if (!anchor) return
    event.preventDefault()
    last = event
    void load().then((loaded) => {
      const isMade = loaded && event === last && anchor.isConnected
      if (isMade) anchor.dispatchEvent(new MouseEvent('click', event))
    })
  }
  addEventListener('click', onClick, { signal: stop.signal })
  return () => stop.abort()
}
