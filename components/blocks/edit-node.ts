/**
 * Sent to the element of a selected node when Enter is pressed: its view is loaded late, and opens what it is edited by. Not for nodes with
 * letters of their own.
 */
import { Extension } from '@tiptap/core'
import { NodeSelection } from '@tiptap/pm/state'

const EDIT_NODE = 'editnode'

export const EditNodeKey = Extension.create({
  name: 'editNodeKey',
  // Before the keys that put a new line behind the node.
  priority: 200,
  addKeyboardShortcuts() {
    return {
      Enter: ({ editor: { view } }) => {
        const { selection } = view.state
        if (!(selection instanceof NodeSelection) || !view.editable) return false
        const event = new CustomEvent(EDIT_NODE, { cancelable: true })
        view.nodeDOM(selection.from)?.dispatchEvent(event)
        return event.defaultPrevented
      },
    }
  },
})

/** Calls `open` for Enter on the selected node. */
export const openOnEnter = (dom: HTMLElement, open: () => void): void =>
  dom.addEventListener(EDIT_NODE, (event) => {
    event.preventDefault()
    open()
  })

/** Calls `open` for a click and for Enter. */
export function openOnRequest(
  dom: HTMLElement,
  isWithinForm: (target: Node) => boolean,
  open: () => void,
): void {
  dom.addEventListener('click', ({ target }) => {
    if (!isWithinForm(target as Node)) open()
  })
  openOnEnter(dom, open)
}
