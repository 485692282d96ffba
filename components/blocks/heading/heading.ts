import { Node, textblockTypeInputRule } from '@tiptap/core'
import { heading as definition } from '@/lib/blocks/heading/heading.ts'
import { nodeFields } from '../schema-fields.ts'

const levels = [1, 2, 3, 4, 5, 6] as const

export const heading = Node.create({
  ...nodeFields(definition),
  addKeyboardShortcuts() {
    const toggle = (level: number) => () => this.editor.commands.toggleNode(this.name, 'paragraph', { level })
    return Object.fromEntries(levels.map((level) => [`Mod-Alt-${level}`, toggle(level)]))
  },
  addInputRules() {
    return levels.map((level) =>
      textblockTypeInputRule({
        find: new RegExp(`^(#{${level}})\\s$`),
        type: this.type,
        getAttributes: { level },
      }),
    )
  },
})
