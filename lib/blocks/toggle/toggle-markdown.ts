/**
 * A toggle in Markdown: HTML's `<details>` and `<summary>`, with Markdown between them, as on GitHub. The summary is a line of HTML, in
 * which Markdown means nothing.
 */
import type { BlockContent, Html, RootContent } from 'mdast'
import { type Block, isTextNode } from '../../text/tree.ts'
import type { JsonNode } from '../json-node.ts'
import type { MarkdownReader, MarkdownWriter, NodeMarkdown } from '../markdown-types.ts'

/** A toggle among the parser's nodes, which has only its tags. */
interface Details {
  readonly type: 'details'
  readonly summary: string
  readonly children: readonly RootContent[]
  readonly position?: Html['position']
}

declare module 'mdast' {
  interface RootContentMap {
    details: Details
  }
}

function writeToggle(block: Block, writer: MarkdownWriter): BlockContent[] {
  const summaries = block.children.filter((node) => !isTextNode(node) && node.name === 'toggleSummary')
  const [first] = summaries as Block[]
  const rest: Block = { ...block, children: block.children.filter((node) => node !== first) }
  const head = `<details>\n<summary>${first ? writer.htmlIn(first) : ''}</summary>`
  return [htmlOf(head), ...writer.blocksIn(rest), htmlOf('</details>')]
}

const htmlOf = (value: string): Html => ({ type: 'html', value })

const opening = /^\s*<details\b[^>]*>\s*/i
const summaryAtStart = /^\s*<summary\b[^>]*>([^]*?)<\/summary>\s*/i

/** Makes one node of all from an opening tag to its closing one. What has no closing tag stays what it is. */
function groupDetails(nodes: readonly RootContent[]): readonly RootContent[] {
  if (!nodes.some(isOpening)) return nodes
  const parts = nodes.flatMap(splitTags)
  const grouped: RootContent[] = []
  for (let at = 0; at < parts.length; at++) {
    const end = isOpening(parts[at]!) ? endOf(parts, at) : -1
    grouped.push(end === -1 ? parts[at]! : detailsOf(parts.slice(at, end)))
    if (end !== -1) at = end
  }
  return grouped
}

const isOpening = (node: RootContent): boolean => node.type === 'html' && opening.test(node.value)

const isClosing = (node: RootContent): boolean => node.type === 'html' && /^<\/details>$/i.test(node.value)

/** Each tag that begins or ends a toggle stands in a node of its own, with the summary after the one that begins it. */
function splitTags(node: RootContent): RootContent[] {
  if (node.type !== 'html' || !/<\/?details\b/i.test(node.value)) return [node]
  const values = node.value.split(/(<\/details>|<details\b[^>]*>\s*(?:<summary\b[^>]*>[^]*?<\/summary>)?)/i)
  const found = values.map((value) => value.trim()).filter((value) => value !== '')
  return found.length === 1 ? [{ ...node, value: found[0]! }] : found.map(htmlOf)
}

/** The index of the closing tag; -1 where there is none. */
function endOf(parts: readonly RootContent[], start: number): number {
  let depth = 0
  for (let at = start; at < parts.length; at++) {
    if (isOpening(parts[at]!)) depth++
    if (isClosing(parts[at]!) && --depth === 0) return at
  }
  return -1
}

/** The summary may stand in the HTML of the opening tag, or in that after it. */
function detailsOf([first, ...rest]: readonly RootContent[]): Details {
  const head = (first as Html).value.replace(opening, '')
  const [next] = rest
  const isInNext = head === '' && next?.type === 'html' && summaryAtStart.test(next.value)
  const html = isInNext ? next.value : head
  const [line = '', summary = ''] = summaryAtStart.exec(html) ?? []
  const after = html.slice(line.length)
  const children = [...(after === '' ? [] : [htmlOf(after)]), ...(isInNext ? rest.slice(1) : rest)]
  return { type: 'details', summary, children }
}

function readDetails({ summary, children }: Details, reader: MarkdownReader): readonly JsonNode[] {
  const content = reader.blocks(children)
  return [
    {
      type: 'toggle',
      content: [
        { type: 'toggleSummary', content: reader.inlineHtml(summary) },
        ...(content.length > 0 ? content : [{ type: 'paragraph' }]),
      ],
    },
  ]
}

export const toggleMarkdown: NodeMarkdown = {
  write: writeToggle,
  group: groupDetails,
  read: { details: readDetails },
}
