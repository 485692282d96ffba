import { NodeType, type Schema } from '@tiptap/pm/model'

/**
 * Lets a toggle be joined with a quote, a callout, an item. Before ProseMirror joins two nodes it compares what they may begin with;
 * a toggle begins with its summary, so the deletion of a selection that reaches from a quote into a toggle threw. What was joined is
 * still checked as a whole.
 */
export function letTogglesJoin({ nodes }: Schema): void {
  const { compatibleContent } = NodeType.prototype
  const holdsBlocks = (type: NodeType): boolean =>
    type === nodes.toggle || compatibleContent.call(type, nodes.blockquote!)
  for (const type of Object.values(nodes).filter(holdsBlocks))
    Object.assign(type, { compatibleContent: holdsBlocks })
}
