/**
 * Lists in Markdown: one of its lists can hold tasks and other items. In the text those are lists of their own. Knows the names of the three
 * kinds of list.
 */
import type { BlockContent, List, ListItem } from 'mdast'
import { isTextNode, type Block } from '../text/tree.ts'
import type { JsonNode } from './json-node.ts'
import type { MarkdownReader, MarkdownWriter } from './markdown-types.ts'
import { isTaskDone } from './task-list/is-task-done.ts'

export function writeList(
  block: Block,
  kind: Pick<List, 'ordered' | 'start'>,
  writer: MarkdownWriter,
): BlockContent[] {
  const items = block.children.flatMap((node) => (isTextNode(node) ? [] : [writeItem(node, writer)]))
  const spread = !items.every(({ children }) => isTight(children))
  return items.length > 0 ? [{ type: 'list', ...kind, spread, children: items }] : []
}

/** Whether an item's lines can stand without empty ones between them: a single line, with tight lists under it. */
const isTight = (children: ListItem['children']): boolean =>
  children.every((child, at) =>
    at === 0 ? child.type === 'paragraph' : child.type === 'list' && child.spread === false,
  )

function writeItem(block: Block, writer: MarkdownWriter): ListItem {
  const children = writer.blocksIn(block)
  if (block.name !== 'taskItem') return createItem(children)
  // A checkbox needs letters after it, or it is not read as one.
  if (children[0]?.type !== 'paragraph')
    children.unshift({ type: 'paragraph', children: [{ type: 'text', value: ' ' }] })
  return { ...createItem(children), checked: isTaskDone(block.attributes) }
}

const createItem = (children: BlockContent[]): ListItem => ({
  type: 'listItem',
  spread: !isTight(children),
  children,
})

/** Tasks and other items of one list go into lists of their own. */
export function readList(list: List, reader: MarkdownReader): JsonNode[] {
  const lists: { type: string; attrs?: NonNullable<JsonNode['attrs']>; content: JsonNode[] }[] = []
  list.children.forEach((item, at) => {
    const read = readItem(item, reader)
    const type = read.type === 'taskItem' ? 'taskList' : list.ordered ? 'orderedList' : 'bulletList'
    const last = lists.at(-1)
    if (last?.type === type) return void last.content.push(read)
    const attrs = type === 'orderedList' && { attrs: { start: (list.start ?? 1) + at } }
    lists.push({ type, ...attrs, content: [read] })
  })
  return lists
}

function readItem({ children }: ListItem, reader: MarkdownReader): JsonNode {
  const [first, ...rest] = children
  const checkbox = first?.type === 'paragraph' && /^\[([ xX])\](?:\s+|$)/.exec(reader.sourceOf(first))
  if (!checkbox) return { type: 'listItem', content: withFirstParagraph(reader.blocks(children)) }
  const [paragraph] = reader.blocks([first])
  const content = withoutCheckbox(paragraph?.content ?? [], checkbox[0].length)
  return {
    type: 'taskItem',
    attrs: { checked: checkbox[1] !== ' ' },
    content: [{ type: 'paragraph', content }, ...reader.blocks(rest)],
  }
}

/** An item must begin with a paragraph. */
const withFirstParagraph = (blocks: JsonNode[]): JsonNode[] =>
  blocks[0]?.type === 'paragraph' ? blocks : [{ type: 'paragraph' }, ...blocks]

/** Removes the letters of the checkbox, since the parser reads it as letters. */
function withoutCheckbox([first, ...rest]: readonly JsonNode[], length: number): JsonNode[] {
  const text = first?.text?.slice(length) ?? ''
  return [...(first && text !== '' ? [{ ...first, text }] : []), ...rest]
}
