/** Shows a day as the reader's language writes it. A click, or Enter, opens a field in which it is changed; that is one step of undo. */
import { Selection } from '@tiptap/pm/state'
import type { NodeViewConstructor } from '@tiptap/pm/view'
import { dayOf, shownDay } from '@/lib/blocks/date/date.ts'
import { datesStrings } from '@/lib/strings/dates.ts'
import { openOnRequest } from '../edit-node.ts'

export const createView: NodeViewConstructor = (first, view, getPos) => {
  let node = first
  let field: HTMLInputElement | null = null
  const dom = document.createElement('time')
  const shown = document.createElement('span')
  dom.className = 'date'
  dom.append(shown)

  const draw = (): void => {
    const day = dayOf(node.attrs)
    shown.textContent = day === null ? datesStrings.none : shownDay(day)
    if (day === null) dom.removeAttribute('datetime')
    else dom.dateTime = day
  }
  /** @param isFocusKept Whether the focus is elsewhere already. */
  const close = (isWritten: boolean, isFocusKept = false): void => {
    if (!field) return
    const day = dayOf({ day: field.value })
    const closed = field
    field = null
    // It loses the focus by that, which would close it once more.
    closed.remove()
    const pos = getPos()
    if (pos === undefined) return
    const { tr } = view.state
    if (isWritten && day !== null && day !== dayOf(node.attrs)) tr.setNodeAttribute(pos, 'day', day)
    // The next letter would take the place of a selected date.
    if (!isFocusKept) tr.setSelection(Selection.near(tr.doc.resolve(pos + node.nodeSize)))
    view.dispatch(tr)
    if (!isFocusKept) view.focus()
  }
  const open = (): void => {
    if (field || !view.editable) return
    field = createField(dayOf(node.attrs) ?? '', close)
    dom.append(field)
    placeField(field, dom, view.dom)
    field.focus({ preventScroll: true })
    field.scrollIntoView({ block: 'nearest' })
  }

  draw()
  openOnRequest(dom, (target) => target === field, open)
  return {
    dom,
    update(updated) {
      if (updated.type !== node.type) return false
      node = updated
      draw()
      return true
    },
    selectNode: () => dom.classList.add('ProseMirror-selectednode'),
    deselectNode: () => dom.classList.remove('ProseMirror-selectednode'),
    stopEvent: ({ target }) => field !== null && target === field,
    ignoreMutation: ({ type }) => type !== 'selection',
    destroy() {
      const closed = field
      field = null
      closed?.remove()
    },
  }
}

function createField(
  day: string,
  close: (isWritten: boolean, isFocusKept?: boolean) => void,
): HTMLInputElement {
  const field = document.createElement('input')
  Object.assign(field, { type: 'date', className: 'date-field', value: day, contentEditable: 'false' })
  field.ariaLabel = datesStrings.field
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    close(event.key === 'Enter')
  })
  field.addEventListener('blur', () => {
    // A window that loses the focus gives it back to the field.
    if (document.hasFocus()) close(true, true)
  })
  return field
}

/** Below the date, within the column of the text. */
function placeField(field: HTMLElement, date: HTMLElement, column: HTMLElement): void {
  const [start, text] = [date.getBoundingClientRect(), column.getBoundingClientRect()]
  field.style.left = `${Math.min(0, text.right - start.left - field.offsetWidth)}px`
}
