/** What of LaTeX is drawn. Anybody with write access may have written it: it cannot define macros, so that its size follows from its length. */
import { MAX_FORMULA } from './math.ts'

/** Groups within each other: a browser's stack holds some thousand. */
const MAX_DEPTH = 100

/** In elements. */
export const MAX_FORMULA_ELEMENTS = 10_000

/** Of Temml. */
export const formulaOptions = (isBlock: boolean) => ({
  displayMode: isBlock,
  throwOnError: true,
  trust: false,
  strict: false,
  maxSize: [30, 400] as [number, number],
  maxExpand: 1_000,
})

const definition = /\\(?:[egx]?def|(?:new|renew|provide)command|(?:future)?let|global|long)(?![a-zA-Z])/

export type FormulaProblem = 'too long' | 'too deep' | 'definitions'

/** Null for a formula that may be parsed. */
export function formulaProblemOf(latex: string): FormulaProblem | null {
  if (latex.length > MAX_FORMULA) return 'too long'
  if (depthOf(latex) > MAX_DEPTH) return 'too deep'
  return definition.test(latex) ? 'definitions' : null
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

export const isKnownMathAttribute = (name: string): boolean => knownAttributes.test(name)

export const isKnownMathClass = (name: string): boolean => knownClass.test(name)

const knownAttributes =
  /^(?:accent|accentunder|class|columnalign|columnlines|columnspacing|columnspan|depth|display|displaystyle|fence|form|height|largeop|linebreak|linethickness|lspace|mathbackground|mathcolor|mathsize|mathvariant|maxsize|minsize|movablelimits|notation|rowlines|rowspacing|rowspan|rspace|scriptlevel|separator|stretchy|style|symmetric|voffset|width)$/

const knownClass =
  /^(?:(?:tml|chr|wbk|ff|longdiv|phasor|circle)-[\w-]+|mathcal|mathscr|menclose|upstrike|downstrike|sout|actuarial|textcircle|special-fraction)$/
