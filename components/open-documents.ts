/**
 * The documents that this page holds open, including those it left with unsent edits: they stay open until these are saved. Before the page
 * is left, it asks only if something is neither on the server nor on this device. Knows no React.
 */
import type { Doc } from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'

declare global {
  interface Window {
    /** The open document, for reading its figures: `diptych.stats()` in the console, `npm run bench`. */
    diptych?: OpenDocument
  }
}

const openDocuments = new Set<OpenDocument>()

export const listOpenDocuments = (): Iterable<OpenDocument> => openDocuments

const documentOfVersion = new WeakMap<Doc, string>()

/** Has the pictures of an earlier version shown from its document. */
export function rememberVersion(version: Doc, document: string): void {
  documentOfVersion.set(version, document)
}

/** The id of the document that a Y.Doc holds, or an earlier version of it; '' where that is not known. */
export const documentIdOf = (doc: Doc | null | undefined): string =>
  [...openDocuments].find((opened) => opened.doc === doc)?.handle.document ??
  (doc && documentOfVersion.get(doc)) ??
  ''

const isEnded = ({ status }: OpenDocument): boolean => {
  const { link, document, refusal } = status.get()
  return link.state === 'stopped' || document.state === 'refused' || refusal !== undefined
}

function onBeforeUnload(event: BeforeUnloadEvent): void {
  if ([...openDocuments].some((opened) => opened.status.get().unstored > 0)) event.preventDefault()
}

/** A page that the browser keeps in its back/forward cache continues when it is shown again. */
function onPageHide({ persisted }: PageTransitionEvent): void {
  if (!persisted) for (const opened of openDocuments) opened.leave()
}

export function retainDocument(opened: OpenDocument): void {
  if (openDocuments.size === 0) {
    addEventListener('beforeunload', onBeforeUnload)
    addEventListener('pagehide', onPageHide)
  }
  openDocuments.add(opened)
  // The first one counts: a second editor's document is not what the window is about.
  window.diptych ??= opened
  // The status says why it will never sync; nobody else awaits this promise here.
  opened.whenSynced.catch(() => undefined)
}

/** Closes the document at once if nothing is unsent, otherwise after the last edit is saved or can never be. */
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
