/** Blocks and marks as ProseMirror writes them in JSON. */
export interface JsonNode {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
  readonly marks?: readonly JsonMark[]
  readonly text?: string
  readonly content?: readonly JsonNode[]
}

export interface JsonMark {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
}
