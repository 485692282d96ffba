/** Refuses what a parser of Markdown or HTML would take very long for, by counting signs before it is parsed. */
import { importStrings } from '../strings/import.ts'
import { MAX_BRACKETS, MAX_ELEMENTS, MAX_MARKUP_DEPTH } from './import-limits.ts'
import { ImportRefused } from './imported-document.ts'

/** @throws {ImportRefused} */
export function checkMarkdown(text: string, name: string): void {
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    if (countUpTo(paragraph, '[', MAX_BRACKETS) > MAX_BRACKETS)
      throw new ImportRefused(importStrings.refused.tooManyParts(name))
    for (const line of paragraph.split('\n'))
      if (depthOfLine(line) > MAX_MARKUP_DEPTH) throw new ImportRefused(importStrings.refused.tooDeep(name))
  }
}

/** How many quotes and lists a line begins. */
function depthOfLine(line: string): number {
  const marks = /[ \t]*(?:[-*+>]|\d{1,9}[.)])[ \t]*/y
  let depth = 0
  while (depth <= MAX_MARKUP_DEPTH && marks.test(line)) depth++
  // A rule, or the line below a heading.
  return /^[ \t]*([-*])[ \t]*(?:\1[ \t]*)*$/.test(line) ? 0 : depth
}

function countUpTo(text: string, sign: string, limit: number): number {
  let count = 0
  for (let at = text.indexOf(sign); at >= 0 && count <= limit; at = text.indexOf(sign, at + 1)) count++
  return count
}

/** Elements whose end may be left out, and those that have none. */
const withoutEnd =
  /^(?:p|li|td|th|tr|dt|dd|option|thead|tbody|tfoot|colgroup|html|head|body|area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/

/** @throws {ImportRefused} */
export function checkHtml(html: string, name: string): void {
  const tags = /<(\/?)([a-z][a-z\d]*)/gi
  let [count, depth] = [0, 0]
  for (let tag = tags.exec(html); tag; tag = tags.exec(html)) {
    if (tag[1] === '' && ++count > MAX_ELEMENTS)
      throw new ImportRefused(importStrings.refused.tooManyParts(name))
    if (withoutEnd.test(tag[2]!.toLowerCase())) continue
    depth = tag[1] === '/' ? Math.max(0, depth - 1) : depth + 1
    if (depth > MAX_MARKUP_DEPTH) throw new ImportRefused(importStrings.refused.tooDeep(name))
  }
}
