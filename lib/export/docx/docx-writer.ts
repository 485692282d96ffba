/**
 * Writes blocks as paragraphs and tables of Word, which has no blocks within blocks: a place says what stands around a paragraph. A block
 * that has no form there is written as its lines.
 */
import { BorderStyle, type IParagraphOptions, Paragraph, type ParagraphChild, type Table } from 'docx'
import { headingsOf } from '../../text/headings.ts'
import { blockTextOf, isTextBlock } from '../../text/plain-text.ts'
import { type Block, blocksAmong, isTextNode, type TreeNode } from '../../text/tree.ts'
import { OutputCount } from '../export-limits.ts'
import type { ExportSource } from '../export-source.ts'
import { type CommentEdges, commentEdgesIn } from '../inline-pieces.ts'
import { isFromRight, type LetterContext, writeLetters } from './docx-letters.ts'
import { DocxLists } from './docx-lists.ts'
import { alignmentFields, type DocxPlace } from './docx-place.ts'

export type WrittenBlock = Paragraph | Table

export type BlockWriter = (block: Block, place: DocxPlace, writer: DocxWriter) => WrittenBlock[]

interface DocxContent {
  readonly source: ExportSource
  readonly commentIds: LetterContext['commentIds']
}

/** In pixels: a page of A4 with margins of an inch. */
const PAGE_WIDTH = 602

/** As many as Word opens within seconds. */
const MAX_UNITS = 8 * 1024 * 1024
const UNITS_OF_BLOCK = ' '.repeat(40)

export class DocxWriter {
  readonly source: ExportSource
  readonly lists = new DocxLists()
  readonly anchors: ReadonlyMap<Block, string>
  readonly #blocks: Readonly<Record<string, BlockWriter>>
  readonly #count = new OutputCount(MAX_UNITS)
  readonly #letters: LetterContext

  /** @param blocks How each block is written, by its name. */
  constructor({ source, commentIds }: DocxContent, blocks: Readonly<Record<string, BlockWriter>>) {
    this.source = source
    this.#blocks = blocks
    this.anchors = new Map(headingsOf(source.blocks).map(({ block }, at) => [block, `section_${at + 1}`]))
    const edges: CommentEdges = commentEdgesIn(source.blocks, source.threads)
    this.#letters = { source, edges, commentIds, count: (piece) => this.#count.add(piece) }
  }

  write(): WrittenBlock[] {
    return this.blocks(this.source.blocks, { indent: 0, depth: 0, width: PAGE_WIDTH })
  }

  blocks(nodes: readonly TreeNode[], place: DocxPlace): WrittenBlock[] {
    return blocksAmong(nodes).flatMap((block) => this.block(block, place))
  }

  block(block: Block, place: DocxPlace): WrittenBlock[] {
    this.#count.add(UNITS_OF_BLOCK)
    const write = Object.hasOwn(this.#blocks, block.name) ? this.#blocks[block.name] : undefined
    if (write) return write(block, place, this)
    if (isTextBlock(block) || block.children.some(isTextNode)) return [this.line(block, place)]
    return this.blocks(block.children, place)
  }

  /** A paragraph with the letters of a block. */
  line(block: Block, place: DocxPlace, { before = [], ...options }: LineOptions = {}): Paragraph {
    const { run, ...fields } = options
    const children = [...before, ...writeLetters(block, this.#letters, run ?? {})]
    return this.paragraph({ ...alignmentFields(block), ...fields, children }, place, blockTextOf(block))
  }

  letters(block: Block): ParagraphChild[] {
    return writeLetters(block, this.#letters)
  }

  paragraph(options: IParagraphOptions, { indent, bar, fill, style }: DocxPlace, text = ''): Paragraph {
    return new Paragraph({
      ...(indent > 0 && !options.numbering && { indent: { start: indent } }),
      ...(bar !== undefined && {
        border: { left: { style: BorderStyle.SINGLE, size: 18, space: 8, color: bar } },
      }),
      ...(fill !== undefined && { shading: { fill } }),
      ...(isFromRight(text) && { bidirectional: true }),
      ...(style !== undefined && !options.heading && { style }),
      ...options,
    })
  }
}

interface LineOptions extends Omit<IParagraphOptions, 'children' | 'text' | 'run'> {
  /** What stands before its letters. */
  readonly before?: readonly ParagraphChild[]
  readonly run?: Parameters<typeof writeLetters>[2]
}
