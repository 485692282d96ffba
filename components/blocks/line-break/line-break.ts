import { HardBreak } from '@tiptap/extension-hard-break'
import { lineBreak as definition } from '@/lib/blocks/line-break/line-break.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

const extension = HardBreak.extend(nodeFields(definition))

export const lineBreak: EditorBlock = { extension }
