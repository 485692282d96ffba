/**
 * Pasted quotes and lists stand in each other at most so deep that the text stays below the depth that an edit may have. What is deeper
 * becomes lines. Knows slices of ProseMirror; does not know HTML.
 */
import { Fragment, type Node, Slice } from 'prosemirror-model'

/** Of blocks around a line. An edit may have types 100 deep (`MAX_TYPE_DEPTH`), and what was pasted can be wrapped further. */
const MAX_PASTED_DEPTH = 40

/** @param depth How deep the slice is put in. Returns the same slice where nothing is too deep. */
export function limitNesting(slice: Slice, depth: number): Slice {
  const content = limitFragment(slice.content, MAX_PASTED_DEPTH - depth)
  return content === slice.content ? slice : new Slice(content, 0, 0)
}

function limitFragment(fragment: Fragment, room: number): Fragment {
  const nodes = fragment.content.flatMap((node) => limitNode(node, room))
  const isSame =
    nodes.length === fragment.childCount && nodes.every((node, at) => node === fragment.child(at))
  return isSame ? fragment : Fragment.from(nodes)
}

/** Only a block gives its place to lines: an item of a list stays one. */
function limitNode(node: Node, room: number): Node | Node[] {
  if (node.isTextblock || node.isLeaf) return node
  if (room <= 0 && node.type.isInGroup('block')) return linesIn(node)
  const content = limitFragment(node.content, room - 1)
  return content === node.content ? node : node.copy(content)
}

function linesIn(block: Node): Node[] {
  const lines: Node[] = []
  block.descendants((node) => {
    if (!node.isTextblock && !node.isLeaf) return true
    const isBlock = node.type.isInGroup('block')
    lines.push(isBlock ? node : node.type.schema.nodes.paragraph!.create(null, node.content))
    return false
  })
  return lines
}
