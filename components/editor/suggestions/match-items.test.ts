import { expect, test } from 'vitest'
import { blockItems } from '../menus/toolbar-items.ts'
import { matchItems } from './match-items.ts'

const namesFor = (query: string) => matchItems(blockItems, query).map(({ name }) => name)

test.each([
  ['h1', 'Heading 1'],
  ['HEAD', 'Heading 1'],
  ['todo', 'Task list'],
  ['quote', 'Quote'],
  ['num', 'Numbered list'],
  ['code bl', 'Code block'],
  ['hr', 'Divider'],
])('%s finds %s first', (query, name) => {
  expect(namesFor(query)[0]).toBe(name)
})

test('all blocks are offered before a letter is typed, and none for what begins no word', () => {
  expect(namesFor('')).toEqual(blockItems.map(({ name }) => name))
  expect(namesFor('usr/bin')).toEqual([])
  expect(namesFor('uote')).toEqual([])
})

test('items whose name begins with the query come before those that are known by another word', () => {
  const items = [{ name: 'Divider', words: 'table' }, { name: 'Table' }]
  expect(matchItems(items, 'tab').map(({ name }) => name)).toEqual(['Table', 'Divider'])
})
