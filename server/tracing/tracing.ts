/** Spans of what the server does. Without a collector nothing is recorded, and no library is loaded. */

/** Neither text nor a title, a token or the id of a document belongs in a span. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface Span {
  set(attributes: SpanAttributes): void
}

export interface Tracing {
  /** Runs the work within a span, a child of the one around it. A span ends with its work; work that throws or rejects marks it as failed. */
  span<Answer>(name: string, attributes: SpanAttributes, work: (span: Span) => Answer): Answer
  /** Runs the work as nobody's child: it outlives the request that happened to start it. */
  detached<Answer>(work: () => Answer): Answer
  /** Returns a function that runs later work as a child of the span around this call. */
  bind(): <Answer>(work: () => Answer) => Answer
  /** Sends what is recorded. Never rejects. */
  close(): Promise<void>
}

const noSpan: Span = { set() {} }
const run = <Answer>(work: () => Answer): Answer => work()

export const noTracing: Tracing = {
  span: (_name, _attributes, work) => work(noSpan),
  detached: run,
  bind: () => run,
  close: () => Promise.resolve(),
}
