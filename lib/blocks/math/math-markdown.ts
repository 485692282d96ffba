/**
 * Formulas in Markdown: `$x$` among letters, and `$$` on lines of their own. Within a word, and around a dollar sign, GitHub's other form
 * is written, with backticks between dollar and formula.
 */
import type { BlockContent, Code, Literal, PhrasingContent } from 'mdast'
import type { JsonNode } from '../json-node.ts'
import type { NodeMarkdown } from '../markdown-types.ts'
import { latexOf } from './math.ts'

export interface InlineMath extends Literal {
  type: 'inlineMath'
}

declare module 'mdast' {
  interface PhrasingContentMap {
    inlineMath: InlineMath
  }
  interface RootContentMap {
    inlineMath: InlineMath
  }
}

/** The information of a fenced block that is a formula: GitHub's, too. */
export const MATH_FENCE = 'math'

function writeInlineMath(latex: string, isWithinWord: boolean): PhrasingContent[] {
  const value = latex.replaceAll(/\s+/g, ' ')
  if (value === '') return []
  const isPlain = !isWithinWord && !/(?<!\\)(?:\\\\)*\$|\\$|^`/.test(value)
  if (isPlain) return [{ type: 'html', value: `$${value}$` }]
  const ticks = '`'.repeat(longestRunOf('`', value) + 1)
  const space = /^`|`$/.test(value) ? ' ' : ''
  return [{ type: 'html', value: `$${ticks}${space}${value}${space}${ticks}$` }]
}

const longestRunOf = (sign: string, value: string): number =>
  Math.max(0, ...[...value.matchAll(new RegExp(`${sign}+`, 'g'))].map(([run]) => run.length))

const readInlineMath = ({ value }: InlineMath): JsonNode[] => [
  { type: 'inlineMath', attrs: { latex: value } },
]

/** Markdown would end it at an empty line. */
function writeBlockMath(latex: string): BlockContent[] {
  const value = latex.replaceAll(/\r\n?/g, '\n').replaceAll(/\n\s*\n/g, '\n')
  if (value === '') return []
  if (/\$\$|~~~/.test(value)) return [{ type: 'code', lang: MATH_FENCE, value }]
  return [{ type: 'html', value: `$$\n${value}\n$$` }]
}

const readBlockMath = ({ lang, value }: Code): JsonNode[] | null =>
  lang === MATH_FENCE ? [{ type: 'blockMath', attrs: { latex: value.trim() } }] : null

export const inlineMathMarkdown: NodeMarkdown = {
  writeInline: (block, _writer, isWithinWord) => writeInlineMath(latexOf(block.attributes), isWithinWord),
  readInline: { inlineMath: readInlineMath },
  unsafe: { character: '$', after: '\\S' },
}

export const blockMathMarkdown: NodeMarkdown = {
  write: (block) => writeBlockMath(latexOf(block.attributes)),
  read: { code: readBlockMath },
}
