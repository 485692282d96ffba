/**
 * What a folder of lib/blocks exports: all that is true of a kind of block, or of a mark, without a screen. The server and every page read
 * the same definition.
 */
import type { MarkSpec, NodeSpec } from 'prosemirror-model'

export interface NodeDefinition {
  /** The name under which it is stored. */
  readonly name: string
  readonly schema: NodeSpec
  readonly strings: NodeStrings
  /** What its element stores for the attributes of its node, where those are not the same. */
  readonly storedAttributes?: (attributes: StoredAttributes) => StoredAttributes
  /** For what stands among letters: the one UTF-16 unit that it is in a line of text, so that positions in both are the same. */
  readonly text?: string
  /** How a node without letters of its own is written where there are only letters: in a copy, and where two texts are compared. */
  readonly letters?: (attributes: StoredAttributes) => string
  /** For a block that heads a section: from 1 to 6. */
  readonly headingLevel?: (attributes: StoredAttributes) => number
  /** The number of the first child, where the children are numbered. */
  readonly firstNumber?: (attributes: StoredAttributes) => number
  /** What stands before it where two texts are compared, in place of what a style sheet draws. */
  readonly sign?: (attributes: StoredAttributes) => string
}

export interface NodeStrings {
  /** In a sentence: "paragraph → quote". */
  readonly kind: (attributes: StoredAttributes) => string
  /** In the toolbar and among the commands. */
  readonly name?: string
  /** Other words that people search for. */
  readonly words?: string
}

export interface MarkDefinition {
  readonly name: string
  readonly schema: MarkSpec
  readonly strings: MarkStrings
}

interface MarkStrings {
  /** In a sentence: "was plain, now bold". */
  readonly kind: string
  readonly name: string
}

/** Attributes as they are stored. Anybody who may write can have written them: trust none. */
export type StoredAttributes = Readonly<Record<string, unknown>>
