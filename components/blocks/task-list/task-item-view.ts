/** A task in the editor: its box can be ticked. It is drawn from the schema's own `toDOM`, so that nothing moves when this has loaded. */
import { DOMSerializer, type Node } from '@tiptap/pm/model'
import type { NodeViewConstructor } from '@tiptap/pm/view'
import { isTaskDone } from '@/lib/blocks/task-list/is-task-done.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

export const createView: NodeViewConstructor = (node, view, getPos) => {
  const { dom, contentDOM } = DOMSerializer.renderSpec(document, node.type.spec.toDOM!(node))
  const item = dom
  const label = item.querySelector('label')!
  const box = item.querySelector('input')!
  label.contentEditable = 'false'
  const draw = (task: Node) => {
    const isDone = isTaskDone(task.attrs)
    item.dataset.checked = String(isDone)
    box.checked = isDone
    // Without the tasks below it, which have boxes of their own.
    box.ariaLabel = task.firstChild?.textContent || editorStrings.text.emptyTask
  }
  draw(node)
  // The text keeps the focus and the caret.
  box.addEventListener('mousedown', (event) => event.preventDefault())
  box.addEventListener('change', () => {
    const { checked } = box
    const at = getPos()
    const task = at === undefined ? null : view.state.doc.nodeAt(at)
    if (at === undefined || !task || !view.editable) {
      box.checked = !checked
      return
    }
    view.focus()
    view.dispatch(view.state.tr.setNodeMarkup(at, null, { ...task.attrs, checked }))
  })
  return {
    dom: item,
    contentDOM: contentDOM!,
    update(next) {
      if (next.type !== node.type) return false
      draw(next)
      return true
    },
  }
}
