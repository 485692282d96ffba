import { type Editor, Extension, type InputRule, Node } from '@tiptap/core'
import { Fragment, type Node as DocumentNode, type NodeType } from '@tiptap/pm/model'
import type { NodeDefinition } from '@/lib/blocks/definitions.ts'
import { nodeFields } from './schema-fields.ts'

interface ItemEditing {
  readonly attributes?: Parameters<typeof nodeFields>[1]
  readonly inputRules?: (type: NodeType) => InputRule[]
}

/** An item of a list: Enter begins the next one, Tab and Shift+Tab move it a level in and out. */
export const itemBlock = (definition: NodeDefinition, { attributes, inputRules }: ItemEditing = {}): Node =>
  Node.create({
    ...nodeFields(definition, attributes),
    addInputRules() {
      return inputRules?.(this.type) ?? []
    },
    addExtensions: () => [deleteKeys(definition.name)],
    addKeyboardShortcuts() {
      return {
        Enter: () => this.editor.commands.splitListItem(this.name),
        Tab: () => this.editor.commands.sinkListItem(this.name),
        'Shift-Tab': () => this.editor.commands.liftListItem(this.name),
      }
    },
  })

const deleteKeys = (item: string): Extension =>
  Extension.create({
    name: `${item}Delete`,
    // Runs before the keys of lists, which would join the lines.
    priority: 101,
    addKeyboardShortcuts() {
      const liftNested = () => liftNestedItems(this.editor, this.editor.schema.nodes[item]!)
      return { Delete: liftNested, 'Mod-Delete': liftNested }
    },
  })

/**
 * At the end of a line, where a list within the item follows whose items have lists of their own, Delete moves all its items a level out:
 * joining the lines would leave those without a parent.
 */
function liftNestedItems({ state, view }: Editor, item: NodeType): boolean {
  const { selection, tr } = state
  const { $from, empty } = selection
  const depth = depthOf(item, $from.depth, (at) => $from.node(at))
  if (!empty || depth === null || !$from.parent.isTextblock || $from.parentOffset < $from.parent.content.size)
    return false
  const after = $from.after()
  const list = state.doc.resolve(after).nodeAfter
  const items = list?.content.content ?? []
  const isBranching = items.some(({ type, childCount }) => type === item && childCount > 1)
  if (!list || $from.depth !== depth + 1 || !isBranching) return false
  tr.delete(after, after + list.nodeSize)
  tr.insert(tr.mapping.map($from.after(depth)), Fragment.from(items))
  view.dispatch(tr.setSelection(selection.map(tr.doc, tr.mapping)))
  return true
}

function depthOf(item: NodeType, deepest: number, nodeAt: (depth: number) => DocumentNode): number | null {
  for (let depth = deepest; depth > 0; depth -= 1) if (nodeAt(depth).type === item) return depth
  return null
}
