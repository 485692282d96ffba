import { HardBreak } from '@tiptap/extension-hard-break'
import { lineBreak as definition } from '@/lib/blocks/line-break/line-break.ts'
import { nodeFields } from '../schema-fields.ts'

export const lineBreak = HardBreak.extend(nodeFields(definition))
