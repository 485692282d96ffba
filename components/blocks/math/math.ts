import { type ChainedCommands, InputRule, Node } from '@tiptap/core'
import type { NodeType } from '@tiptap/pm/model'
import { NodeSelection, type Transaction } from '@tiptap/pm/state'
import { Sigma } from 'lucide-react'
import { blockMath as blockDefinition, inlineMath as inlineDefinition } from '@/lib/blocks/math/math.ts'
import { blockItemsStrings } from '@/lib/strings/block-items.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

const inlineExtension = Node.create({
  ...nodeFields(inlineDefinition),
  addInputRules() {
    // A price is not followed by a second dollar and a space.
    const find = /(?<![\w$\\])\$((?=\S)[^$]+(?<=\S))\$([\s.,;:!?)])$/
    return [
      new InputRule({
        find,
        handler: ({ state: { tr }, range, match: [, latex = '', end = ''] }) => {
          tr.replaceWith(range.from, range.to, this.type.create({ latex })).insertText(end)
        },
      }),
    ]
  },
})

const blockExtension = Node.create({
  ...nodeFields(blockDefinition),
  addInputRules() {
    return [
      new InputRule({
        find: /^\$\$\s$/,
        handler: ({ state: { tr }, range }) => {
          const { $from } = tr.selection
          const isWholeLine = $from.parent.content.size === range.to - range.from
          return isWholeLine && insertBlock(tr, this.type) ? undefined : null
        },
      }),
    ]
  },
})

/** Puts an empty formula in the place of the caret's line, with a line behind it to go on in. */
function insertBlock(tr: Transaction, type: NodeType): boolean {
  const { $from } = tr.selection
  const [parent, index, at] = [$from.node(-1), $from.index(-1), $from.before()]
  if (!parent.canReplaceWith(index, index + 1, type)) return false
  const isLast = index === parent.childCount - 1
  tr.replaceWith(at, $from.after(), [
    type.create(),
    ...(isLast ? [parent.type.schema.nodes.paragraph!.create()] : []),
  ])
  tr.setSelection(NodeSelection.create(tr.doc, at))
  return true
}

/** In an empty line a block, and else among the letters. What is selected in one line becomes the formula. */
const insertFormula = (chain: ChainedCommands): ChainedCommands =>
  chain.command(({ tr, state: { schema } }) => {
    const { $from, $to, from, to, empty } = tr.selection
    const isLineEmpty = empty && $from.parent.isTextblock && $from.parent.content.size === 0
    if (isLineEmpty && insertBlock(tr, schema.nodes[blockDefinition.name]!)) return true
    const latex = $from.sameParent($to) ? tr.doc.textBetween(from, to) : ''
    const formula = schema.nodes[inlineDefinition.name]!
    if (!$from.parent.inlineContent || !$from.parent.canReplaceWith($from.index(), $from.index(), formula))
      return false
    tr.replaceSelectionWith(formula.create({ latex }), false)
    if (tr.doc.nodeAt(from)?.type === formula) tr.setSelection(NodeSelection.create(tr.doc, from))
    return true
  })

const view = () => import('./math-view.ts')

export const inlineMath: EditorBlock = { extension: inlineExtension, view }

export const blockMath: EditorBlock = {
  extension: blockExtension,
  view,
  menuItems: [
    {
      name: blockItemsStrings.formula.name,
      words: blockItemsStrings.formula.words,
      keys: 'Mod+Alt+F',
      Icon: Sigma,
      run: insertFormula,
    },
  ],
}
