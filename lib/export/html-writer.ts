/** Writes blocks and letters as HTML. It knows the schema and where comments stand; html-blocks.ts knows what a page draws otherwise. */
import { definitionOf } from '../blocks/blocks.ts'
import { drawBlock, drawMark } from '../blocks/draw.ts'
import { headingsOf } from '../text/headings.ts'
import { safeHref } from '../text/link-address.ts'
import { isTextBlock } from '../text/plain-text.ts'
import { type Block, blocksAmong, type TextMarks, type TreeNode } from '../text/tree.ts'
import { MAX_EMBEDDED_BYTES, OutputCount } from './export-limits.ts'
import { type ExportSource, fileUrlOf, fullUrlOf } from './export-source.ts'
import { escapeHtml, type HtmlFields, writeElement, writeSpec } from './html-spec.ts'
import { commentEdgesIn, inlinePiecesOf, type InlinePiece, shownMarksOf } from './inline-pieces.ts'

export type BlockHtml = (block: Block, writer: HtmlWriter) => string

/** Stands around the id of a file whose bytes belong there: no letter of a text is a NUL once it is escaped. */
export const FILE_SIGN = '\0'

export class HtmlWriter {
  readonly source: ExportSource
  readonly #blocks: Readonly<Record<string, BlockHtml>>
  readonly #count = new OutputCount()
  readonly #edges
  readonly #headings: ReadonlyMap<Block, string>
  #embeddedBytes = 0

  /** @param blocks What draws a block, by its name, in place of the schema. */
  constructor(source: ExportSource, blocks: Readonly<Record<string, BlockHtml>>) {
    this.source = source
    this.#blocks = blocks
    this.#edges = commentEdgesIn(source.blocks, source.threads)
    this.#headings = new Map(headingsOf(source.blocks).map(({ block }, at) => [block, `section-${at + 1}`]))
  }

  /** Undefined for what is no heading. */
  anchorOf(block: Block): string | undefined {
    return this.#headings.get(block)
  }

  /** Counts what a block makes beside its own element. @throws {ExportTooLarge} */
  counted(html: string): string {
    return this.#count.add(html)
  }

  blocks(nodes: readonly TreeNode[]): string {
    return blocksAmong(nodes)
      .map((block) => this.block(block))
      .join('\n')
  }

  block(block: Block): string {
    const write = Object.hasOwn(this.#blocks, block.name) ? this.#blocks[block.name] : undefined
    return write ? write(block, this) : this.drawn(block)
  }

  /** As the schema draws it. The blocks within a block of another program stand for it. */
  drawn(block: Block, fields: HtmlFields = {}): string {
    const definition = definitionOf(block.name)
    const content = this.content(block)
    if (definition) {
      const id = this.anchorOf(block)
      return writeSpec(drawBlock(definition, block.attributes), content, { ...fields, ...(id && { id }) })
    }
    return isTextBlock(block) ? writeElement('p', {}, content) : content
  }

  content(block: Block): string {
    return isTextBlock(block) ? this.letters(block) : this.blocks(block.children)
  }

  letters(block: Block): string {
    // In a block of code a line end is one.
    const lineEnd = definitionOf(block.name)?.schema.code ? '\n' : '<br>'
    const html = inlinePiecesOf(block, this.#edges)
      .map((piece) => this.#count.add(this.#piece(piece, lineEnd)))
      .join('')
    // A browser shows no line end at the end of a block.
    return html.endsWith('<br>') ? `${html}<br>` : html
  }

  #piece(piece: InlinePiece, lineEnd: string): string {
    switch (piece.kind) {
      case 'letters':
        return this.#marked(escapeHtml(piece.text).replaceAll(/\r\n?|\n/g, lineEnd), piece.marks)
      case 'node':
        return this.#marked(this.block(piece.node), piece.marks)
      case 'comment start':
        return ''
      case 'comment end': {
        const number = piece.thread + 1
        return `<sup class="comment-number"><a id="comment-${number}-place" href="#comment-${number}">[${number}]</a></sup>`
      }
    }
  }

  #marked(html: string, applied: TextMarks): string {
    return shownMarksOf(applied).reduceRight((inner, { definition, attributes }) => {
      const { href } = attributes
      const isLink = typeof href === 'string' && safeHref(href) !== null
      const drawn = isLink ? { ...attributes, href: fullUrlOf(this.source, href) } : attributes
      return writeSpec(drawMark(definition, drawn), inner)
    }, html)
  }

  /** Where a picture is read from, as HTML: its bytes stand in the page as long as there is room. Null where nobody has it. */
  pictureSource(file: string): string | null {
    const found = this.source.files.get(file)
    if (!found || !/^image\/[\w.+-]+$/.test(found.type)) return null
    if (this.#embeddedBytes + found.bytes > MAX_EMBEDDED_BYTES)
      return escapeHtml(fileUrlOf(this.source, file))
    this.#embeddedBytes += found.bytes
    return `data:${found.type};base64,${FILE_SIGN}${file}${FILE_SIGN}`
  }
}
