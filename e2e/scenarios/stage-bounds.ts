/**
 * Runs inside the product's pages, beside bench/diptych/edit-recorder.ts: between which moments a station must lie that a page cannot see
 * itself, by what happened before and behind it and not by how long that takes. The function stands alone.
 */
import type * as Y from 'yjs'

/** Of one edit in one window; ms since `performance.timeOrigin`, 0 until it came about. */
interface StageBounds {
  /** Behind the microtask in which what was made is handed to the link. */
  handedOver: number
  /** The last task in which it was still not known to be saved. */
  lastUnsaved: number
  /** The first frame that can show it began to be drawn. */
  frameStarted: number
  /** What was posted in that frame, and what this brought about, has been heard. */
  afterFrame: number
}

export interface StageBoundsRecord {
  /** Edits made here, and changes from elsewhere, each in their order. */
  readonly own: StageBounds[]
  readonly remote: StageBounds[]
}

declare global {
  interface Window {
    boundsRecord?: StageBoundsRecord
  }
}

export function recordBounds(): void {
  const { doc, whenSaved } = window.diptych!
  const record: StageBoundsRecord = { own: [], remote: [] }
  const unsavedBounds = new Set<StageBounds>()
  const postTask = (run: () => void): void => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', run)
    port1.start()
    port2.postMessage(null)
  }
  const recordFrame = (bounds: StageBounds): void => {
    bounds.frameStarted = performance.now()
    postTask(() => postTask(() => (bounds.afterFrame = performance.now())))
  }
  const recordSaving = (bounds: StageBounds): void => {
    queueMicrotask(() => (bounds.handedOver = performance.now()))
    unsavedBounds.add(bounds)
    void whenSaved().then(() => unsavedBounds.delete(bounds))
  }
  doc.on('update', (_update: Uint8Array, _origin: unknown, _doc: Y.Doc, { local }: Y.Transaction) => {
    const bounds: StageBounds = { handedOver: 0, lastUnsaved: 0, frameStarted: 0, afterFrame: 0 }
    requestAnimationFrame(() => recordFrame(bounds))
    if (local) recordSaving(bounds)
    ;(local ? record.own : record.remote).push(bounds)
  })
  // A task of its own: whoever awaits what the tasks before it said has heard it.
  setInterval(() => {
    for (const bounds of unsavedBounds) bounds.lastUnsaved = performance.now()
  }, 4)
  window.boundsRecord = record
}

export const areBoundsComplete = (): boolean =>
  [...window.boundsRecord!.own, ...window.boundsRecord!.remote].every(({ afterFrame }) => afterFrame > 0)
