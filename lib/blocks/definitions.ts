/**
 * What a folder of lib/blocks exports: all that is true of a kind of block, or of a mark, without a screen. The server and every page read
 * the same definition.
 */
import type { MarkSpec, NodeSpec } from 'prosemirror-model'

export interface NodeDefinition {
  /** The name under which it is stored. */
  readonly name: string
  readonly schema: NodeSpec
}

export interface MarkDefinition {
  readonly name: string
  readonly schema: MarkSpec
}

/** Attributes as they are stored. Anybody who may write can have written them: trust none. */
export type StoredAttributes = Readonly<Record<string, unknown>>
