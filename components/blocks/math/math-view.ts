/** Draws formulas in the editor. One is edited in a small form below it, and drawn as it is typed; what was typed is one step of undo. */
import { Selection } from '@tiptap/pm/state'
import type { NodeViewConstructor } from '@tiptap/pm/view'
import { inlineMath, latexOf } from '@/lib/blocks/math/math.ts'
import { JOINS_UNDO_STEP } from '@/components/binding/shared-undo.ts'
import { openOnRequest } from '../edit-node.ts'
import { drawFormula } from './draw-formula.ts'
import { createMathForm, type MathForm } from './math-form.ts'

export const createView: NodeViewConstructor = (first, view, getPos) => {
  let node = first
  let form: MathForm | null = null
  const isBlock = node.type.name !== inlineMath.name
  const dom = document.createElement(isBlock ? 'div' : 'span')
  const shown = document.createElement('span')
  dom.className = 'math'
  dom.dataset.math = isBlock ? 'block' : 'inline'
  dom.dir = 'ltr'
  shown.className = 'math-shown'
  dom.append(shown)
  drawFormula(shown, latexOf(node.attrs), isBlock)

  const writeFormula = (latex: string): void => {
    const pos = getPos()
    if (pos === undefined) return
    const { tr } = view.state
    const former = latexOf(node.attrs)
    if (latex === '') tr.delete(pos, pos + node.nodeSize)
    else if (latex !== former) tr.setNodeAttribute(pos, 'latex', latex)
    if (latex !== '') tr.setSelection(Selection.near(tr.doc.resolve(pos + node.nodeSize)))
    // The making of a formula and its first letters are one step.
    view.dispatch(tr.setMeta(JOINS_UNDO_STEP, former === '').scrollIntoView())
  }
  const close = (latex: string | null, isFocusKept = false): void => {
    if (!form) return
    const closed = form
    form = null
    // Its field loses the focus by that, which would close it once more.
    closed.dom.remove()
    dom.classList.remove('math-edited')
    drawFormula(shown, latexOf(node.attrs), isBlock)
    if (latex !== null) writeFormula(latex.trim())
    if (!isFocusKept) view.focus()
  }
  const open = (): void => {
    if (form || !view.editable) return
    form = createMathForm(latexOf(node.attrs), {
      draw: (latex) => drawFormula(shown, latex.trim(), isBlock),
      close,
    })
    dom.classList.add('math-edited')
    dom.append(form.dom)
    form.show(dom, view.dom)
  }

  openOnRequest(dom, (target) => form?.dom.contains(target) === true, open)
  return {
    dom,
    update(updated) {
      if (updated.type !== node.type) return false
      const former = latexOf(node.attrs)
      node = updated
      if (!form && latexOf(node.attrs) !== former) drawFormula(shown, latexOf(node.attrs), isBlock)
      return true
    },
    selectNode() {
      dom.classList.add('ProseMirror-selectednode')
      if (latexOf(node.attrs) === '' && view.hasFocus()) queueMicrotask(open)
    },
    deselectNode: () => dom.classList.remove('ProseMirror-selectednode'),
    stopEvent: (event) => form?.dom.contains(event.target as Node) === true,
    ignoreMutation: (mutation) => mutation.type !== 'selection',
    destroy() {
      const closed = form
      form = null
      closed?.dom.remove()
    },
  }
}
