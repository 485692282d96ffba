/**
 * Writes the text as Markdown (CommonMark with GitHub's extensions). Where Markdown has no form: an empty paragraph and spaces at the
 * ends of a line are left out, a line break within a heading is a space, and underlined letters stand within `<u>`.
 */
import type { BlockContent, Heading, List, ListItem, PhrasingContent, Root } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { codeLanguageOf } from '../blocks/code-block/code-block.ts'
import { headingLevelOf } from '../blocks/heading/heading.ts'
import { listStartOf } from '../blocks/ordered-list/ordered-list.ts'
import { isTaskDone } from '../blocks/task-list/task-list.ts'
import { safeHref } from './link-address.ts'
import { isTextBlock, blockTextOf } from './plain-text.ts'
import { type Block, isTextNode, type TextMarks, type TreeNode, type TextRun } from './tree.ts'

export const markdownOf = (blocks: readonly Block[]): string => writeMarkdown(mdastOf(blocks))

/** The title of a document, as a heading of the first level. */
export const markdownTitleOf = (title: string): string =>
  title === '' ? '' : writeMarkdown({ type: 'heading', depth: 1, children: [{ type: 'text', value: title }] })

const writeMarkdown = (tree: Root | Heading): string =>
  toMarkdown(tree, {
    extensions: [gfmToMarkdown()],
    bullet: '-',
    bulletOther: '+',
    rule: '*',
    resourceLink: true,
  })

/** Builds the tree that a parser makes of the Markdown. */
export const mdastOf = (blocks: readonly Block[]): Root => ({
  type: 'root',
  children: blocks.flatMap(flowContentOf),
})

const flowContentOf = (block: Block): BlockContent[] => {
  const write = Object.hasOwn(blockWriters, block.name) ? blockWriters[block.name] : undefined
  if (write) return write(block)
  return isTextBlock(block) ? paragraphOf(block) : flowContentIn(block)
}

const flowContentIn = ({ children }: Block): BlockContent[] =>
  children.flatMap((node) => (isTextNode(node) ? [] : flowContentOf(node)))

const blockWriters: Readonly<Record<string, (block: Block) => BlockContent[]>> = {
  heading: (block) => [mdastHeadingOf(block)],
  blockquote: (block) => [{ type: 'blockquote', children: flowContentIn(block) }],
  codeBlock: (block) => [
    { type: 'code', lang: codeLanguageOf(block.attributes), value: normaliseLineEnds(blockTextOf(block)) },
  ],
  horizontalRule: () => [{ type: 'thematicBreak' }],
  bulletList: (block) => listOf(block, { ordered: false }),
  orderedList: (block) => listOf(block, { ordered: true, start: listStartOf(block.attributes) }),
  taskList: (block) => listOf(block, { ordered: false }),
}

function paragraphOf(block: Block): BlockContent[] {
  const children = phrasingOf(block.children)
  return children.length > 0 ? [{ type: 'paragraph', children }] : []
}

const mdastHeadingOf = (block: Block): Heading => ({
  type: 'heading',
  depth: headingLevelOf(block.attributes) as Heading['depth'],
  children: phrasingOf(block.children, { type: 'text', value: ' ' }),
})

function listOf(block: Block, kind: Pick<List, 'ordered' | 'start'>): BlockContent[] {
  const items = block.children.flatMap((node) => (isTextNode(node) ? [] : [listItemOf(node)]))
  const spread = !items.every(({ children }) => isTight(children))
  return items.length > 0 ? [{ type: 'list', ...kind, spread, children: items }] : []
}

/** Whether an item's lines can stand without empty ones between them: a single line, with tight lists under it. */
const isTight = (children: ListItem['children']): boolean =>
  children.every((child, at) =>
    at === 0 ? child.type === 'paragraph' : child.type === 'list' && child.spread === false,
  )

function listItemOf(block: Block): ListItem {
  const children = flowContentIn(block)
  if (block.name !== 'taskItem') return createListItem(children)
  // A checkbox needs letters after it, or it is not read as one.
  if (children[0]?.type !== 'paragraph')
    children.unshift({ type: 'paragraph', children: [{ type: 'text', value: ' ' }] })
  return { ...createListItem(children), checked: isTaskDone(block.attributes) }
}

const createListItem = (children: BlockContent[]): ListItem => ({
  type: 'listItem',
  spread: !isTight(children),
  children,
})

/** One run of letters with its marks, or an element between two runs. */
interface InlinePiece {
  readonly marks: TextMarks
  readonly node: PhrasingContent
}

const lineBreak: PhrasingContent = { type: 'break' }

function phrasingOf(nodes: readonly TreeNode[], between = lineBreak): PhrasingContent[] {
  const space: InlinePiece = { marks: {}, node: between }
  const pieces = nodes.flatMap((node) =>
    isTextNode(node) ? node.runs.flatMap((run) => piecesOf(run, space)) : [space],
  )
  const written = withoutOuterSpaces(pieces.flatMap(splitOuterSpaces).map(withSharedMarks))
  // At the end of a paragraph a break has no effect.
  while (written.at(-1)?.node === lineBreak) written.pop()
  return mergeAdjacent(wrapPieces(written, wrappers))
}

function piecesOf({ text, marks }: TextRun, between: InlinePiece): InlinePiece[] {
  const lines = normaliseLineEnds(text)
  if ('code' in marks) return [{ marks, node: { type: 'inlineCode', value: lines.replaceAll('\n', ' ') } }]
  return lines.split('\n').flatMap((value, at) => {
    const line: InlinePiece[] = value === '' ? [] : [{ marks, node: { type: 'text', value } }]
    return at === 0 ? line : [between, ...line]
  })
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

/** A parser knows one kind of line end, and no NUL. */
const normaliseLineEnds = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')

interface Wrapper {
  /** Neighbouring pieces with the same key share a node; pieces without a key get none. */
  key(marks: TextMarks): string | null
  wrap(children: PhrasingContent[], key: string): PhrasingContent[]
}

const markWrapper = (name: string, type: 'delete' | 'emphasis' | 'strong'): Wrapper => ({
  key: (marks) => (name in marks ? name : null),
  wrap: (children) => [{ type, children }],
})

/** From the outermost to the innermost. */
const wrappers: readonly Wrapper[] = [
  {
    key: addressOf,
    wrap: (children, url) => [{ type: 'link', url, children }],
  },
  markWrapper('strike', 'delete'),
  markWrapper('italic', 'emphasis'),
  markWrapper('bold', 'strong'),
  {
    key: (marks) => ('underline' in marks ? 'u' : null),
    wrap: (children) => [{ type: 'html', value: '<u>' }, ...children, { type: 'html', value: '</u>' }],
  },
]

function addressOf({ link }: TextMarks): string | null {
  const { href } = (link ?? {}) as { href?: unknown }
  // The browser reads it in this way.
  return (
    safeHref(href)
      ?.replaceAll(/[\t\n\r]/g, '')
      .trim() ?? null
  )
}

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
