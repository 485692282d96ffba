/** Makes a `DecorationSet` in time that does not grow with blocks times decorations, as that of `DecorationSet.create` does. */
import type { Node } from '@tiptap/pm/model'
import { type Decoration, DecorationSet } from '@tiptap/pm/view'

/** A decoration that is made once its block is known, in whose positions it counts. */
export interface PendingDecoration {
  readonly from: number
  readonly to: number
  create(this: void, from: number, to: number): Decoration
}

/** Its types leave out how ProseMirror makes one itself: children are three entries each, start, end and set. */
const Tree = DecorationSet as unknown as new (
  local: readonly Decoration[],
  children: readonly (number | DecorationSet)[],
) => DecorationSet

/** @param decorations In the order of the text. */
export function createDecorations(
  node: Node,
  decorations: readonly PendingDecoration[],
  start = 0,
): DecorationSet {
  const place = ({ from, to, create }: PendingDecoration) => create(from - start, to - start)
  if (node.inlineContent) return DecorationSet.create(node, decorations.map(place))
  const local: Decoration[] = []
  const children: (number | DecorationSet)[] = []
  let next = 0
  node.forEach((child, offset) => {
    const [from, to] = [start + offset, start + offset + child.nodeSize]
    const within: PendingDecoration[] = []
    for (let one = decorations[next]; one && one.from < to; one = decorations[(next += 1)])
      if (one.from > from && one.to < to) within.push(one)
      else local.push(place(one))
    if (within.length > 0)
      children.push(offset, offset + child.nodeSize, createDecorations(child, within, from + 1))
  })
  return new Tree(local, children)
}
