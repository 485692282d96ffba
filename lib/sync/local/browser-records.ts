/** The records of this browser's store, for pages that open no document. */
import { LocalRecords } from './local-records.ts'

/** False in Node, and where a browser stores nothing for this page. */
export const isLocalStoreSupported = (): boolean =>
  typeof window !== 'undefined' && 'indexedDB' in window && 'locks' in navigator

let records: LocalRecords | undefined

export const browserLocalRecords = (): LocalRecords | null =>
  isLocalStoreSupported() ? (records ??= new LocalRecords(indexedDB)) : null
