import { expect, test } from 'vitest'
import { fileKindOf, textProblem } from './dropped-files.ts'

test.each([
  ['notes.md', 'text/markdown', 'markdown'],
  ['notes.md', '', 'markdown'],
  ['NOTES.Markdown', 'application/octet-stream', 'markdown'],
  ['notes.txt', 'text/plain', 'text'],
  ['LICENSE', 'text/plain', 'text'],
  ['notes.txt', '', 'text'],
  ['page.html', 'text/html', 'other'],
  ['a.png', 'image/png', 'other'],
  ['txt', '', 'other'],
] as const)('a file %j of type %j is %s', (name, type, kind) => {
  expect(fileKindOf({ name, type })).toBe(kind)
})

test('dropping a text that is too large shows its name and the reason', () => {
  expect(textProblem({ name: 'a.md', size: 300_000 })).toBe(
    '“a.md” was not inserted: it is larger than 256 KB.',
  )
  expect(textProblem({ name: 'a.md', size: 256 * 1024 })).toBeNull()
})
