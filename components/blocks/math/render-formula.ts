/**
 * Draws LaTeX as MathML, which browsers draw and screen readers read. Anybody with write access may have written it: it cannot define
 * macros, so that its size follows from its length, and of what Temml makes only MathML with known attributes reaches the page.
 */
import Temml from 'temml'
import {
  formulaOptions,
  type FormulaProblem,
  formulaProblemOf,
  isKnownMathAttribute,
  isKnownMathClass,
  MAX_FORMULA_ELEMENTS,
} from '@/lib/blocks/math/formula-limits.ts'
import { formulasStrings } from '@/lib/strings/formulas.ts'
import 'temml/dist/Temml-Local.css'

const problemSentences: Readonly<Record<FormulaProblem, string>> = {
  'too long': formulasStrings.tooLong,
  'too deep': formulasStrings.tooDeep,
  definitions: formulasStrings.noDefinitions,
}

/** @returns What is wrong with it, in words; null where it was drawn. Then the target holds nothing else. */
export function renderFormula(target: HTMLElement, latex: string, isBlock: boolean): string | null {
  const problem = formulaProblemOf(latex)
  if (problem !== null) return problemSentences[problem]
  try {
    const drawn = document.createElement('span')
    Temml.render(latex, drawn, formulaOptions(isBlock))
    const elements = [...drawn.querySelectorAll('*')]
    if (elements.length > MAX_FORMULA_ELEMENTS) return formulasStrings.tooLong
    elements.forEach(cleanElement)
    target.replaceChildren(...drawn.childNodes)
    return null
  } catch (error) {
    return error instanceof Error && error.name === 'ParseError' ? sentenceOf(error) : formulasStrings.tooDeep
  }
}

/** Its message ends with the place, which it underlines by combining characters. */
const sentenceOf = ({ message }: Error): string =>
  formulasStrings.wrong(
    message
      .replace(/^ParseError:\s*/, '')
      .replace(/ at (?:position|end of input)[^]*$/, '')
      .trim(),
  )

const MATHML = 'http://www.w3.org/1998/Math/MathML'

function cleanElement(element: Element): void {
  if (element.namespaceURI !== MATHML) return element.replaceWith(element.textContent)
  for (const name of element.getAttributeNames())
    if (!isKnownMathAttribute(name)) element.removeAttribute(name)
  element.classList.remove(...Array.from(element.classList).filter((name) => !isKnownMathClass(name)))
  const { style } = element as MathMLElement
  if (style.position === 'fixed') style.removeProperty('position')
}
