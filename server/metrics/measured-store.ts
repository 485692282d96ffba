/** Counts and traces what a store is asked for. It changes no answer. */
import type { DocumentStore } from '../store/store.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { ServerCounts } from './server-counts.ts'

/** A room measures its appends itself (CommitQueue), since it offers them again. */
export const createMeasuredStore = (
  store: DocumentStore,
  counts: ServerCounts,
  tracing: Tracing,
): DocumentStore => ({
  append: (edits) => store.append(edits),
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
