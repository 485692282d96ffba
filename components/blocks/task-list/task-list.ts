import { TaskItem } from '@tiptap/extension-list/task-item'
import { taskItem as itemDefinition, taskList as listDefinition } from '@/lib/blocks/task-list/task-list.ts'
import { ownDirection } from '@/lib/blocks/own-direction.ts'
import { strings } from '@/lib/strings/editor.ts'
import { listExtension } from '../list-extension.ts'
import { nodeFields } from '../schema-fields.ts'
import { markdownTaskRule } from './markdown-task-rule.ts'

export const taskList = listExtension(listDefinition, { item: 'taskItem', keys: 'Mod-Shift-9' })

export const taskItem = TaskItem.extend({
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
