import type { NodeDefinition } from '../definitions.ts'
import { ownDirection } from '../own-direction.ts'
import { isTaskDone } from './is-task-done.ts'

/** Rules for lists of tasks come before those for other lists. */
const BEFORE_LISTS = 51

export const taskList: NodeDefinition = {
  name: 'taskList',
  schema: {
    content: 'taskItem+',
    group: 'block list',
    parseDOM: [{ tag: 'ul[data-type="taskList"]', priority: BEFORE_LISTS }],
    toDOM: () => ['ul', { 'data-type': 'taskList' }, 0],
  },
  strings: { kind: () => 'task list', name: 'Task list', words: 'todo to-do checklist checkbox' },
}

export const taskItem: NodeDefinition = {
  name: 'taskItem',
  schema: {
    content: 'paragraph block*',
    defining: true,
    attrs: { checked: { default: false } },
    parseDOM: [
      {
        tag: 'li[data-type="taskItem"]',
        priority: BEFORE_LISTS,
        getAttrs: (item) => ({ checked: /^(?:true)?$/.test(item.getAttribute('data-checked') ?? 'no') }),
        contentElement: (item) => item.querySelector('div') ?? item,
      },
    ],
    toDOM({ attrs }) {
      const isDone = isTaskDone(attrs)
      return [
        'li',
        { ...ownDirection, 'data-type': 'taskItem', 'data-checked': isDone },
        ['label', ['input', { type: 'checkbox', checked: isDone ? 'checked' : null }], ['span']],
        ['div', 0],
      ]
    },
  },
  strings: { kind: (attributes) => (isTaskDone(attributes) ? 'task, done' : 'task, not done') },
  sign: (attributes) => (isTaskDone(attributes) ? '☑' : '☐'),
}
