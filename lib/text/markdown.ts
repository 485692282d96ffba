/**
 * Writes the text as Markdown (CommonMark with GitHub's extensions). Where Markdown has no form: an empty paragraph and spaces at the
 * ends of a line are left out, a line break within a heading is a space, and underlined letters stand within `<u>`. The cells of a table
 * are not padded: one long cell would make all others of its column as long.
 */
import type { BlockContent, Heading, Literal, Nodes, PhrasingContent, Root } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { blockMarkdown, markdownOfBlock, markMarkdown } from '../blocks/markdown.ts'
import type { MarkdownWriter } from '../blocks/markdown-types.ts'
import { writeInlineHtml } from './inline-html.ts'
import { isTextBlock, blockTextOf, textBlocksOf, textOfNode } from './plain-text.ts'
import { type Block, isTextNode, nodeMarksOf, type TextMarks, type TreeNode, type TextRun } from './tree.ts'

/** Written as it is. */
interface Verbatim extends Literal {
  type: 'verbatim'
}

declare module 'mdast' {
  interface PhrasingContentMap {
    verbatim: Verbatim
  }
  interface RootContentMap {
    verbatim: Verbatim
  }
}

export const markdownOf = (blocks: readonly Block[]): string => writeMarkdown(mdastOf(blocks))

/** The title of a document, as a heading of the first level. */
export const markdownTitleOf = (title: string): string =>
  title === '' ? '' : writeMarkdown({ type: 'heading', depth: 1, children: [{ type: 'text', value: title }] })

export const writeMarkdown = (tree: Root | Heading): string =>
  toMarkdown(keepBreaks(tree), {
    handlers: { verbatim: ({ value }: Verbatim) => value },
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
    unsafe: unsafePatterns,
    bullet: '-',
    bulletOther: '+',
    rule: '*',
    resourceLink: true,
  })

/**
 * The writer replaces the end of a line before HTML by a space, since some HTML begins a block there, and so leaves the backslash of the
 * break. What is written as HTML among letters here begins none: formulas, dates and marks.
 */
const keepBreaks = <Parent extends Nodes>(parent: Parent): Parent =>
  'children' in parent
    ? {
        ...parent,
        children: parent.children.map((node, at) =>
          node.type === 'html' && parent.children[at - 1]?.type === 'break'
            ? { type: 'verbatim', value: node.value }
            : keepBreaks(node),
        ),
      }
    : parent

/** Among letters, and not where an escape would be read as part of an address. */
const unsafePatterns = [...markMarkdown, ...blockMarkdown].flatMap(({ unsafe }) =>
  unsafe
    ? [
        {
          ...unsafe,
          inConstruct: 'phrasing' as const,
          notInConstruct: ['autolink' as const, 'destinationLiteral' as const, 'destinationRaw' as const],
        },
      ]
    : [],
)

/** Builds the tree that a parser makes of the Markdown. */
export const mdastOf = (blocks: readonly Block[]): Root => ({
  type: 'root',
  children: blocks.flatMap(flowContentOf),
})

const flowContentOf = (block: Block): BlockContent[] => {
  const write = markdownOfBlock(block.name)?.write
  if (write) return write(block, writer)
  return isTextBlock(block) ? paragraphOf(block) : flowContentIn(block)
}

const flowContentIn = ({ children }: Block): BlockContent[] =>
  children.flatMap((node) => (isTextNode(node) ? [] : flowContentOf(node)))

function paragraphOf(block: Block): BlockContent[] {
  const children = phrasingIn(block)
  return children.length > 0 ? [{ type: 'paragraph', children }] : []
}

/** One run of letters with its marks, or an element between two runs. */
interface InlinePiece {
  readonly marks: TextMarks
  readonly node: PhrasingContent
}

const lineBreak: PhrasingContent = { type: 'break' }

function phrasingIn({ children }: Block, between = lineBreak): PhrasingContent[] {
  const space: InlinePiece = { marks: {}, node: between }
  const pieces = children.flatMap((node: TreeNode, at) =>
    isTextNode(node)
      ? node.runs.flatMap((run) => piecesOf(run, space))
      : (inlinePiecesOf(node, isBesideLetter(children, at)) ?? [space]),
  )
  const written = withoutOuterSpaces(pieces.flatMap(splitOuterSpaces).map(withSharedMarks))
  // At the end of a paragraph a break has no effect.
  while (written.at(-1)?.node === lineBreak) written.pop()
  return mergeAdjacent(wrapPieces(written, wrappers))
}

/** Whether a letter, a digit, a dollar or another such node stands right before or after one. */
function isBesideLetter(nodes: readonly TreeNode[], at: number): boolean {
  const [before, after] = [nodes[at - 1], nodes[at + 1]].map((node) => (node ? textOfNode(node) : ''))
  return /[\w$\\\uFFFC]$/.test(before!) || /^[\w$\uFFFC]/.test(after!)
}

function piecesOf({ text, marks }: TextRun, between: InlinePiece): InlinePiece[] {
  const lines = normaliseLineEnds(text)
  const literal = literalMarks.find(({ name }) => name in marks)
  if (literal) return [{ marks, node: literal.writeLetters(lines.replaceAll('\n', ' ')) }]
  return lines.split('\n').flatMap((value, at) => {
    const line: InlinePiece[] = value === '' ? [] : [{ marks, node: { type: 'text', value } }]
    return at === 0 ? line : [between, ...line]
  })
}

/** Null for a line break, and for what no definition writes. */
function inlinePiecesOf(block: Block, isWithinWord: boolean): InlinePiece[] | null {
  const written = markdownOfBlock(block.name)?.writeInline?.(block, writer, isWithinWord)
  const marks = nodeMarksOf(block)
  return written?.map((node) => ({ marks, node })) ?? null
}

/** Splits off the spaces at either end as pieces of their own. */
function splitOuterSpaces({ marks, node }: InlinePiece): InlinePiece[] {
  if (node.type !== 'text') return [{ marks, node }]
  const values = node.value.split(/(?<=^\s+)(?=\S)|(?<=\S)(?=\s+$)/)
  return values.map((value) => ({ marks, node: value === node.value ? node : { type: 'text', value } }))
}

const isSpace = ({ node }: InlinePiece): boolean => node.type === 'text' && node.value.trim() === ''

/** Gives spaces the marks that the letters on both sides share: bold must end with a letter, or it would need `&#x20;`. */
function withSharedMarks(piece: InlinePiece, at: number, pieces: readonly InlinePiece[]): InlinePiece {
  if (!isSpace(piece)) return piece
  let [before, after] = [at - 1, at + 1]
  while (pieces[before] && isSpace(pieces[before]!)) before--
  while (pieces[after] && isSpace(pieces[after]!)) after++
  const sides = [pieces[before]?.marks ?? {}, pieces[after]?.marks ?? {}]
  const shared = Object.entries(piece.marks).filter(([name, value]) =>
    sides.every((marks) => name in marks && JSON.stringify(marks[name]) === JSON.stringify(value)),
  )
  return { ...piece, marks: Object.fromEntries(shared) }
}

/** Drops spaces at both ends of a line, as a parser does. */
function withoutOuterSpaces(pieces: readonly InlinePiece[]): InlinePiece[] {
  const isOuter = (piece: InlinePiece): boolean => piece.node !== lineBreak && isSpace(piece)
  const result: InlinePiece[] = []
  for (const piece of pieces) {
    const isFirst = result.length === 0 || result.at(-1)?.node === lineBreak
    if (piece.node === lineBreak) while (result.length > 0 && isOuter(result.at(-1)!)) result.pop()
    if (!isFirst || !isOuter(piece)) result.push(piece)
  }
  while (result.length > 0 && isOuter(result.at(-1)!)) result.pop()
  return result
}

const writer: MarkdownWriter = {
  blocksIn: flowContentIn,
  phrasingIn,
  htmlIn: writeInlineHtml,
  linesIn: (block, between) => textBlocksOf([block]).map((line) => phrasingIn(line, between)),
  lettersOf: (block) => normaliseLineEnds(blockTextOf(block)),
}

/** A parser knows one kind of line end, and no NUL. */
const normaliseLineEnds = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')

interface Wrapper {
  /** Neighbouring pieces with the same key share a node; pieces without a key get none. */
  key(marks: TextMarks): string | null
  wrap(children: PhrasingContent[], key: string): PhrasingContent[]
}

/** From the outermost to the innermost. */
const wrappers: readonly Wrapper[] = markMarkdown.flatMap(({ name, keyOf, wrap }) =>
  wrap
    ? [{ wrap, key: (marks) => (name in marks ? (keyOf ? keyOf(recordOf(marks[name])) : name) : null) }]
    : [],
)

const literalMarks = markMarkdown.flatMap(({ name, writeLetters }) =>
  writeLetters ? [{ name, writeLetters }] : [],
)

/** Another program may write anything as the attributes of a mark. */
const recordOf = (value: unknown): TextMarks =>
  typeof value === 'object' && value !== null ? (value as TextMarks) : {}

function wrapPieces(
  pieces: readonly InlinePiece[],
  [wrapper, ...inner]: readonly Wrapper[],
): PhrasingContent[] {
  if (!wrapper) return pieces.map(({ node }) => node)
  return groupsOf(pieces, wrapper).flatMap(({ key, pieces: group }) => {
    const children = wrapPieces(group, inner)
    return key === null ? children : wrapper.wrap(mergeAdjacent(children), key)
  })
}

interface WrappedGroup {
  readonly key: string | null
  readonly pieces: InlinePiece[]
}

function groupsOf(pieces: readonly InlinePiece[], { key: keyOf }: Wrapper): WrappedGroup[] {
  const groups: WrappedGroup[] = []
  for (const piece of pieces) {
    const [key, last] = [keyOf(piece.marks), groups.at(-1)]
    if (last?.key === key) last.pieces.push(piece)
    else groups.push({ key, pieces: [piece] })
  }
  return groups
}

/** Makes one node of neighbouring letters, as a parser does. */
function mergeAdjacent(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const result: PhrasingContent[] = []
  for (const node of nodes) {
    const last = result.at(-1)
    const mergeable = last?.type === node.type && (node.type === 'text' || node.type === 'inlineCode')
    if (mergeable)
      result[result.length - 1] = { type: node.type, value: (last as typeof node).value + node.value }
    else result.push(node)
  }
  return result
}
