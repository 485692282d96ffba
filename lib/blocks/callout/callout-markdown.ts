/** A callout in GitHub's form: a quote whose first line is `[!NOTE]`. */
import type { BlockContent, Blockquote, Nodes, Paragraph, PhrasingContent, RootContent } from 'mdast'
import type { Block } from '../../text/tree.ts'
import type { JsonNode } from '../json-node.ts'
import type { MarkdownReader, MarkdownWriter, NodeMarkdown } from '../markdown-types.ts'
import { calloutKindNamed, calloutKindOf } from './callout-kinds.ts'

function writeCallout(block: Block, writer: MarkdownWriter): BlockContent[] {
  const sign = `[!${calloutKindOf(block.attributes).toUpperCase()}]`
  const content = writer.blocksIn(block)
  const [first] = content
  // The writer puts a tag on the line before it.
  if (first?.type === 'paragraph' && first.children[0]?.type !== 'html')
    content[0] = { ...first, children: [asItIs(`${sign}\n`), ...first.children] }
  else content.unshift({ type: 'paragraph', children: [asItIs(sign)] })
  return [{ type: 'blockquote', children: content }]
}

/** The writer escapes nothing in HTML. */
const asItIs = (value: string): PhrasingContent => ({ type: 'html', value })

/** Null for a quote that is no callout. */
function readCallout({ children }: Blockquote, reader: MarkdownReader): readonly JsonNode[] | null {
  const [first, ...rest] = children
  const head = first?.type === 'paragraph' ? readFirstParagraph(first, reader) : null
  if (!head) return null
  const content = reader.blocks([...head.rest, ...rest])
  return [
    {
      type: 'callout',
      attrs: { kind: head.kind },
      content: content.length > 0 ? content : [{ type: 'paragraph' }],
    },
  ]
}

/** The kind, and what else the paragraph holds. */
function readFirstParagraph(paragraph: Paragraph, reader: MarkdownReader) {
  const [text, next, ...after] = paragraph.children
  // The source has a backslash where the bracket is a letter.
  const [line, word] = /^\[!(\w+)\][ \t]*(?:\n[ \t>]*|$)/.exec(text ? reader.sourceOf(text) : '') ?? []
  const kind = word === undefined ? null : calloutKindNamed(word)
  if (text?.type !== 'text' || line === undefined || kind === null) return null
  const endsLine = line.includes('\n')
  if (!endsLine && next && next.type !== 'break') return null
  const letters = endsLine ? text.value.slice(text.value.indexOf('\n') + 1) : ''
  const children = [
    ...(letters === '' ? [] : [startingLater({ ...text, value: letters }, line.length)]),
    ...(next && endsLine ? [next] : []),
    ...after,
  ]
  const rest: RootContent[] =
    children.length > 0 ? [startingLater({ ...paragraph, children }, line.length)] : []
  return { kind, rest }
}

/** Without the first letters of its source. */
function startingLater<Node extends Nodes>(node: Node, length: number): Node {
  const { position } = node
  if (position?.start.offset === undefined) return node
  const start = { ...position.start, offset: position.start.offset + length }
  return { ...node, position: { ...position, start } }
}

export const calloutMarkdown: NodeMarkdown = { write: writeCallout, read: { blockquote: readCallout } }
