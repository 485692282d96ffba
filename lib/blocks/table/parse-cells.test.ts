import { expect, test } from 'vitest'
import { formatCells } from './format-cells.ts'
import { hasMoreCells, parseCells } from './parse-cells.ts'

test.each<[string, string, string[][]]>([
  [
    'cells of Excel',
    'Name\tAge\r\nAda\t36\r\n',
    [
      ['Name', 'Age'],
      ['Ada', '36'],
    ],
  ],
  ['a row', 'a\tb', [['a', 'b']]],
  [
    'empty cells',
    'a\t\n\tb',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['lines within a cell', '"a\nb"\tc', [['a\nb', 'c']]],
  ['quotation marks', '"say ""hi"""\tc', [['say "hi"', 'c']]],
  ['quotation marks within letters', '5" pipe\tc', [['5" pipe', 'c']]],
  [
    'values between commas',
    'name,age\nAda,36',
    [
      ['name', 'age'],
      ['Ada', '36'],
    ],
  ],
  [
    'values between semicolons',
    'a;1,5\nb;2,5',
    [
      ['a', '1,5'],
      ['b', '2,5'],
    ],
  ],
  [
    'values with a comma in quotation marks',
    'a,"b, c"\nd,e',
    [
      ['a', 'b, c'],
      ['d', 'e'],
    ],
  ],
])('%s', (_name, text, rows) => {
  expect(parseCells(text)?.rows).toEqual(rows)
})

test.each([
  ['prose', 'Dear Ada,\nhow are you, and Bob?'],
  ['a line of prose', 'one, two'],
  ['numbers with a decimal comma', '1,5\n2,5'],
  ['lines with different numbers of tabs', 'a\tb\nc'],
  ['code that begins with tabs', 'if (x) {\n\treturn\n}'],
  ['indented lines', '\ta\n\tb'],
  ['nothing', ''],
])('%s is no table', (_name, text) => {
  expect(parseCells(text)).toBeNull()
})

test.each([
  [
    [
      ['a', 'b\nc'],
      ['"', ''],
    ],
  ],
  [[['a\tb', 'c']]],
])('%j is read again as what it was', (rows) => {
  expect(parseCells(formatCells(rows))?.rows).toEqual(rows)
})

test('more cells than a limit are counted without reading them', () => {
  expect(hasMoreCells('a\tb\nc\td', 3)).toBe(true)
  expect(hasMoreCells('a\tb\nc\td', 4)).toBe(false)
  expect(hasMoreCells('a\nb\nc\nd\ne', 4)).toBe(false)
})
