import { TaskItem, TaskList } from '@tiptap/extension-list'
import { taskItem as itemDefinition, taskList as listDefinition } from '@/lib/blocks/task-list/task-list.ts'
import { ownDirection } from '@/lib/blocks/own-direction.ts'
import { strings } from '@/lib/strings/editor.ts'
import { nodeFields } from '../schema-fields.ts'
import { markdownTaskRule } from './markdown-task-rule.ts'

export const taskList = TaskList.extend(nodeFields(listDefinition))

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
