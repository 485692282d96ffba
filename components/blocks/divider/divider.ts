import { HorizontalRule } from '@tiptap/extension-horizontal-rule'
import { Minus } from 'lucide-react'
import { divider as definition } from '@/lib/blocks/divider/divider.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

const extension = HorizontalRule.extend(nodeFields(definition))

export const divider: EditorBlock = {
  extension,
  toolbar: {
    name: definition.strings.name!,
    words: definition.strings.words!,
    Icon: Minus,
    run: (chain) => chain.setHorizontalRule(),
  },
}
