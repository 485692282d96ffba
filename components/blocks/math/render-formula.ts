/**
 * Draws LaTeX as MathML, which browsers draw and screen readers read. Anybody with write access may have written it: it cannot define
 * macros, so that its size follows from its length, and of what Temml makes only MathML with known attributes reaches the page.
 */
import Temml from 'temml'
import { MAX_FORMULA } from '@/lib/blocks/math/math.ts'
import { strings } from '@/lib/strings/formulas.ts'
import 'temml/dist/Temml-Local.css'

/** Groups within each other: a browser's stack holds some thousand. */
const MAX_DEPTH = 100

/** In elements. */
const MAX_ELEMENTS = 10_000

const definition = /\\(?:[egx]?def|(?:new|renew|provide)command|(?:future)?let|global|long)(?![a-zA-Z])/

/** @returns What is wrong with it, in words; null where it was drawn. Then the target holds nothing else. */
export function renderFormula(target: HTMLElement, latex: string, isBlock: boolean): string | null {
  const problem = problemBefore(latex)
  if (problem !== null) return problem
  try {
    const drawn = document.createElement('span')
    Temml.render(latex, drawn, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      strict: false,
      maxSize: [30, 400],
      maxExpand: 1_000,
    })
    const elements = [...drawn.querySelectorAll('*')]
    if (elements.length > MAX_ELEMENTS) return strings.tooLong
    elements.forEach(cleanElement)
    target.replaceChildren(...drawn.childNodes)
    return null
  } catch (error) {
    return error instanceof Error && error.name === 'ParseError' ? sentenceOf(error) : strings.tooDeep
  }
}

function problemBefore(latex: string): string | null {
  if (latex.length > MAX_FORMULA) return strings.tooLong
  if (depthOf(latex) > MAX_DEPTH) return strings.tooDeep
  return definition.test(latex) ? strings.noDefinitions : null
}

function depthOf(latex: string): number {
  let [depth, most] = [0, 0]
  for (const [sign] of latex.matchAll(/[{}]|\\(?:left|begin|right|end)(?![a-zA-Z])|\\[^]/g)) {
    if (sign === '{' || sign === '\\left' || sign === '\\begin') depth += 1
    else if (sign === '}' || sign === '\\right' || sign === '\\end') depth -= 1
    most = Math.max(most, depth)
  }
  return most
}

/** Its message ends with the place, which it underlines by combining characters. */
const sentenceOf = ({ message }: Error): string =>
  strings.wrong(
    message
      .replace(/^ParseError:\s*/, '')
      .replace(/ at (?:position|end of input)[^]*$/, '')
      .trim(),
  )

const MATHML = 'http://www.w3.org/1998/Math/MathML'

const knownAttributes =
  /^(?:accent|accentunder|class|columnalign|columnlines|columnspacing|columnspan|depth|display|displaystyle|fence|form|height|largeop|linebreak|linethickness|lspace|mathbackground|mathcolor|mathsize|mathvariant|maxsize|minsize|movablelimits|notation|rowlines|rowspacing|rowspan|rspace|scriptlevel|separator|stretchy|style|symmetric|voffset|width)$/

const knownClass =
  /^(?:(?:tml|chr|wbk|ff|longdiv|phasor|circle)-[\w-]+|mathcal|mathscr|menclose|upstrike|downstrike|sout|actuarial|textcircle|special-fraction)$/

function cleanElement(element: Element): void {
  if (element.namespaceURI !== MATHML) return element.replaceWith(element.textContent)
  for (const name of element.getAttributeNames())
    if (!knownAttributes.test(name)) element.removeAttribute(name)
  element.classList.remove(...Array.from(element.classList).filter((name) => !knownClass.test(name)))
  const { style } = element as MathMLElement
  if (style.position === 'fixed') style.removeProperty('position')
}
