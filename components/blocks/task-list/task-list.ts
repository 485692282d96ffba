import { ListChecks } from 'lucide-react'
import { TaskItem } from '@tiptap/extension-list/task-item'
import { taskItem as itemDefinition, taskList as listDefinition } from '@/lib/blocks/task-list/task-list.ts'
import { ownDirection } from '@/lib/blocks/own-direction.ts'
import { strings } from '@/lib/strings/editor.ts'
import type { EditorBlock } from '../editor-block.ts'
import { listBlock } from '../list-block.ts'
import { nodeFields } from '../schema-fields.ts'
import { markdownTaskRule } from './markdown-task-rule.ts'

export const taskList = listBlock(listDefinition, { item: 'taskItem', keys: 'Mod+Shift+9', Icon: ListChecks })

const extension = TaskItem.extend({
  // The task that Enter begins is not done.
  ...nodeFields(itemDefinition, { checked: { keepOnSplit: false } }),
  addInputRules() {
    return [...(this.parent?.() ?? []), markdownTaskRule(this.type)]
  },
}).configure({
  nested: true,
  HTMLAttributes: ownDirection,
  a11y: { checkboxLabel: (node) => node.textContent || strings.text.emptyTask },
})

export const taskItem: EditorBlock = { extension }
