import fc from 'fast-check'
import { describeBlock } from '../block.contract.ts'
import { blockMath, inlineMath } from './math.ts'

const formulas = [
  'x^2',
  '\\frac{a}{b}',
  'a_1 * b_2 * c',
  '\\text{costs \\$5}',
  '\\text{$x$}',
  '`a`',
  'a\\\\',
  '<b>',
  '"',
  '\\sqrt{2} $',
]

describeBlock(inlineMath, { attributes: fc.record({ latex: fc.constantFrom(...formulas) }) })

const blocks = [...formulas, 'a\n= b\n- c\n# d', '$$', '```\na', '~~~~~~~~']

describeBlock(blockMath, { attributes: fc.record({ latex: fc.constantFrom(...blocks) }) })
