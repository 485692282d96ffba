import { OrderedList } from '@tiptap/extension-list'
import { orderedList as definition } from '@/lib/blocks/ordered-list/ordered-list.ts'
import { nodeFields } from '../schema-fields.ts'

export const orderedList = OrderedList.extend(nodeFields(definition))
