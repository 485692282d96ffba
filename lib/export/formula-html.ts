/** Writes LaTeX as MathML, without a browser. Of what Temml makes only MathML with known attributes is written. */
import Temml from 'temml'
import {
  formulaOptions,
  formulaProblemOf,
  isKnownMathAttribute,
  isKnownMathClass,
  MAX_FORMULA_ELEMENTS,
} from '../blocks/math/formula-limits.ts'

/** Null for what is no formula: then its source is written. */
export function formulaHtml(latex: string, isBlock: boolean): string | null {
  if (latex === '' || formulaProblemOf(latex) !== null) return null
  try {
    return cleanMathml(Temml.renderToString(latex, formulaOptions(isBlock)))
  } catch {
    return null
  }
}

/** A tag with attributes in quotes, as Temml writes each. */
const tag = /<(\/?)([a-z]+)((?:\s+[\w:-]+="[^"<>]*")*)\s*(\/?)>/

const mathmlElement = /^(?:math|m[a-z]+|semantics)$/

function cleanMathml(markup: string): string | null {
  const parts = markup.split(new RegExp(tag, 'g'))
  if (parts.length > 10 * MAX_FORMULA_ELEMENTS) return null
  let html = ''
  // Between two tags are letters; each tag is four parts.
  for (let at = 0; at < parts.length; at += 5) {
    html += parts[at]!.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const [slash, name, attributes, end] = parts.slice(at + 1, at + 5)
    if (name !== undefined && mathmlElement.test(name))
      html += `<${slash}${name}${cleanAttributes(attributes!)}${end}>`
  }
  return html
}

const cleanAttributes = (attributes: string): string =>
  [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)]
    .map(([, name, value]) => [name!, name === 'class' ? cleanClasses(value!) : value!] as const)
    .filter(([name, value]) => isKnownMathAttribute(name) && (name !== 'style' || isSafeStyle(value)))
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')

const cleanClasses = (value: string): string =>
  value
    .split(' ')
    .filter((name) => isKnownMathClass(name))
    .join(' ')

/** Lengths, colours and words: no addresses, and nothing that leaves its place. */
const isSafeStyle = (value: string): boolean =>
  /^[\w\s:;.,#%-]*$/.test(value) && !/position|fixed/i.test(value)
