import { expect, test } from 'vitest'
import { MAX_DISPLAY_NAME, nameProblem, tidyName } from './display-name.ts'

test.each([
  ['  Ada Wren ', 'Ada Wren'],
  ['Zoe\u0308', 'Zoë'],
  ['나비', '나비'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['👩\u200d🚀 Ada', '👩\u200d🚀 Ada'],
  ['😀'.repeat(MAX_DISPLAY_NAME), '😀'.repeat(MAX_DISPLAY_NAME)],
  ['e\u0301'.repeat(MAX_DISPLAY_NAME), 'é'.repeat(MAX_DISPLAY_NAME)],
])('%j is a name', (given, name) => {
  expect(tidyName(given)).toBe(name)
  expect(nameProblem(tidyName(given))).toBe(null)
})

test.each([
  '',
  '   ',
  '\u3164\u2800\u115f',
  '\u200d',
  '\u0301',
  'Ada\nWren',
  'Ada\u0000',
  'Ada\u007f',
  'Ada\u0085Wren',
  'Ada\u2028Wren',
  '\u202eadA',
  'Ada\u2066',
  'Ada\u200f',
  'Ada\u061c',
  'A\u200bda',
  'A\u00adda',
  '\ufeffAda\u2060',
  'Ada\u{e0041}',
  'Ada\ud800',
  'x'.repeat(MAX_DISPLAY_NAME + 1),
  '😀'.repeat(MAX_DISPLAY_NAME + 1),
])('%j is no name', (given) => {
  expect(nameProblem(tidyName(given))).toEqual(expect.stringMatching(/^A name (has|needs) /))
})
