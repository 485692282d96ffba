/** Runs inside the product's pages: stamps times there, to be fetched when the typing is over. Each function stands alone. */
import type * as Y from 'yjs'
import type { LaneName } from '../support/lanes.ts'

/** Times are ms since `timeOrigin`. */
export interface TypedEdit {
  /** Of the writer's own client: how many letters it has written by this edit. */
  readonly clock: number
  readonly edited: number
  sent: number
  answered: number
}

export interface EditArrival {
  /** Of each client that got on by this change, how far. */
  readonly clocks: readonly (readonly [client: number, clock: number])[]
  readonly applied: number
  readonly rendered: number
  painted: number
}

export interface WriterRecord {
  readonly timeOrigin: number
  readonly client: number
  readonly keys: number[]
  readonly edits: TypedEdit[]
}

export interface ReaderRecord {
  readonly timeOrigin: number
  readonly arrivals: EditArrival[]
}

declare global {
  interface Window {
    writerRecord?: WriterRecord
    readerRecord?: ReaderRecord
  }
}

/** Before the page's own scripts: the transport, as a person's remembered choice; and what else makes up a lane. */
export function prepareLane({ transport, name }: { transport: string; name: LaneName }): void {
  localStorage.setItem('diptych.transport', transport)
  if (!name.endsWith('-posts')) return
  // As in a browser that knows no streams as bodies and turns them into text.
  window.Request = class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input, init?.body instanceof ReadableStream ? { method: 'POST', body: 'text' } : init)
    }
  }
}

export function recordWriter(): void {
  const { doc, whenSaved } = window.diptych!
  const record: WriterRecord = {
    timeOrigin: performance.timeOrigin,
    client: doc.clientID,
    keys: [],
    edits: [],
  }
  let sent = 0
  const onKey = ({ key, timeStamp }: KeyboardEvent): void =>
    void (key.length === 1 && record.keys.push(timeStamp))
  document.addEventListener('keydown', onKey, { capture: true })
  // The session hands over in a microtask that `update` queues. This comes before `update`, so its microtask comes just before.
  doc.on('afterTransaction', ({ local }: Y.Transaction) => {
    if (local) queueMicrotask(() => (sent = performance.now()))
  })
  doc.on(
    'update',
    (_update: Uint8Array, _origin: unknown, _doc: Y.Doc, { local, afterState }: Y.Transaction) => {
      if (!local) return
      const clock = afterState.get(doc.clientID) ?? 0
      const edit: TypedEdit = { clock, edited: performance.now(), sent: 0, answered: 0 }
      record.edits.push(edit)
      queueMicrotask(() => (edit.sent = sent))
      void whenSaved().then(() => (edit.answered = performance.now()))
    },
  )
  window.writerRecord = record
}

export function recordReader(): void {
  const { doc } = window.diptych!
  const record: ReaderRecord = { timeOrigin: performance.timeOrigin, arrivals: [] }
  let applied = 0
  const afterPaint = (run: () => void): void => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', run)
      port1.start()
      port2.postMessage(null)
    })
  }
  // The document has it; the editor, which observes the document, does not yet.
  doc.on('beforeObserverCalls', ({ local }: Y.Transaction) => {
    if (!local) applied = performance.now()
  })
  doc.on(
    'update',
    (
      _update: Uint8Array,
      _origin: unknown,
      _doc: Y.Doc,
      { local, beforeState, afterState }: Y.Transaction,
    ) => {
      if (local) return
      const clocks = [...afterState].filter(([client, clock]) => (beforeState.get(client) ?? 0) < clock)
      const arrival: EditArrival = { clocks, applied, rendered: performance.now(), painted: 0 }
      record.arrivals.push(arrival)
      afterPaint(() => (arrival.painted = performance.now()))
    },
  )
  window.readerRecord = record
}

export const writerDone = (): boolean =>
  window.writerRecord!.edits.every(({ answered, sent }) => answered > 0 && sent > 0)

export const readerDone = ({ client, clock }: { client: number; clock: number }): boolean =>
  window.readerRecord!.arrivals.some(({ clocks }) =>
    clocks.some(([of, at]) => of === client && at >= clock),
  ) && window.readerRecord!.arrivals.every(({ painted }) => painted > 0)

/** The text as the document has it, without the editor. */
export const textOfDocument = (): string =>
  window
    .diptych!.doc.getXmlFragment('default')
    .toJSON()
    .replaceAll(/<[^>]*>/g, '')
