import { type Command, InputRule, Node } from '@tiptap/core'
import { ListCollapse } from 'lucide-react'
import { toggle as definition, toggleSummary as summaryDefinition } from '@/lib/blocks/toggle/toggle.ts'
import { type EditorBlock, isOn } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'
import { letTogglesJoin } from './join-toggles.ts'
import { enterContent, leaveContent, leaveSummary, toggleBlocks } from './toggle-commands.ts'

const extension = Node.create({
  ...nodeFields(definition),
  onBeforeCreate() {
    letTogglesJoin(this.editor.schema)
  },
  addKeyboardShortcuts() {
    const run = (command: Command) => this.editor.commands.command(command)
    return {
      Enter: () => run(enterContent) || run(leaveContent),
      Backspace: () => run(leaveSummary),
    }
  },
  addInputRules() {
    return [
      new InputRule({
        find: /^\+\+\+\s$/,
        handler({ chain, range }) {
          chain().deleteRange(range).command(toggleBlocks).run()
        },
      }),
    ]
  },
})

export const toggle: EditorBlock = {
  extension,
  view: () => import('./toggle-view.ts'),
  toolbar: {
    name: definition.strings.name!,
    Icon: ListCollapse,
    run: (chain) => chain.command(toggleBlocks),
    isOn: isOn(definition.name),
  },
}

export const toggleSummary: EditorBlock = { extension: Node.create(nodeFields(summaryDefinition)) }
