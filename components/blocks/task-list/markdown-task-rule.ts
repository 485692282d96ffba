/**
 * `- [ ] ` becomes a task. The dash has already made a bullet of the line when the box is typed. In a line that Enter has made a bullet or
 * a task, the dash stays a letter and is removed with the box.
 */
import { InputRule } from '@tiptap/core'
import { Fragment, type NodeType, type ResolvedPos } from '@tiptap/pm/model'
import { Selection, type Transaction } from '@tiptap/pm/state'
import { canJoin } from '@tiptap/pm/transform'

export const markdownTaskRule = (taskItem: NodeType): InputRule =>
  new InputRule({
    find: /^(?:[-*+]\s)?\[([ xX]?)\]\s$/,
    handler({ state, range, match }) {
      const { tr } = state
      const [$pos, checked] = [state.doc.resolve(range.from), match[1]?.toLowerCase() === 'x']
      if (!isFirstInBullet($pos) && !isFirstInTask($pos)) return null
      tr.delete(range.from, range.to)
      if (isFirstInTask($pos)) tr.setNodeMarkup($pos.before(-1), null, { checked })
      else convertToTask(tr, tr.doc.resolve(range.from), taskItem, checked)
    },
  })

const isFirstInBullet = ($pos: ResolvedPos): boolean =>
  $pos.depth >= 3 &&
  $pos.node(-1).type.name === 'listItem' &&
  $pos.node(-2).type.name === 'bulletList' &&
  $pos.index(-1) === 0

const isFirstInTask = ($pos: ResolvedPos): boolean =>
  $pos.depth >= 3 && $pos.node(-1).type.name === 'taskItem' && $pos.index(-1) === 0

/** The bullets before and after the new task stay bullets, in lists of their own. */
function convertToTask(tr: Transaction, $pos: ResolvedPos, taskItem: NodeType, checked: boolean): void {
  const [item, list, at] = [$pos.node(-1), $pos.node(-2), $pos.index(-2)]
  const { taskList } = taskItem.schema.nodes
  const bullets = list.content.content
  const listOf = (items: typeof bullets) => (items.length > 0 ? [list.copy(Fragment.from(items))] : [])
  const before = listOf(bullets.slice(0, at))
  const task = taskList!.create(null, taskItem.create({ checked }, item.content))
  const start = $pos.before(-2)
  tr.replaceWith(start, $pos.after(-2), [...before, task, ...listOf(bullets.slice(at + 1))])
  // The position inside the list, its item and the paragraph.
  const taskStart = start + (before[0]?.nodeSize ?? 0)
  tr.setSelection(Selection.near(tr.doc.resolve(taskStart + 3)))
  joinTaskLists(tr, taskStart)
}

function joinTaskLists(tr: Transaction, at: number): void {
  const { nodeBefore, nodeAfter } = tr.doc.resolve(at)
  if (nodeBefore?.type.name === 'taskList' && nodeBefore.type === nodeAfter?.type && canJoin(tr.doc, at))
    tr.join(at)
}
