/** A line as pieces, cut where comments begin and end. Writers of formats that have comments or marks of their own read these. */
import { isHiddenMark, marks } from '../blocks/blocks.ts'
import type { MarkDefinition } from '../blocks/definitions.ts'
import type { LocatedThread } from '../comments/located-threads.ts'
import { linesOf } from '../text/lines.ts'
import { textOfNode } from '../text/plain-text.ts'
import { type Block, isTextNode, nodeMarksOf, type TextMarks } from '../text/tree.ts'

export type InlinePiece =
  | { readonly kind: 'letters'; readonly text: string; readonly marks: TextMarks }
  | { readonly kind: 'node'; readonly node: Block; readonly marks: TextMarks }
  /** The number of the thread among all of the document. */
  | { readonly kind: 'comment start' | 'comment end'; readonly thread: number }

interface CommentEdge {
  readonly kind: 'comment start' | 'comment end'
  readonly thread: number
  readonly offset: number
}

/** Where comments begin and end, by the block that holds the letters. */
export type CommentEdges = ReadonlyMap<Block, readonly CommentEdge[]>

export function commentEdgesIn(blocks: readonly Block[], threads: readonly LocatedThread[]): CommentEdges {
  const edges = new Map<Block, CommentEdge[]>()
  const lines = linesOf(blocks).blocks
  for (const [thread, { range }] of threads.entries()) {
    if (!range) continue
    const ends = [
      ['comment start', range.from],
      ['comment end', range.to],
    ] as const
    for (const [kind, { line, offset }] of ends) {
      const block = lines[line]!
      edges.set(block, [...(edges.get(block) ?? []), { kind, thread, offset }])
    }
  }
  return edges
}

export function inlinePiecesOf(line: Block, edges: CommentEdges): InlinePiece[] {
  const waiting = (edges.get(line) ?? []).toSorted((a, b) => a.offset - b.offset)
  const pieces: InlinePiece[] = []
  let offset = 0
  const addEdges = (until: number): void => {
    while (waiting[0] && waiting[0].offset <= until) {
      const { kind, thread } = waiting.shift()!
      pieces.push({ kind, thread })
    }
  }
  const addLetters = (text: string, textMarks: TextMarks): void => {
    addEdges(offset)
    const next = waiting[0]?.offset ?? Infinity
    const length = Math.min(text.length, next - offset)
    if (length > 0) pieces.push({ kind: 'letters', text: text.slice(0, length), marks: textMarks })
    offset += length
    if (length < text.length) addLetters(text.slice(length), textMarks)
  }
  for (const node of line.children) {
    if (isTextNode(node)) for (const { text, marks: textMarks } of node.runs) addLetters(text, textMarks)
    else {
      addEdges(offset)
      pieces.push({ kind: 'node', node, marks: nodeMarksOf(node) })
      offset += textOfNode(node).length
    }
  }
  addEdges(Infinity)
  return pieces
}

export interface ShownMark {
  readonly definition: MarkDefinition
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Those that are shown, from the outermost to the innermost. */
export function shownMarksOf(applied: TextMarks): readonly ShownMark[] {
  const names = Object.keys(applied)
  if (names.length === 0) return []
  return marks
    .filter(({ name }) => name in applied && !isHiddenMark(name, names))
    .map((definition) => {
      const value = applied[definition.name]
      const attributes = typeof value === 'object' && value !== null ? value : {}
      return { definition, attributes: attributes as Record<string, unknown> }
    })
}
