/** Formulas go to Word and come back as the same formula: Temml makes the same of both. */
import Temml from 'temml'
import { expect, test } from 'vitest'
import { ommlOf } from '../export/docx/formula-omml.ts'
import { latexOfOmml } from './omml-latex.ts'

const innerOf = (omml: string): string => /<m:oMath>(.*)<\/m:oMath>/.exec(omml)![1]!

/** What is drawn, without what only spaces it. */
const drawn = (latex: string): string =>
  Temml.renderToString(latex)
    .replaceAll(
      / (?:class|style|lspace|rspace|movablelimits|stretchy|form|fence|separator|width|largeop)="[^"]*"/g,
      '',
    )
    .replaceAll(/<\/?(?:mrow|mstyle|mpadded)>|<mspace><\/mspace>|\u2061/g, '')

test.each([
  'a+b',
  '\\frac{1}{2}',
  '\\frac{x^2+1}{\\sqrt{y}}',
  'x^2',
  'a_i^2',
  'x_{n+1}',
  '{(a+b)}^2',
  '\\sqrt[3]{x+1}',
  '\\sum_{i=0}^n i^2',
  '\\int_0^1 x\\,dx',
  '\\prod_{k=1}^{n} k',
  '\\left(\\frac{a}{b}\\right)',
  '\\left[a,b\\right]',
  '\\left\\{ x \\right\\}',
  '\\begin{matrix}a & b \\\\ c & d\\end{matrix}',
  '\\alpha+\\beta\\neq\\gamma',
  '\\sin x+\\cos y',
  'x < y',
  'a \\& b',
  '\\text{if } x > 0',
  '\\hat{x}+\\vec{v}',
  '\\overline{ab}',
  '\\lim_{x\\to 0} x',
  'E=mc^2',
])('%s', (latex) => {
  const omml = ommlOf(latex, false)
  expect(omml).not.toBeNull()
  const read = latexOfOmml(innerOf(omml!))
  expect(read).not.toBeNull()
  expect(drawn(read!), read!).toBe(drawn(latex))
})

test.each(['', '\\cancel{x}', '\\color{red}{x}', '\\frac{1}{', '\\href{https://a.example}{x}'])(
  'what has no form in Word stays LaTeX: %s',
  (latex) => {
    expect(ommlOf(latex, false)).toBeNull()
  },
)

test.each([
  '<m:groupChr><m:e/></m:groupChr>',
  '<m:nary><m:naryPr><m:chr m:val="?"/></m:naryPr></m:nary>',
  '<m:r><m:t>x</m:r>',
  '<m:e>'.repeat(300) + '</m:e>'.repeat(300),
])('what LaTeX has no form for is no formula', (inner) => {
  expect(latexOfOmml(inner)).toBeNull()
})

test('what was inserted while changes were tracked is a part of the formula, and what was deleted is none', () => {
  const run = (letters: string): string => `<m:r><m:t>${letters}</m:t></m:r>`
  const latex = latexOfOmml(
    `${run('a')}<w:ins w:id="1">${run('+b')}</w:ins><w:del w:id="2">${run('+c')}</w:del><w:bookmarkEnd w:id="3"/>`,
  )
  expect(latex?.replaceAll(' ', '')).toBe('a+b')
  expect(latexOfOmml(`${run('a')}<w:r><w:t>b</w:t></w:r>`)).toBeNull()
})
