import { Node, textblockTypeInputRule } from '@tiptap/core'
import { Heading1, Heading2, Heading3 } from 'lucide-react'
import { heading as definition, headingName } from '@/lib/blocks/heading/heading.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

const levels = [1, 2, 3, 4, 5, 6] as const

const extension = Node.create({
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

const looks = [
  { size: 'text-xl', Icon: Heading1 },
  { size: 'text-lg', Icon: Heading2 },
  { size: 'text-base', Icon: Heading3 },
]

/** The menu offers three levels. The text knows six, which Markdown (`####`) can make. */
export const heading: EditorBlock = {
  extension,
  lineStyles: looks.map(({ size, Icon }, at) => ({
    id: String(at + 1),
    name: headingName(at + 1),
    words: `h${at + 1} title section`,
    keys: `Mod+Alt+${at + 1}`,
    Icon,
    look: `font-serif ${size} font-semibold`,
    run: (chain) => chain.setNode(definition.name, { level: at + 1 }),
  })),
}
