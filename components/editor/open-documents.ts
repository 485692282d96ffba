/**
 * The documents this page holds open, those included that it left with unsent edits: they go on until these are saved.
 * Asks before the page is left only while something is neither on the server nor on this device. Knows no React.
 */
import type { OpenDocument } from '@/lib/client.ts'

declare global {
  interface Window {
    /** The open document, for whoever must know the numbers: `diptych.stats()` in the console, `npm run bench`. */
    diptych?: OpenDocument
  }
}

const openDocuments = new Set<OpenDocument>()

export const listOpenDocuments = (): Iterable<OpenDocument> => openDocuments

const isEnded = ({ status }: OpenDocument): boolean => {
  const { link, document, refusal } = status.get()
  return link.state === 'stopped' || document.state === 'refused' || refusal !== undefined
}

function onBeforeUnload(event: BeforeUnloadEvent): void {
  if ([...openDocuments].some((opened) => opened.status.get().unstored > 0)) event.preventDefault()
}

/** A page that the browser keeps for the way back goes on when it is shown again. */
function onPageHide({ persisted }: PageTransitionEvent): void {
  if (!persisted) for (const opened of openDocuments) opened.leave()
}

export function retainDocument(opened: OpenDocument): void {
  if (openDocuments.size === 0) {
    addEventListener('beforeunload', onBeforeUnload)
    addEventListener('pagehide', onPageHide)
  }
  openDocuments.add(opened)
  // A second editor's is not what the window is about.
  window.diptych ??= opened
  // The status says why it never will be; nobody else awaits this promise here.
  opened.whenSynced.catch(() => undefined)
}

/** Closes at once when nothing is unsent, otherwise after the last edit is saved, or will never be. */
export function releaseDocument(opened: OpenDocument): void {
  if (window.diptych === opened) delete window.diptych
  opened.awareness.setLocalState(null)
  const unsubscribe = opened.status.subscribe(closeWhenDone)
  function closeWhenDone() {
    if (opened.status.get().unsaved > 0 && !isEnded(opened)) return
    unsubscribe()
    removeDocument(opened)
    void opened.close()
  }
  closeWhenDone()
}

function removeDocument(opened: OpenDocument): void {
  openDocuments.delete(opened)
  if (openDocuments.size > 0) return
  removeEventListener('beforeunload', onBeforeUnload)
  removeEventListener('pagehide', onPageHide)
}
