import { expect, test } from 'vitest'
import { fileProblem, fileKindOf } from './dropped-files.ts'

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

test('dropping a file of another kind, or one too large, shows its name and the reason', () => {
  expect(fileProblem({ name: 'a.png', type: 'image/png', size: 1 })).toBe(
    '“a.png” was not inserted: only text and Markdown files can be.',
  )
  expect(fileProblem({ name: 'a.md', type: '', size: 300_000 })).toBe(
    '“a.md” was not inserted: it is larger than 256 KB.',
  )
  expect(fileProblem({ name: 'a.md', type: '', size: 256 * 1024 })).toBeNull()
})
