/**
 * Writes a document as JSON, without a loss: the text as ProseMirror has it, and the comments. docs/FORMATS.md describes it. A reader looks
 * at `version`: it grows when an older reader could not read what is written.
 */
import type { JsonMark, JsonNode } from '../blocks/json-node.ts'
import type { LocatedThread } from '../comments/located-threads.ts'
import { type Block, isTextNode, nodeMarksOf, type TextMarks, type TreeNode } from '../text/tree.ts'
import type { ExportSource } from './export-source.ts'

export const JSON_VERSION = 1

export const writeJson = (source: ExportSource): string => `${JSON.stringify(jsonOf(source), null, 1)}\n`

/** As it is written. */
export const jsonOf = ({ title, blocks, threads, files }: ExportSource) => ({
  format: 'diptych',
  version: JSON_VERSION,
  title,
  text: { type: 'doc', content: jsonNodesOf(blocks) },
  comments: threads.map(jsonThreadOf),
  files: [...files.values()],
})

/** Blocks that no definition knows are written, too. */
const jsonNodesOf = (nodes: readonly TreeNode[]): JsonNode[] =>
  nodes.flatMap((node) =>
    isTextNode(node)
      ? node.runs.map(({ text, marks }): JsonNode => ({ type: 'text', text, ...marksFieldOf(marks) }))
      : [jsonNodeOf(node)],
  )

function jsonNodeOf(block: Block): JsonNode {
  const attrs = Object.fromEntries(
    Object.entries(block.attributes).filter(
      ([key, value]) => !key.startsWith('mark:') && value !== undefined,
    ),
  )
  return {
    type: block.name,
    ...(Object.keys(attrs).length > 0 && { attrs }),
    ...marksFieldOf(nodeMarksOf(block)),
    ...(block.children.length > 0 && { content: jsonNodesOf(block.children) }),
  }
}

function marksFieldOf(marks: TextMarks): { readonly marks?: readonly JsonMark[] } {
  const entries = Object.entries(marks).map(([type, value]): JsonMark => {
    const hasAttributes = typeof value === 'object' && value !== null && Object.keys(value).length > 0
    return { type, ...(hasAttributes && { attrs: value as Record<string, unknown> }) }
  })
  return entries.length > 0 ? { marks: entries } : {}
}

/** A comment with its replies. Times are in ISO 8601. */
export interface JsonThread {
  readonly id: string
  readonly range: LocatedThread['range']
  readonly quote: string
  readonly messages: readonly {
    readonly id: string
    readonly author: string
    readonly at: string
    readonly editedAt?: string
    readonly text: string
  }[]
  readonly resolved?: { readonly by: string; readonly at: string }
}

/** A place is a line, counted from 0 over the blocks that hold letters, and a number of UTF-16 units in it; null where the text is gone. */
const jsonThreadOf = ({ thread, range }: LocatedThread): JsonThread => ({
  id: thread.id,
  range,
  quote: thread.anchor.quote,
  messages: thread.messages.map(({ id, author, at, text, editedAt }) => ({
    id,
    author: author.name,
    at: new Date(at).toISOString(),
    ...(editedAt !== undefined && { editedAt: new Date(editedAt).toISOString() }),
    text,
  })),
  ...(thread.resolved && {
    resolved: { by: thread.resolved.by.name, at: new Date(thread.resolved.at).toISOString() },
  }),
})
