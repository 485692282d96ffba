/** The small form in which a formula is edited. Knows no editor. */
import { MAX_FORMULA } from '@/lib/blocks/math/math.ts'
import './math-form.css'
import { formulasStrings } from '@/lib/strings/formulas.ts'

interface MathFormEvents {
  /** Returns what is wrong with the formula; null if nothing is. */
  draw(latex: string): string | null
  /** Called with what was typed, or null where it is to be as it was. @param isFocusKept Whether the focus is elsewhere already. */
  close(latex: string | null, isFocusKept?: boolean): void
}

export interface MathForm {
  readonly dom: HTMLElement
  /** Puts it below the formula, within the column of the text, and the focus into it. */
  show(formula: HTMLElement, column: HTMLElement): void
}

let count = 0

export function createMathForm(latex: string, { draw, close }: MathFormEvents): MathForm {
  const dom = createElement('span', 'math-form')
  const field = createElement('textarea', 'math-field')
  const problem = createElement('span', 'math-problem')
  const done = createElement('button', 'math-done')
  problem.id = `math-problem-${(count += 1)}`
  problem.setAttribute('role', 'status')
  dom.setAttribute('role', 'dialog')
  dom.setAttribute('aria-label', formulasStrings.label)
  dom.contentEditable = 'false'
  Object.assign(field, {
    value: latex,
    rows: 1,
    maxLength: MAX_FORMULA,
    placeholder: formulasStrings.placeholder,
    spellcheck: false,
  })
  field.setAttribute('aria-label', formulasStrings.source)
  field.setAttribute('aria-describedby', problem.id)
  field.setAttribute('autocapitalize', 'off')
  field.dir = 'ltr'
  Object.assign(done, { type: 'button', textContent: formulasStrings.done })
  dom.append(field, problem, done)

  const drawTyped = (): void => {
    const found = draw(field.value)
    problem.textContent = found ?? formulasStrings.hint
    field.setAttribute('aria-invalid', String(found !== null))
  }
  field.addEventListener('input', drawTyped)
  field.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    const isUndo =
      event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && field.value === latex
    // Escape leaves a former formula as it was. What was typed as a new one is nowhere else.
    if (event.key === 'Escape' || isUndo) close(latex === '' ? field.value : null)
    else if (event.key === 'Enter' && !event.shiftKey) close(field.value)
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  done.addEventListener('click', () => close(field.value))
  dom.addEventListener('focusout', ({ relatedTarget }) => {
    // A window that loses the focus gives it back to the field.
    if (document.hasFocus() && !dom.contains(relatedTarget as Node | null)) close(field.value, true)
  })
  return {
    dom,
    show(formula, column) {
      const [start, text] = [formula.getBoundingClientRect(), column.getBoundingClientRect()]
      const left = Math.min(0, text.right - start.left - dom.offsetWidth)
      dom.style.insetInlineStart = `${left}px`
      drawTyped()
      field.focus({ preventScroll: true })
      field.select()
      dom.scrollIntoView({ block: 'nearest' })
    },
  }
}

function createElement<Name extends 'span' | 'textarea' | 'button'>(name: Name, className: string) {
  const element = document.createElement(name)
  element.className = className
  return element
}
