/** Counts and traces what a store is asked for. It changes no answer. */
import type { DocumentStore } from '../store/store.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { ServerCounts } from './server-counts.ts'

/** @param counts Failed appends are counted by those who offer them again. */
export const createMeasuredStore = (
  store: DocumentStore,
  counts: ServerCounts,
  tracing: Tracing,
): DocumentStore => ({
  // A batch holds the edits of many requests, and is nobody's child.
  append: (edits) =>
    tracing.detached(() =>
      tracing.span('store append', { 'diptych.edits': edits.length }, async () => {
        const startedAt = performance.now()
        const sequences = await store.append(edits)
        counts.storeAppends.recordSince(startedAt)
        return sequences
      }),
    ),
  load: (document, part) =>
    tracing.span('store load', { 'diptych.part': part }, () =>
      store.load(document, part).catch((error: unknown) => {
        counts.loadFailures += 1
        throw error
      }),
    ),
  readSince: (...from) =>
    tracing.span('store read', { 'diptych.part': from[1] }, () => store.readSince(...from)),
  claimCompaction: (...key) => store.claimCompaction(...key),
  compact: (...snapshot) =>
    tracing.span('store compact', { 'diptych.part': snapshot[1] }, () =>
      store.compact(...snapshot).catch((error: unknown) => {
        counts.compactionFailures += 1
        throw error
      }),
    ),
  check: () => store.check(),
  close: () => store.close(),
})
