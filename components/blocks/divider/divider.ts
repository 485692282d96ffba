import { HorizontalRule } from '@tiptap/extension-horizontal-rule'
import { divider as definition } from '@/lib/blocks/divider/divider.ts'
import { nodeFields } from '../schema-fields.ts'

export const divider = HorizontalRule.extend(nodeFields(definition))
