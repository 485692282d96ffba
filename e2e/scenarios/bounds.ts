/**
 * Runs inside the product's pages, beside bench/diptych/page.ts: between which moments a station must lie that a page cannot see
 * itself, by what happened before and behind it and not by how long that takes. The function stands alone.
 */
import type * as Y from 'yjs'

/** Of one edit in one window; ms since `performance.timeOrigin`, 0 until it came about. */
interface Bounds {
  /** Behind the microtask in which what was made is handed to the link. */
  handed: number
  /** The last task in which it was still not known to be saved. */
  unsaved: number
  /** The first frame that can show it began to be drawn. */
  framed: number
  /** What was posted in that frame, and what this brought about, has been heard. */
  behind: number
}

export interface BoundsRecord {
  /** Edits made here, and changes from elsewhere, each in their order. */
  readonly own: Bounds[]
  readonly others: Bounds[]
}

declare global {
  interface Window {
    boundsRecord?: BoundsRecord
  }
}

export function recordBounds(): void {
  const { doc, whenSaved } = window.diptych!
  const record: BoundsRecord = { own: [], others: [] }
  const unsaved = new Set<Bounds>()
  const posted = (run: () => void): void => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', run)
    port1.start()
    port2.postMessage(null)
  }
  const watchFrame = (bounds: Bounds): void => {
    bounds.framed = performance.now()
    posted(() => posted(() => (bounds.behind = performance.now())))
  }
  const watchSaving = (bounds: Bounds): void => {
    queueMicrotask(() => (bounds.handed = performance.now()))
    unsaved.add(bounds)
    void whenSaved().then(() => unsaved.delete(bounds))
  }
  doc.on('update', (_update: Uint8Array, _origin: unknown, _doc: Y.Doc, { local }: Y.Transaction) => {
    const bounds: Bounds = { handed: 0, unsaved: 0, framed: 0, behind: 0 }
    requestAnimationFrame(() => watchFrame(bounds))
    if (local) watchSaving(bounds)
    ;(local ? record.own : record.others).push(bounds)
  })
  // A task of its own: whoever awaits what the tasks before it said has heard it.
  setInterval(() => {
    for (const bounds of unsaved) bounds.unsaved = performance.now()
  }, 4)
  window.boundsRecord = record
}

export const boundsDone = (): boolean =>
  [...window.boundsRecord!.own, ...window.boundsRecord!.others].every(({ behind }) => behind > 0)
