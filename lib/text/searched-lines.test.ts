import { expect, test } from 'vitest'
import { findMatches, patternOf } from './find.ts'
import { Finder } from './finder.ts'
import { paragraph, textWith } from './fixtures/text-sketches.ts'
import { markdownOf } from './markdown.ts'
import { treeOf } from './tree.ts'

const ada = { name: 'mention', attributes: { kind: 'person', id: 'user:ada', label: 'Ada Wren' } }
const day = { name: 'date', attributes: { day: '2026-11-28' } }

function openFinder() {
  const line = {
    name: 'paragraph',
    children: [{ text: 'ask ' }, ada, { text: ' by ' }, day, { text: ' Ada' }],
  }
  const fragment = textWith(paragraph('Ada'), line)
  const finder = new Finder(fragment, (texts, query) => {
    const pattern = patternOf(query)
    return pattern ? findMatches(texts, pattern) : { matches: [], complete: true }
  })
  const close = finder.open()
  const find = async (text: string) => {
    await finder.runQuery({ text })
    return finder.get().matches.map(({ line: at, offset, text: found }) => [at, offset, found])
  }
  return { fragment, finder, find, [Symbol.dispose]: close }
}

test('a mention and a date are found by what they show, as one unit of their line', async () => {
  using opened = openFinder()
  expect(await opened.find('Ada')).toEqual([
    [0, 0, 'Ada'],
    [1, 4, '\uFFFC'],
    [1, 11, 'Ada'],
  ])
  expect(await opened.find('ask @Ada')).toEqual([[1, 0, 'ask \uFFFC']])
  expect(await opened.find('Wren by 2026-11')).toEqual([[1, 4, '\uFFFC by \uFFFC']])
  expect(await opened.find('a')).toEqual([
    [0, 0, 'A'],
    [0, 2, 'a'],
    [1, 0, 'a'],
    [1, 4, '\uFFFC'],
    [1, 11, 'A'],
    [1, 13, 'a'],
  ])
})

test('what is replaced is letters: a mention is passed over', async () => {
  using opened = openFinder()
  const { finder, fragment } = opened
  await finder.runQuery({ text: 'Ada' })
  for (let match = 0; match < 3; match++) await finder.replace('Eve')
  expect(markdownOf(treeOf(fragment))).toBe(
    'Eve\n\nask [@Ada Wren](mention:person/user:ada) by <time>2026-11-28</time> Eve\n',
  )
  expect(finder.replaceAll('Bob')).toBe(0)
})
