import type { NodeView, NodeViewConstructor } from '@tiptap/pm/view'
import { textBindingOf } from '@/components/binding/text-binding.ts'
import { openOnEnter } from '../edit-node.ts'
import { showContents } from './contents-list.ts'

/** The links are reached by Enter on the selected block, and by arrow keys from each other; Escape returns to the text. */
export const createView: NodeViewConstructor = (node, view): NodeView => {
  const dom = document.createElement('nav')
  dom.className = 'table-of-contents'
  dom.dataset.contents = ''
  const binding = textBindingOf(view.state)
  const stop = binding && showContents(dom, binding.text)
  openOnEnter(dom, () => dom.querySelector('a')?.focus())
  // The text keeps the focus and the selection.
  dom.addEventListener('mousedown', (event) => linkAt(event) && event.preventDefault())
  dom.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') view.focus()
    else if (!moveFocus(dom, event)) return
    event.preventDefault()
  })
  return {
    dom,
    update: (next) => next.type === node.type,
    stopEvent: (event) => linkAt(event) !== null,
    ignoreMutation: ({ type }) => type !== 'selection',
    destroy: () => stop?.(),
  }
}

const linkAt = ({ target }: Event): Element | null => (target instanceof Element ? target.closest('a') : null)

function moveFocus(dom: HTMLElement, { key, target }: KeyboardEvent): boolean {
  const links = [...dom.querySelectorAll('a')]
  const by = { ArrowUp: -1, ArrowDown: 1 }[key]
  if (by === undefined) return false
  links[links.indexOf(target as HTMLAnchorElement) + by]?.focus()
  return true
}
