/**
 * Reads Markdown into blocks of the text: both what markdown.ts writes and what other people write. The definitions of blocks and marks
 * say what becomes of each of the parser's nodes. Knows no editor. Of GitHub's extensions it reads tasks, `~~` and tables.
 */
import type { Definition, Image, ImageReference, Nodes, PhrasingContent, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { excludesMark } from '../blocks/blocks.ts'
import type { JsonMark, JsonNode } from '../blocks/json-node.ts'
import { blockMarkdown, markMarkdown } from '../blocks/markdown.ts'
import type { MarkdownReader, MarkdownRule } from '../blocks/markdown-types.ts'
import { readInlineHtml } from './inline-html.ts'
import { isFullAddress } from './link-address.ts'
import { type MarkdownLimits, parseMarkdownTree } from './markdown-tree.ts'
import { fenceBlockMath, mathOptions } from './math-syntax.ts'

export interface ParsedMarkdown {
  readonly blocks: readonly JsonNode[]
  /** How many elements the text has no place for. The lines of a table that is too large are among the blocks, a paragraph each. */
  readonly lost: { readonly table: number; readonly image: number }
}

/** @param convert Changes what the parser has made of the source, before it is read into blocks. @throws {TooMuchMarkdown} past the limits. */
export function parseMarkdown(
  source: string,
  convert?: (root: Root) => void,
  limits?: MarkdownLimits,
): ParsedMarkdown {
  // The parser leaves out a byte order mark, and counts its positions without it.
  const fenced = fenceBlockMath(source.replace(/^\uFEFF/, ''))
  const parser = new MarkdownParser(fenced)
  const root = parseMarkdownTree(fenced, limits)
  convert?.(root)
  return { blocks: parser.blocks(root.children), lost: parser.lost }
}

/**
 * The limit of quotes and lists within each other. An edit may have types 100 deep, and a list takes two a level; what is deeper becomes
 * text.
 */
const MAX_DEPTH = 20

/** Put before a line that is parsed by itself. */
const LINE_START = 'a '

class MarkdownParser implements MarkdownReader {
  readonly lost = { table: 0, image: 0 }
  readonly inlineHtml = readInlineHtml
  readonly #source: string
  readonly #definitions: Map<string, Definition>
  #depth = 0

  constructor(source: string, definitions = new Map<string, Definition>()) {
    this.#source = source
    this.#definitions = definitions
  }

  blocks(nodes: readonly RootContent[]): JsonNode[] {
    for (const node of nodes) if (node.type === 'definition') this.#definitions.set(node.identifier, node)
    this.#depth++
    const read = groupNodes(nodes).flatMap((node) =>
      this.#depth > MAX_DEPTH ? this.#sourceParagraph(node) : this.#blockOf(node),
    )
    this.#depth--
    return read
  }

  #sourceParagraph(node: RootContent): JsonNode[] {
    return [{ type: 'paragraph', content: textNodesOf(this.sourceOf(node).replaceAll('\n', ' ')) }]
  }

  #blockOf(node: RootContent): readonly JsonNode[] {
    for (const markdown of blockMarkdown) {
      const read = ruleFor<Blocks>(node, markdown.read)?.(node, this)
      if (read) return read
    }
    if (node.type !== 'html') return []
    const lines = node.value.split('\n').map((line) => textNodesOf(line))
    return [{ type: 'paragraph', content: joinLines(lines) }]
  }

  linesOf(node: Nodes): string[] {
    // A line in a quote or an item begins with what the quote or the item is written by.
    const indent = new RegExp(`^[ \\t>]{0,${(node.position?.start.column ?? 1) - 1}}`)
    return this.sourceOf(node)
      .split('\n')
      .map((line, at) => (at === 0 ? line : line.replace(indent, '')))
  }

  inlineOf(source: string): JsonNode[] {
    const line = LINE_START + source
    const [first] = fromMarkdown(line, mathOptions).children
    if (first?.type !== 'paragraph') return textNodesOf(source)
    // Its source positions count within the line alone.
    const parser = new MarkdownParser(line, this.#definitions)
    const [start, ...rest] = parser.inline(first.children)
    this.lost.image += parser.lost.image
    const letters = start?.text?.slice(LINE_START.length) ?? ''
    return [...(letters === '' ? [] : [{ ...start!, text: letters }]), ...rest]
  }

  inline(nodes: readonly PhrasingContent[], outerMarks: readonly JsonMark[] = []): JsonNode[] {
    let open: readonly JsonMark[] = []
    return groupInlineNodes(nodes).flatMap((node) => {
      const tag = node.type === 'html' && readMarkTag(node.value)
      if (!tag) return this.#inlineNode(node, open.reduce(addMark, outerMarks))
      const last = open.findLastIndex(({ type }) => type === tag.mark.type)
      open = tag.isEnd ? open.filter((_mark, at) => at !== last) : [...open, tag.mark]
      return []
    })
  }

  #inlineNode(node: PhrasingContent, outerMarks: readonly JsonMark[]): readonly JsonNode[] {
    if (node.type === 'text') return this.#textRuns(node, outerMarks)
    if (node.type === 'image' || node.type === 'imageReference') return this.#lostImage(node, outerMarks)
    for (const { readInline } of blockMarkdown) {
      const read = ruleFor<Blocks>(node, readInline)?.(node, this)
      if (read) return read.map((each) => withMarks(each, outerMarks))
    }
    return (
      this.#markedNode(node, outerMarks) ??
      textNodesOf('value' in node ? node.value : this.sourceOf(node), outerMarks)
    )
  }

  /** Nothing is fetched: where an address is given, a link to it stays. */
  #lostImage(node: Image | ImageReference, outerMarks: readonly JsonMark[]): JsonNode[] {
    this.countLostImage()
    const href = node.type === 'image' ? node.url : this.addressOf(node.identifier)
    if (!isFullAddress(href)) return []
    const letters = node.alt?.replaceAll(/\s+/g, ' ').trim() || href
    return textNodesOf(letters, addMark(outerMarks, { type: 'link', attrs: { href } }))
  }

  countLostImage(): void {
    this.lost.image++
  }

  #markedNode(node: PhrasingContent, outerMarks: readonly JsonMark[]): readonly JsonNode[] | null {
    for (const { name, read } of markMarkdown) {
      const attributes = ruleFor<JsonMark['attrs'] | null>(node, read)?.(node, this)
      if (attributes === undefined) continue
      const hasAttributes = attributes && Object.keys(attributes).length > 0
      const mark: JsonMark = { type: name, ...(hasAttributes && { attrs: attributes }) }
      const applied = attributes ? addMark(outerMarks, mark) : outerMarks
      return 'children' in node ? this.inline(node.children, applied) : textNodesOf(lettersOf(node), applied)
    }
    return null
  }

  addressOf(identifier: string): string {
    return this.#definitions.get(identifier)?.url ?? ''
  }

  /** A line end becomes a space. Fences such as `~~` count, unless a character between them was escaped. */
  #textRuns(node: PhrasingContent & { readonly value: string }, outerMarks: readonly JsonMark[]): JsonNode[] {
    const value = node.value.replaceAll('\n', ' ')
    const run = { text: value, marks: outerMarks }
    const runs = this.sourceOf(node) === node.value ? fencedMarks.reduce(splitRuns, [run]) : [run]
    return runs.flatMap(({ text, marks: applied }) => textNodesOf(text, applied))
  }

  sourceOf({ position }: Nodes): string {
    return this.#source.slice(position?.start.offset, position?.end.offset)
  }
}

interface MarkTag {
  readonly mark: JsonMark
  readonly isEnd: boolean
}

/** Null for any other HTML than a tag that stands for a mark. */
function readMarkTag(html: string): MarkTag | null {
  const [, slash, name, source = ''] = /^<(\/?)(\w+)(\s[^>]*)?>$/.exec(html) ?? []
  const definition = name && markMarkdown.find(({ tag }) => tag === name.toLowerCase())
  if (!definition) return null
  const attrs = definition.readTag?.(source) ?? {}
  const mark = { type: definition.name, ...(Object.keys(attrs).length > 0 && { attrs }) }
  return { mark, isEnd: slash !== '' }
}

/** An inner mark replaces those that letters cannot have beside it. */
const addMark = (outer: readonly JsonMark[], mark: JsonMark): readonly JsonMark[] => [
  ...outer.filter(({ type }) => !excludesMark(mark.type, type)),
  mark,
]

const groupNodes = (nodes: readonly RootContent[]): readonly RootContent[] =>
  blockMarkdown.reduce((grouped, { group }) => group?.(grouped) ?? grouped, nodes)

const groupInlineNodes = (nodes: readonly PhrasingContent[]): readonly PhrasingContent[] =>
  blockMarkdown.reduce((grouped, { groupInline }) => groupInline?.(grouped) ?? grouped, nodes)

/** A line break has none: what it is drawn as looks the same. */
const withMarks = (node: JsonNode, applied: readonly JsonMark[]): JsonNode =>
  applied.length === 0 || node.type === 'hardBreak' ? node : { ...node, marks: applied }

type Blocks = readonly JsonNode[] | null

/** A definition's rule for a node of the parser. */
function ruleFor<Result>(
  node: Nodes,
  rules: Readonly<Record<string, unknown>> = {},
): MarkdownRule<Nodes, Result> | undefined {
  return Object.hasOwn(rules, node.type) ? (rules[node.type] as MarkdownRule<Nodes, Result>) : undefined
}

interface MarkedRun {
  readonly text: string
  readonly marks: readonly JsonMark[]
}

const fencedMarks = markMarkdown.flatMap(({ name, fenced }) => (fenced ? [{ name, fenced }] : []))

/** Every other part is what the pattern's group caught. */
const splitRuns = (runs: readonly MarkedRun[], { name, fenced }: (typeof fencedMarks)[number]): MarkedRun[] =>
  runs.flatMap(({ text, marks: outer }) =>
    text
      .split(fenced)
      .map((part, at) => ({ text: part, marks: at % 2 === 1 ? addMark(outer, { type: name }) : outer })),
  )

const lettersOf = (node: PhrasingContent): string => ('value' in node ? node.value.replaceAll('\n', ' ') : '')

const textNodesOf = (text: string, applied: readonly JsonMark[] = []): JsonNode[] =>
  text === '' ? [] : [{ type: 'text', text, ...(applied.length > 0 && { marks: applied }) }]

const joinLines = (lines: readonly JsonNode[][]): JsonNode[] =>
  lines.flatMap((line, at) => (at === 0 ? line : [{ type: 'hardBreak' }, ...line]))
