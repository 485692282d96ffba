import * as Y from 'yjs'
import { expect, test } from 'vitest'
import { appendBlocks, paragraph } from '../text/fixtures/text-sketches.ts'
import { LINE_END } from './passage.ts'
import { readSearchQuery } from './search-query.ts'
import { searchText } from './search-text.ts'
import { readSearchedText } from './searched-text.ts'

function bodyOf(title: string, ...blocks: Parameters<typeof appendBlocks>[1]): Y.Doc {
  const doc = new Y.Doc()
  doc.getText('title').insert(0, title)
  appendBlocks(doc.getXmlFragment('default'), blocks)
  return doc
}

const caption = (text: string) => ({ name: 'caption', children: [{ text }] })

test('the text has tables, code, captions, callouts, names of files, alternative texts, mentions and formulas', () => {
  const cell = { name: 'tableCell', children: [paragraph('in a cell')] }
  const body = bodyOf(
    'Budget plan',
    paragraph('ask ', { name: 'mention', attributes: { kind: 'person', id: 'user:ada', label: 'Ada Wren' } }),
    { name: 'callout', children: [paragraph('in a callout')] },
    { name: 'codeBlock', children: [{ text: 'const code = 1\nreturn code' }] },
    { name: 'table', children: [{ name: 'tableRow', children: [cell] }] },
    {
      name: 'picture',
      attributes: { name: 'holiday.png', alt: 'a beach' },
      children: [caption('a caption')],
    },
    { name: 'fileCard', attributes: { name: 'report.pdf' }, children: [caption('the report')] },
    { name: 'blockMath', attributes: { latex: 'a^2' } },
    { name: 'fromTheFuture', children: [{ text: 'unknown' }] },
  )
  const { title, passages } = readSearchedText(body, null)
  expect(title).toBe('Budget plan')
  expect(passages).toHaveLength(1)
  expect(passages[0]!.text.split('\n')).toEqual([
    'ask @Ada Wren',
    'in a callout',
    'const code = 1',
    'return code',
    'in a cell',
    'holiday.png',
    'a beach',
    'a caption',
    'report.pdf',
    'the report',
    expect.stringContaining('a^2'),
    'unknown',
  ])
  expect(passages[0]!.tokens).toMatch(/^ ask ada wren ¶ in a callout ¶ /)
})

test('comments are found', () => {
  const comments = new Y.Doc()
  const [thread, message] = [new Y.Map<unknown>(), new Y.Map<unknown>()]
  comments.getMap('threads').set('t1', thread)
  thread.set('messages', new Y.Array())
  ;(thread.get('messages') as Y.Array<unknown>).push([message])
  const author = { id: 'user:ada', name: 'Ada' }
  for (const [key, value] of Object.entries({ id: 'm1', author, at: 1, text: 'I doubt this' }))
    message.set(key, value)
  expect(readSearchedText(bodyOf(''), comments).passages.map(({ text }) => text)).toEqual(['I doubt this'])
})

test('a text is cut at its limits, in passages of a bounded length', () => {
  const line = 'several words of a line '.repeat(200)
  const { passages } = readSearchedText(
    bodyOf('', ...Array.from({ length: 300 }, () => paragraph(line))),
    null,
  )
  expect(Math.max(...passages.map(({ text }) => text.length))).toBeLessThanOrEqual(2_000)
  const letters = passages.reduce((sum, { text }) => sum + text.length, 0)
  expect(letters).toBeGreaterThan(900_000)
  expect(letters).toBeLessThanOrEqual(1_000_000)
  expect(passages.every(({ tokens }) => tokens.startsWith(' ') && tokens.endsWith(' '))).toBe(true)
})

test.each([
  ['words', Array.from({ length: 1_500 }, (_, at) => `word${at}`), ' '],
  ['Chinese', Array.from({ length: 5_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)), ''],
  ['surrogate pairs', Array.from({ length: 2_500 }, (_, at) => String.fromCodePoint(0x20000 + at)), ''],
])('each phrase of a line of many passages is found: %s', (_what, words, blank) => {
  const { passages } = readSearchedText(bodyOf('', paragraph(`x${blank}${words.join(blank)}`)), null)
  expect(passages.length).toBeGreaterThan(1)
  expect(passages.some(({ text }) => text.includes('\ufffd'))).toBe(false)
  for (let at = 0; at + 20 <= words.length; at += 5) {
    const [term] = readSearchQuery(`"${words.slice(at, at + 20).join(blank)}"`)
    const phrase = term!.tokens.join(' ')
    expect(passages.filter(({ tokens }) => tokens.includes(phrase)).length, phrase).toBeGreaterThan(0)
  }
  const known = new Set(words)
  if (blank)
    for (const { tokens } of passages)
      for (const token of tokens.trim().split(' '))
        expect(known.has(token) || token === 'x', token).toBe(true)
})

test('a word is kept 16,384 times, and none beside it becomes its neighbour', () => {
  const lines = Array.from({ length: 400 }, () => paragraph('a b '.repeat(100)))
  const { passages } = readSearchedText(bodyOf('', ...lines), null)
  const tokens = passages.flatMap((passage) => passage.tokens.split(' '))
  expect(tokens.filter((token) => token === 'a')).toHaveLength(16_384)
  expect(tokens.some((token, at) => token === 'a' && tokens[at + 1] === 'a')).toBe(false)
})

test('distinct words are bounded, and no line goes on in the next', () => {
  const words = Array.from({ length: 100_000 }, (_, at) => `word${at.toString(36)}`)
  const lines = Array.from({ length: 1_000 }, (_, at) =>
    paragraph(words.slice(at * 100, at * 100 + 100).join(' ')),
  )
  const { passages } = readSearchedText(bodyOf('', ...lines), null)
  const found = new Set(passages.flatMap(({ tokens }) => tokens.split(' ')))
  expect(found.size).toBeGreaterThan(40_000)
  expect(found.size).toBeLessThan(60_000)
  expect(found).toContain(LINE_END)
})

test('a device finds the same words, in title and text together', () => {
  const text = readSearchedText(
    bodyOf('Budget plan', paragraph('first line'), paragraph('with a zebra in it')),
    null,
  )
  const search = (query: string) => searchText(text, readSearchQuery(query))
  expect(search('budget zeb')).toEqual({
    titleMarks: [{ from: 0, to: 6 }],
    snippet: { text: 'with a zebra in it', marks: [{ from: 7, to: 12 }] },
  })
  expect(search('plan')?.snippet).toEqual({ text: 'first line', marks: [] })
  expect(search('budget horse')).toBeNull()
})
