/** Records the moments of edits inside the product's pages. Each function is sent to a page by itself, and needs the page's recorder. */
import type * as Y from 'yjs'
import type { LaneName } from '../support/lanes.ts'
import type { EditArrival, WrittenEdit } from '../support/typed-windows.ts'

/** Runs before the page's own scripts, and sets the lane: the transport as the person's remembered choice, and the way of the upload. */
export function prepareLane({ transport, name }: { transport: string; name: LaneName }): void {
  localStorage.setItem('diptych.transport', transport)
  if (!name.endsWith('-posts')) return
  // Behaves as a browser that does not know streams as bodies, and turns them into text.
  window.Request = class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input, init?.body instanceof ReadableStream ? { method: 'POST', body: 'text' } : init)
    }
  }
}

/** The author is the Yjs client, and an edit's clock is that client's clock after it. */
export function recordWriter(): void {
  const { doc, whenSaved } = window.diptych!
  const { now } = window.recorder
  const edits: WrittenEdit[] = []
  window.writerRecord = { author: doc.clientID, edits }
  let sent = 0
  // The session sends in a microtask that `update` queues. This event comes before `update`, so that its microtask runs just before.
  doc.on('afterTransaction', ({ local }: Y.Transaction) => {
    if (local) queueMicrotask(() => (sent = now()))
  })
  const onUpdate = (_update: Uint8Array, _origin: unknown, _doc: Y.Doc, transaction: Y.Transaction): void => {
    if (!transaction.local) return
    const clock = transaction.afterState.get(doc.clientID) ?? 0
    const edit: WrittenEdit = { clock, edited: now(), sent: 0, answered: 0 }
    edits.push(edit)
    queueMicrotask(() => (edit.sent = sent))
    void whenSaved().then(() => (edit.answered = now()))
  }
  doc.on('update', onUpdate)
}

export function recordReader(): void {
  const { doc } = window.diptych!
  const { now, afterFrame } = window.recorder
  const arrivals: EditArrival[] = (window.editArrivals = [])
  let applied = 0
  // The document has the change now; the editor, which observes the document, does not yet.
  doc.on('beforeObserverCalls', ({ local }: Y.Transaction) => {
    if (!local) applied = now()
  })
  const onUpdate = (_update: Uint8Array, _origin: unknown, _doc: Y.Doc, transaction: Y.Transaction): void => {
    const { local, beforeState, afterState } = transaction
    if (local) return
    const clocks = [...afterState].filter(([author, clock]) => (beforeState.get(author) ?? 0) < clock)
    const arrival: EditArrival = { clocks, applied, rendered: now(), painted: 0 }
    arrivals.push(arrival)
    afterFrame((at) => (arrival.painted = at))
  }
  doc.on('update', onUpdate)
}

/** Returns the document's text, without asking the editor. */
export const textOfDocument = (): string =>
  window
    .diptych!.doc.getXmlFragment('default')
    .toJSON()
    .replaceAll(/<[^>]*>/g, '')
