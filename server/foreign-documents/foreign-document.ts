/** A document of another program. */
export interface ForeignDocument {
  readonly name: string
  /** Yjs updates V1, in the order in which they were written. */
  readonly updates: readonly Uint8Array[]
}
