import { CodeBlock } from '@tiptap/extension-code-block'
import { codeBlock as definition } from '@/lib/blocks/code-block/code-block.ts'
import { nodeFields } from '../schema-fields.ts'

export const codeBlock = CodeBlock.extend(nodeFields(definition)).configure({
  enableTabIndentation: true,
  tabSize: 2,
})
