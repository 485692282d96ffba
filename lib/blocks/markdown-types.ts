/** How a definition writes Markdown and reads it. Knows the trees of mdast; does not know the parser, which is loaded late. */
import type { BlockContent, Nodes, PhrasingContent, RootContent } from 'mdast'
import type { Unsafe } from 'mdast-util-to-markdown'
import type { Block } from '../text/tree.ts'
import type { JsonNode } from './json-node.ts'

export interface MarkdownWriter {
  blocksIn(block: Block): BlockContent[]
  /** @param lineBreak What stands for a line break, where Markdown allows none. */
  phrasingIn(block: Block, lineBreak?: PhrasingContent): PhrasingContent[]
  /** Letters and marks as HTML, on one line. */
  htmlIn(block: Block): string
  /** Of each text block within a block, whatever it is. */
  linesIn(block: Block, lineBreak: PhrasingContent): PhrasingContent[][]
  /** The letters, with line ends as Markdown has them. */
  lettersOf(block: Block): string
}

export interface MarkdownReader {
  /** How many elements the text has no place for. */
  readonly lost: { table: number; image: number }
  blocks(nodes: readonly RootContent[]): JsonNode[]
  inline(nodes: readonly PhrasingContent[]): JsonNode[]
  /** Reads letters and marks in HTML. */
  inlineHtml(html: string): JsonNode[]
  sourceOf(node: Nodes): string
  /** The source without what stands before its lines in a quote or an item. */
  linesOf(node: Nodes): string[]
  /** Reads one line by itself. What would begin a list or a heading is letters in it. */
  inlineOf(source: string): JsonNode[]
  /** Counts an image that the text does not show. */
  countLostImage(): void
  /** The address that a reference leads to; empty where there is none. */
  addressOf(identifier: string): string
}

export type MarkdownRule<Node extends Nodes, Result> = (node: Node, reader: MarkdownReader) => Result

export type UnsafeLetters = Pick<Unsafe, 'character' | 'before' | 'after'>

/** By the type of the parser's nodes. */
type MarkdownRules<Node extends Nodes, Result> = {
  readonly [Type in Node['type']]?: MarkdownRule<Extract<Node, { type: Type }>, Result>
}

/** Without `write`, the blocks within a block stand for it, or a paragraph of its letters. */
export interface NodeMarkdown {
  readonly write?: (block: Block, writer: MarkdownWriter) => BlockContent[]
  /** Before siblings are read: makes one node of several that stand for one block. */
  readonly group?: (nodes: readonly RootContent[]) => readonly RootContent[]
  /**
   * For what stands among letters: a line break, where there is none. Its marks are written around it.
   * @param isWithinWord Whether a letter, a digit, a dollar or another such node stands right beside it.
   */
  readonly writeInline?: (block: Block, writer: MarkdownWriter, isWithinWord: boolean) => PhrasingContent[]
  /** The same for what stands among letters. */
  readonly groupInline?: (nodes: readonly PhrasingContent[]) => readonly PhrasingContent[]
  /** A rule returns null for what another block is meant by: the blocks are asked in their order. */
  readonly read?: MarkdownRules<RootContent, readonly JsonNode[] | null>
  /** For what stands among letters. Marks around it become its own. */
  readonly readInline?: MarkdownRules<PhrasingContent, readonly JsonNode[] | null>
  /** Where letters would be read as such a node, and are escaped. */
  readonly unsafe?: UnsafeLetters
}

export interface MarkMarkdown {
  /** Null where these attributes make no mark. Neighbouring letters with the same key share a node. */
  readonly keyOf?: (attributes: Readonly<Record<string, unknown>>) => string | null
  readonly wrap?: (children: PhrasingContent[], key: string) => PhrasingContent[]
  /** For a mark in which letters stand as they are. */
  readonly writeLetters?: (letters: string) => PhrasingContent
  /** The attributes of the mark; null where the letters stay without it. */
  readonly read?: MarkdownRules<PhrasingContent, Readonly<Record<string, unknown>> | null>
  /** The name of the HTML element that stands for it. */
  readonly tag?: string
  /** The attributes of the mark, from those of the element. */
  readonly readTag?: (source: string) => Readonly<Record<string, unknown>>
  /** Finds it within letters, with one group for what is marked. The parser leaves GitHub's extensions there. */
  readonly fenced?: RegExp
  /** Where letters would be read as such a fence, and are escaped. */
  readonly unsafe?: UnsafeLetters
}
