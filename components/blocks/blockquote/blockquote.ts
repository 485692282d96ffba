import { Blockquote } from '@tiptap/extension-blockquote'
import { Quote } from 'lucide-react'
import { blockquote as definition } from '@/lib/blocks/blockquote/blockquote.ts'
import { type EditorBlock, isOn } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

const extension = Blockquote.extend(nodeFields(definition))

export const blockquote: EditorBlock = {
  extension,
  toolbar: {
    name: definition.strings.name!,
    words: definition.strings.words!,
    keys: 'Mod+Shift+B',
    Icon: Quote,
    run: (chain) => chain.toggleBlockquote(),
    isOn: isOn(definition.name),
  },
}
