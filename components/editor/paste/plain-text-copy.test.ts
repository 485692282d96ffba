import { Node } from '@tiptap/pm/model'
import { expect, test } from 'vitest'
import { textSchema as schema } from '../schema-extensions.ts'
import { plainTextOfSlice } from './plain-text-copy.ts'

const block = (type: string, ...content: object[]) => ({ type, content })
const paragraph = (...letters: string[]) =>
  block(
    'paragraph',
    ...letters.map((text) => (text === '\n' ? { type: 'hardBreak' } : { type: 'text', text })),
  )
const list = (...items: object[][]) =>
  block('bulletList', ...items.map((content) => block('listItem', ...content)))

const copierOf = (...content: object[]) => {
  const doc = Node.fromJSON(schema, { type: 'doc', content })
  return (from = 0, to = doc.content.size) => plainTextOfSlice(doc.slice(from, to))
}

test('each block becomes one line, and no line is added', () => {
  const quote = block('blockquote', paragraph('c'), paragraph('d'))
  expect(copierOf(paragraph('a'), paragraph('b'), quote)()).toBe('a\nb\nc\nd')
})

test('an empty paragraph becomes an empty line, a line break starts a new line, and a rule becomes none', () => {
  const copy = copierOf(paragraph('a', '\n', 'b'), paragraph(), { type: 'horizontalRule' }, paragraph('c'))
  expect(copy()).toBe('a\nb\n\nc')
})

test('a list within a list has a line for each item', () => {
  expect(copierOf(list([paragraph('a'), list([paragraph('b')])], [paragraph('c')]))()).toBe('a\nb\nc')
})

test('a partial selection copies only what is selected', () => {
  expect(copierOf(paragraph('abc'), paragraph('def'))(2, 8)).toBe('bc\nde')
})

test('a mention, a date and a formula are copied as what they show', () => {
  const line = block(
    'paragraph',
    { type: 'mention', attrs: { kind: 'person', id: 'user:ada', label: 'Ada' } },
    { type: 'text', text: ' by ' },
    { type: 'date', attrs: { day: '2026-11-28' } },
    { type: 'text', text: ': ' },
    { type: 'inlineMath', attrs: { latex: 'x^2' } },
  )
  expect(copierOf(line)()).toBe('@Ada by 2026-11-28: $x^2$')
})
