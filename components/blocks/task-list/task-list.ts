import { wrappingInputRule } from '@tiptap/core'
import { ListChecks } from 'lucide-react'
import { taskItem as itemDefinition, taskList as listDefinition } from '@/lib/blocks/task-list/task-list.ts'
import type { EditorBlock } from '../editor-block.ts'
import { itemBlock } from '../item-block.ts'
import { listBlock } from '../list-block.ts'
import { markdownTaskRule } from './markdown-task-rule.ts'

export const taskList = listBlock(listDefinition, { item: 'taskItem', keys: 'Mod+Shift+9', Icon: ListChecks })

const extension = itemBlock(itemDefinition, {
  // The task that Enter begins is not done.
  attributes: { checked: { keepOnSplit: false } },
  inputRules: (type) => [
    wrappingInputRule({
      find: /^\s*(\[([( |x])?\])\s$/,
      type,
      getAttributes: (match) => ({ checked: match.at(-1) === 'x' }),
    }),
    markdownTaskRule(type),
  ],
})

export const taskItem: EditorBlock = { extension, view: () => import('./task-item-view.ts') }
