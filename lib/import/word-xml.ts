/** Writes into the main part of a DOCX what mammoth does not look at, in a form that it does. Each search goes over the letters once. */

import { latexOfOmml } from './omml-latex.ts'

/** The ids of styles that no program makes. */
export const QUOTE_STYLE = 'ImportedQuote'
export const DIVIDER_STYLE = 'ImportedDivider'
export const FORMULA_STYLE = 'ImportedFormula'

/** @param onLetters Called for each equation that became plain letters. */
export function prepareWordXml(xml: string, onLetters: () => void): string {
  const withHeads = xml.replaceAll(/<w:tblHeader w:val="(?:off|0|false)"\/>/g, '')
  const withoutBoxes = withHeads
    .replaceAll(/<m:oMathParaPr>[^]{0,200}?<\/m:oMathParaPr>/g, '')
    .replaceAll(/<\/?m:oMathPara>/g, '')
  const withLetters = replaceBetween(withoutBoxes, '<m:oMath', '</m:oMath>', (inner) =>
    runOfEquation(inner, onLetters),
  )
  return replaceBetween(withLetters, '<w:pPr>', '</w:pPr>', nameBorders)
}

/** @param replace Returns null where no part begins, in constant time: the search goes on inside. */
function replaceBetween(
  xml: string,
  open: string,
  close: string,
  replace: (inner: string, after: string) => string | null,
): string {
  const parts: string[] = []
  let done = 0
  let end = -1
  for (let start = xml.indexOf(open); start >= 0; start = xml.indexOf(open, Math.max(done, start + 1))) {
    if (end < start) end = xml.indexOf(close, start)
    if (end < 0) break
    const after = end + close.length
    const replaced = replace(xml.slice(start + open.length, end), xml.slice(after, after + 6))
    if (replaced === null) continue
    parts.push(xml.slice(done, start), replaced)
    done = after
  }
  return parts.join('') + xml.slice(done)
}

/** A run in its place. */
function runOfEquation(inner: string, onLetters: () => void): string | null {
  if (!/^[\s>]/.test(inner)) return null
  const latex = latexOfOmml(inner.slice(inner.indexOf('>') + 1))
  if (latex)
    return `<w:r><w:rPr><w:rStyle w:val="${FORMULA_STYLE}"/></w:rPr><w:t xml:space="preserve">${escapeXml(latex)}</w:t></w:r>`
  onLetters()
  const letters = [...inner.matchAll(/<m:t(?:\s[^<>]*)?>([^<]*)<\/m:t>/g)].map(([, text]) => text).join('')
  return `<w:r><w:t xml:space="preserve">${letters}</w:t></w:r>`
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A bar at the left is a quote, and a line below nothing a divider, where no style says otherwise. */
function nameBorders(inner: string, after: string): string {
  const same = `<w:pPr>${inner}</w:pPr>`
  const [, borders] = /<w:pBdr>([\s\S]{0,2000}?)<\/w:pBdr>/.exec(inner) ?? []
  if (borders === undefined || inner.includes('<w:pStyle')) return same
  const isQuote = /<w:left\s/.test(borders) && !/<w:(?:top|right)\s/.test(borders)
  const isDivider = after === '</w:p>' && /<w:(?:bottom|top)\s/.test(borders)
  if (!isQuote && !isDivider) return same
  return `<w:pPr><w:pStyle w:val="${isQuote ? QUOTE_STYLE : DIVIDER_STYLE}"/>${inner}</w:pPr>`
}
