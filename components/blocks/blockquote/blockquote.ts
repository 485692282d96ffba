import { Blockquote } from '@tiptap/extension-blockquote'
import { blockquote as definition } from '@/lib/blocks/blockquote/blockquote.ts'
import { nodeFields } from '../schema-fields.ts'

export const blockquote = Blockquote.extend(nodeFields(definition))
