import { CodeBlock } from '@tiptap/extension-code-block'
import { SquareCode } from 'lucide-react'
import { codeBlock as definition } from '@/lib/blocks/code-block/code-block.ts'
import { type EditorBlock, isOn } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

const extension = CodeBlock.extend(nodeFields(definition)).configure({
  enableTabIndentation: true,
  tabSize: 2,
})

export const codeBlock: EditorBlock = {
  extension,
  toolbar: {
    name: definition.strings.name!,
    words: definition.strings.words!,
    keys: 'Mod+Alt+C',
    Icon: SquareCode,
    run: (chain) => chain.toggleCodeBlock(),
    isOn: isOn(definition.name),
  },
}
