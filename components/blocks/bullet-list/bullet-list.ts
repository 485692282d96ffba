import { BulletList } from '@tiptap/extension-list'
import { bulletList as definition } from '@/lib/blocks/bullet-list/bullet-list.ts'
import { nodeFields } from '../schema-fields.ts'

export const bulletList = BulletList.extend(nodeFields(definition))
