/**
 * Reads Markdown into blocks of the text: both what markdown.ts writes and what other people write. Knows the names of blocks and marks
 * as ProseMirror writes them in JSON; does not know the editor. Of GitHub's extensions it reads tasks, `~~` and tables; of tables the
 * text can hold only the letters.
 */
import type { Definition, List, ListItem, Nodes, Paragraph, PhrasingContent, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { isFullAddress } from './link-address.ts'
import { isTableRule } from './detect-markdown.ts'

export interface JsonMark {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
}

export interface JsonNode {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
  readonly marks?: readonly JsonMark[]
  readonly text?: string
  readonly content?: readonly JsonNode[]
}

export interface ParsedMarkdown {
  readonly blocks: readonly JsonNode[]
  /** How many elements the text has no place for. The letters of tables are among the blocks, one paragraph for each row. */
  readonly lost: { readonly table: number; readonly image: number }
}

export function parseMarkdown(source: string): ParsedMarkdown {
  const parser = new MarkdownParser(source)
  return { blocks: parser.blocks(fromMarkdown(source).children), lost: parser.lost }
}

/**
 * The limit of quotes and lists within each other. An edit may have types 100 deep, and a list takes two a level; what is deeper becomes
 * text.
 */
const MAX_DEPTH = 20

class MarkdownParser {
  readonly lost = { table: 0, image: 0 }
  readonly #source: string
  readonly #definitions = new Map<string, Definition>()
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  blocks(nodes: readonly RootContent[]): JsonNode[] {
    for (const node of nodes) if (node.type === 'definition') this.#definitions.set(node.identifier, node)
    this.#depth++
    const blocks = nodes.flatMap((node) =>
      this.#depth > MAX_DEPTH ? this.#sourceParagraph(node) : this.#blockOf(node),
    )
    this.#depth--
    return blocks
  }

  #sourceParagraph(node: RootContent): JsonNode[] {
    return [{ type: 'paragraph', content: textNodesOf(this.#sourceOf(node).replaceAll('\n', ' ')) }]
  }

  #blockOf(node: RootContent): JsonNode[] {
    switch (node.type) {
      case 'paragraph':
        return this.#paragraphs(node)
      case 'heading':
        return [{ type: 'heading', attrs: { level: node.depth }, content: this.#inline(node.children) }]
      case 'blockquote':
        return [{ type: 'blockquote', content: this.#quoteContent(node.children) }]
      case 'list':
        return this.#lists(node)
      case 'code':
        return [
          { type: 'codeBlock', attrs: { language: node.lang ?? null }, content: textNodesOf(node.value) },
        ]
      case 'thematicBreak':
        return [{ type: 'horizontalRule' }]
      case 'html':
        return [
          { type: 'paragraph', content: joinLines(node.value.split('\n').map((line) => textNodesOf(line))) },
        ]
      default:
        return []
    }
  }

  #quoteContent(nodes: readonly RootContent[]): JsonNode[] {
    const blocks = this.blocks(nodes)
    return blocks.length > 0 ? blocks : [{ type: 'paragraph' }]
  }

  /** Returns no paragraph for one that held only images. */
  #paragraphs(node: Paragraph): JsonNode[] {
    const lines = this.#sourceOf(node).split('\n')
    if (lines.length > 1 && lines[0]!.includes('|') && isTableRule(lines[1]!)) return this.#rows(lines)
    const content = this.#inline(node.children)
    return content.length > 0 ? [{ type: 'paragraph', content }] : []
  }

  #rows([head = '', , ...rows]: readonly string[]): JsonNode[] {
    this.lost.table++
    return [head, ...rows].map((row) => {
      const cells = row.replaceAll(/^\s*\||(?<!\\)\|\s*$/g, '').split(/(?<!\\)\|/)
      const rowText = cells.map((cell) => cell.trim().replaceAll('\\|', '|')).join(' | ')
      const [first] = fromMarkdown(rowText).children
      // Its source positions count within the row alone.
      const parser = new MarkdownParser(rowText)
      const content = first?.type === 'paragraph' ? parser.#inline(first.children) : textNodesOf(rowText)
      this.lost.image += parser.lost.image
      return { type: 'paragraph', content }
    })
  }

  /** Tasks and other items of one list go into lists of their own. */
  #lists(list: List): JsonNode[] {
    const lists: { type: string; attrs?: NonNullable<JsonNode['attrs']>; content: JsonNode[] }[] = []
    list.children.forEach((item, at) => {
      const parsedItem = this.#item(item)
      const type = parsedItem.type === 'taskItem' ? 'taskList' : list.ordered ? 'orderedList' : 'bulletList'
      const last = lists.at(-1)
      if (last?.type === type) return void last.content.push(parsedItem)
      const attrs = type === 'orderedList' && { attrs: { start: (list.start ?? 1) + at } }
      lists.push({ type, ...attrs, content: [parsedItem] })
    })
    return lists
  }

  #item(item: ListItem): JsonNode {
    const [first, ...rest] = item.children
    const checkbox = first?.type === 'paragraph' ? /^\[([ xX])\](?:\s+|$)/.exec(this.#sourceOf(first)) : null
    const type = checkbox
      ? { type: 'taskItem', attrs: { checked: checkbox[1] !== ' ' } }
      : { type: 'listItem' }
    if (!checkbox || first?.type !== 'paragraph')
      return { ...type, content: withFirstParagraph(this.blocks(item.children)) }
    const [paragraph] = this.#paragraphs(first)
    const content = paragraph?.content ? withoutCheckbox(paragraph.content, checkbox[0].length) : []
    return { ...type, content: [{ type: 'paragraph', content }, ...this.blocks(rest)] }
  }

  #inline(nodes: readonly PhrasingContent[], marks: readonly JsonMark[] = []): JsonNode[] {
    let currentMarks = marks
    return nodes.flatMap((node) => {
      if (node.type === 'html' && /^<\/?u>$/i.test(node.value)) {
        // markdown.ts writes underlined text in this way.
        currentMarks = node.value.startsWith('</') ? marks : [...marks, { type: 'underline' }]
        return []
      }
      return this.#inlineNode(node, currentMarks)
    })
  }

  #inlineNode(node: PhrasingContent, marks: readonly JsonMark[]): JsonNode[] {
    const marked = (mark: JsonMark, children: PhrasingContent[]) => this.#inline(children, [...marks, mark])
    switch (node.type) {
      case 'text':
        return this.#textRuns(node, marks)
      case 'strong':
        return marked({ type: 'bold' }, node.children)
      case 'emphasis':
        return marked({ type: 'italic' }, node.children)
      case 'inlineCode':
        // Code has no other marks.
        return textNodesOf(node.value.replaceAll('\n', ' '), [{ type: 'code' }])
      case 'break':
        return [{ type: 'hardBreak' }]
      case 'link':
        return this.#link(node.url, node.children, marks)
      case 'linkReference': {
        const url = this.#definitions.get(node.identifier)?.url ?? ''
        return this.#link(url, node.children, marks)
      }
      case 'image':
      case 'imageReference':
        this.lost.image++
        return []
      case 'html':
        return /^<br\s*\/?>$/i.test(node.value) ? [{ type: 'hardBreak' }] : textNodesOf(node.value, marks)
      default:
        return textNodesOf(this.#sourceOf(node), marks)
    }
  }

  #link(url: string, children: readonly PhrasingContent[], marks: readonly JsonMark[]): JsonNode[] {
    const link = isFullAddress(url) ? [{ type: 'link', attrs: { href: url } }] : []
    return this.#inline(children, [...marks, ...link])
  }

  /** A line end becomes a space. What stands between `~~` is struck, unless a character in it was escaped. */
  #textRuns(node: PhrasingContent & { readonly value: string }, marks: readonly JsonMark[]): JsonNode[] {
    const value = node.value.replaceAll('\n', ' ')
    if (this.#sourceOf(node) !== node.value) return textNodesOf(value, marks)
    return value
      .split(/~~(?=\S)([^~]+)(?<=\S)~~/)
      .flatMap((part, at) => textNodesOf(part, at % 2 === 1 ? [...marks, { type: 'strike' }] : marks))
  }

  #sourceOf({ position }: Nodes): string {
    return this.#source.slice(position?.start.offset, position?.end.offset)
  }
}

const textNodesOf = (text: string, marks: readonly JsonMark[] = []): JsonNode[] =>
  text === '' ? [] : [{ type: 'text', text, ...(marks.length > 0 && { marks }) }]

const joinLines = (lines: readonly JsonNode[][]): JsonNode[] =>
  lines.flatMap((line, at) => (at === 0 ? line : [{ type: 'hardBreak' }, ...line]))

/** An item must begin with a paragraph. */
const withFirstParagraph = (blocks: JsonNode[]): JsonNode[] =>
  blocks[0]?.type === 'paragraph' ? blocks : [{ type: 'paragraph' }, ...blocks]

/** Removes the letters of the checkbox, since the parser reads it as letters. */
function withoutCheckbox([first, ...rest]: readonly JsonNode[], length: number): JsonNode[] {
  const text = first?.text?.slice(length) ?? ''
  return [...(first && text !== '' ? [{ ...first, text }] : []), ...rest]
}
