/** Writes a document as plain text: its letters, with the signs of lists, tasks and quotes, and tabs between the cells of a table. */
import { definitionOf } from '../blocks/blocks.ts'
import type { StoredAttributes } from '../blocks/definitions.ts'
import { calloutKindOf, calloutNames } from '../blocks/callout/callout-kinds.ts'
import { fileLabelOf } from '../blocks/file-card/file-card.ts'
import { link } from '../blocks/link/link.ts'
import { cardAddressOf } from '../blocks/link-card/link-card.ts'
import { altTextOf } from '../blocks/picture/picture-attributes.ts'
import { isTaskDone } from '../blocks/task-list/is-task-done.ts'
import { exportStrings } from '../strings/export.ts'
import { headingsOf } from '../text/headings.ts'
import { safeHref } from '../text/link-address.ts'
import { isTextBlock, shownTextOf } from '../text/plain-text.ts'
import {
  type Block,
  blocksAmong,
  isTextNode,
  type TextMarks,
  type TextRun,
  type TreeNode,
} from '../text/tree.ts'
import { OutputCount } from './export-limits.ts'
import type { ExportSource } from './export-source.ts'

export function writeText(source: ExportSource): string {
  const writer = new TextWriter(source)
  const lines = writer.blocks(source.blocks).join('\n')
  return [source.title, lines].filter((part) => part !== '').join('\n\n') + '\n'
}

/** A block is written as its lines. */
type LineWriter = (block: Block, writer: TextWriter) => string[]

class TextWriter {
  readonly #count = new OutputCount()
  readonly #source: ExportSource

  constructor(source: ExportSource) {
    this.#source = source
  }

  /** An empty line stands between two blocks that are no items of a list. */
  blocks(nodes: readonly TreeNode[]): string[] {
    return blocksAmong(nodes).flatMap((block, at) => {
      const lines = this.lines(block)
      return at === 0 || lines.length === 0 ? lines : ['', ...lines]
    })
  }

  lines(block: Block): string[] {
    const write = Object.hasOwn(lineWriters, block.name) ? lineWriters[block.name] : undefined
    if (write) return write(block, this)
    return isTextBlock(block) ? this.letters(block) : this.blocks(block.children)
  }

  letters({ children }: Block): string[] {
    const letters = children.map((node) => (isTextNode(node) ? withAddresses(node.runs) : shownTextOf(node)))
    return this.#count.add(letters.join('')).split(/\r\n?|\n/)
  }

  /** Puts a sign before the first line, and as many spaces before the others. */
  marked(sign: string, lines: readonly string[], rest = ' '.repeat(sign.length)): string[] {
    return (lines.length === 0 ? [''] : lines).map((line, at) =>
      this.#count.add((at === 0 ? sign : rest) + line).trimEnd(),
    )
  }

  contents(): string[] {
    return headingsOf(this.#source.blocks).map(({ level, text }) =>
      this.#count.add('  '.repeat(level - 1) + text),
    )
  }
}

/** A link is followed by its address, unless it is its own. */
const withAddresses = (runs: readonly TextRun[]): string =>
  runs
    .map(({ text, marks }, at) => {
      const address = hrefOf(marks)
      const isLast = hrefOf(runs[at + 1]?.marks ?? {}) !== address
      return address === null || !isLast || text === address ? text : `${text} <${address}>`
    })
    .join('')

function hrefOf({ [link.name]: value }: TextMarks): string | null {
  return typeof value === 'object' && value !== null ? safeHref((value as StoredAttributes)['href']) : null
}

/** The lines of an item: a list within it stands right below its line. */
const itemLines = ({ children }: Block, writer: TextWriter): string[] =>
  blocksAmong(children).flatMap((block) => writer.lines(block))

const writeItems =
  (signOf: (item: Block, at: number, list: Block) => string): LineWriter =>
  (list, writer) =>
    blocksAmong(list.children).flatMap((item, at) =>
      writer.marked(signOf(item, at, list), itemLines(item, writer)),
    )

const firstNumberOf = ({ name, attributes }: Block): number =>
  definitionOf(name)?.firstNumber?.(attributes) ?? 1

const writeTable: LineWriter = (table, writer) =>
  blocksAmong(table.children).map((row) =>
    blocksAmong(row.children)
      .map((cell) => writer.blocks(cell.children).join(' ').replaceAll(/\s+/g, ' ').trim())
      .join('\t'),
  )

const withCaption = (sign: string, block: Block, writer: TextWriter): string[] => {
  const caption = writer.blocks(block.children).join(' ').trim()
  return writer.marked('', [[sign, caption].filter((part) => part !== '').join(' ')])
}

const lineWriters: Readonly<Record<string, LineWriter>> = {
  bulletList: writeItems(() => '- '),
  orderedList: writeItems((_item, at, list) => `${firstNumberOf(list) + at}. `),
  taskList: writeItems(({ attributes }) => (isTaskDone(attributes) ? '[x] ' : '[ ] ')),
  blockquote: (block, writer) => writer.marked('> ', writer.blocks(block.children), '> '),
  callout(block, writer) {
    const name = calloutNames[calloutKindOf(block.attributes)]
    return writer.marked('> ', [`${name}:`, ...writer.blocks(block.children)], '> ')
  },
  blockMath: (block, writer) => writer.marked('', shownTextOf(block).split('\n')),
  table: writeTable,
  picture: (block, writer) =>
    withCaption(`[${exportStrings.pictureNamed(altTextOf(block.attributes) ?? '')}]`, block, writer),
  fileCard: (block, writer) => withCaption(`[${fileLabelOf(block.attributes)}]`, block, writer),
  linkCard(block, writer) {
    const address = cardAddressOf(block.attributes)
    const caption = writer.blocks(block.children).join(' ').trim()
    return writer.marked('', [[caption, address && `<${address}>`].filter(Boolean).join(' ')])
  },
  horizontalRule: () => ['* * *'],
  tableOfContents: (_block, writer) => writer.contents(),
}
