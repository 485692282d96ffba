import { expect, test } from 'vitest'
import { codeLanguageNamed, codeLanguages } from './code-languages.ts'

test('each name and alias means one language', () => {
  const words = codeLanguages.flatMap(({ id, aliases }) => [id, ...aliases])
  expect(new Set(words).size).toBe(words.length)
  for (const { id } of codeLanguages) expect(codeLanguageNamed(id)?.id).toBe(id)
})

test('a stored language can be written behind the fence of Markdown', () => {
  for (const { id } of codeLanguages) expect(id).toMatch(/^[\w+#-]{1,40}$/)
})

test.each([
  ['ts', 'typescript'],
  ['C++', 'cpp'],
  ['Objective-C', 'objectivec'],
  [null, undefined],
  ['brainfuck', undefined],
  ['constructor', undefined],
])('%s is %s', (word, id) => {
  expect(codeLanguageNamed(word)?.id).toBe(id)
})
