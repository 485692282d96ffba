import { CodeBlock } from '@tiptap/extension-code-block'
import { textblockTypeInputRule } from '@tiptap/core'
import { SquareCode } from 'lucide-react'
import { codeBlock as definition } from '@/lib/blocks/code-block/code-block.ts'
import { type EditorBlock, isOn } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'
import { keepIndentation, writeOutLeaves } from './code-commands.ts'

const extension = CodeBlock.extend({
  ...nodeFields(definition),
  addCommands() {
    return {
      ...this.parent?.(),
      toggleCodeBlock:
        () =>
        ({ chain }) =>
          chain().command(writeOutLeaves).toggleNode(this.name, 'paragraph').run(),
    }
  },
  addKeyboardShortcuts() {
    const { Enter, ...others } = this.parent?.() ?? {}
    return {
      ...others,
      Enter: (key) => Enter?.(key) === true || this.editor.commands.command(keepIndentation),
    }
  },
  // Names such as `c++` and `objective-c`, too.
  addInputRules() {
    return [/^```([\w+#-]{0,40})\s$/, /^~~~([\w+#-]{0,40})\s$/].map((find) =>
      textblockTypeInputRule({
        find,
        type: this.type,
        getAttributes: ([, language]) => ({ language: language || null }),
      }),
    )
  },
}).configure({
  enableTabIndentation: true,
  tabSize: 2,
})

export const codeBlock: EditorBlock = {
  extension,
  view: () => import('./code-block-view.ts'),
  toolbar: {
    name: definition.strings.name!,
    words: definition.strings.words!,
    keys: 'Mod+Alt+C',
    Icon: SquareCode,
    run: (chain) => chain.toggleCodeBlock(),
    isOn: isOn(definition.name),
  },
}
