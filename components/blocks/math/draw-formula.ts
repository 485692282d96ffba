/** Draws a formula into an element. Where it is none, its source stands there, with a sentence. */
import { formulasStrings } from '@/lib/strings/formulas.ts'
import { renderFormula } from './render-formula.ts'

/** @returns What is wrong with it; null if nothing is. */
export function drawFormula(target: HTMLElement, latex: string, isBlock: boolean): string | null {
  const problem = latex === '' ? null : renderFormula(target, latex, isBlock)
  if (latex === '' || problem !== null) target.textContent = latex === '' ? formulasStrings.empty : latex
  target.classList.toggle('math-source', latex === '' || problem !== null)
  if (problem === null) target.removeAttribute('title')
  else target.title = problem
  return problem
}
