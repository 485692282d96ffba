import * as Y from 'yjs'
import { expect, test, vi } from 'vitest'
import { findMatches, type SearchResult, patternOf, type SearchQuery } from './find.ts'
import { Finder, type SearchFunction } from './finder.ts'
import { paragraph, sketchBlocks, textWith } from './fixtures/text-sketches.ts'

const searchDirectly: SearchFunction = (texts, query) => {
  const pattern = patternOf(query)
  return pattern ? findMatches(texts, pattern) : { matches: [], complete: true }
}

function openFinder(search: SearchFunction = searchDirectly) {
  const fragment = textWith(paragraph('one two one'), paragraph('two one'))
  const finder = new Finder(fragment, search)
  const close = finder.open()
  const node = (block: number) => (fragment.get(block) as Y.XmlElement).get(0) as Y.XmlText
  const matchList = () => {
    const { matches, current } = finder.get()
    return matches.map(({ line, offset }, index) => `${line}:${offset}${index === current ? '*' : ''}`)
  }
  return { fragment, finder, close, node, matchList }
}

test('a query is answered at once, and steps go round', async () => {
  const { finder, matchList, close } = openFinder()
  expect(await finder.runQuery({ text: 'one' })).toMatchObject({ line: 0, offset: 0 })
  expect(matchList()).toEqual(['0:0*', '0:8', '1:4'])
  finder.moveBy(-1)
  expect(matchList()).toEqual(['0:0', '0:8', '1:4*'])
  finder.moveBy(1)
  expect(matchList()).toEqual(['0:0*', '0:8', '1:4'])
  close()
})

test('while the text changes, the current match stays the same', async () => {
  const { finder, fragment, node, matchList, close } = openFinder()
  await finder.runQuery({ text: 'one' })
  finder.moveBy(1)
  fragment.insert(0, [new Y.XmlElement('paragraph')])
  node(1).insert(0, 'one more ')
  await vi.waitFor(() => expect(matchList()).toEqual(['1:0', '1:9', '1:17*', '2:4']))
  close()
})

test('another query goes on from the current match', async () => {
  const { finder, matchList, close } = openFinder()
  await finder.runQuery({ text: 'one' })
  finder.moveBy(1)
  await finder.runQuery({ text: 'two' })
  expect(matchList()).toEqual(['0:4', '1:0*'])
  close()
})

test('a query finds the first match after the caret, however many letters are typed, and round the end', async () => {
  const { finder, matchList, close } = openFinder()
  finder.startAt({ line: 0, offset: 3 })
  await finder.runQuery({ text: 'o' })
  expect(matchList()).toEqual(['0:0', '0:6*', '0:8', '1:2', '1:4'])
  await finder.runQuery({ text: 'on' })
  expect(matchList()).toEqual(['0:0', '0:8*', '1:4'])
  await finder.runQuery({ text: 'o' })
  expect(matchList()).toEqual(['0:0', '0:6*', '0:8', '1:2', '1:4'])
  finder.startAt({ line: 1, offset: 5 })
  await finder.runQuery({ text: 'one' })
  expect(matchList()).toEqual(['0:0*', '0:8', '1:4'])
  close()
})

test('from a caret in an empty line a query searches on', async () => {
  const { finder, fragment, matchList, close } = openFinder()
  fragment.insert(1, [new Y.XmlElement('paragraph')])
  finder.startAt({ line: 1, offset: 0 })
  await finder.runQuery({ text: 'one' })
  expect(matchList()).toEqual(['0:0', '0:8', '2:4*'])
  close()
})

test('where the current match is gone, the next one is shown before it is replaced', async () => {
  const { finder, fragment, node, matchList, close } = openFinder()
  await finder.runQuery({ text: 'one' })
  node(0).delete(0, 4)
  await vi.waitFor(() => expect(matchList()).toEqual(['0:4', '1:4']))
  expect(await finder.replace('1')).toMatchObject({ line: 0, offset: 4 })
  expect(matchList()).toEqual(['0:4*', '1:4'])
  expect(sketchBlocks(fragment)[0]).toEqual(paragraph('two one'))
  await finder.replace('1')
  expect(sketchBlocks(fragment)[0]).toEqual(paragraph('two 1'))
  expect(matchList()).toEqual(['1:4*'])
  close()
})

test('with no current match a step goes to the nearest one, forward or back', async () => {
  const { finder, matchList, close } = openFinder()
  await finder.runQuery({ text: 'one' })
  finder.startAt({ line: 0, offset: 5 })
  expect(matchList()).toEqual(['0:0', '0:8', '1:4'])
  finder.moveBy(1)
  expect(matchList()).toEqual(['0:0', '0:8*', '1:4'])
  finder.startAt({ line: 0, offset: 5 })
  finder.moveBy(-1)
  expect(matchList()).toEqual(['0:0*', '0:8', '1:4'])
  close()
})

test('one is replaced, and the next one becomes current, not the replacement', async () => {
  const { finder, fragment, matchList, close } = openFinder()
  await finder.runQuery({ text: 'one' })
  const { doc } = fragment
  expect(await doc!.transact(() => finder.replace('one and one'))).toMatchObject({ line: 0, offset: 16 })
  expect(matchList()).toEqual(['0:0', '0:8', '0:16*', '1:4'])
  expect(sketchBlocks(fragment)[0]).toEqual(paragraph('one and one two one'))
  close()
})

test('all are replaced as one edit', async () => {
  const { finder, fragment, matchList, close } = openFinder()
  const origins: unknown[] = []
  fragment.doc!.on('update', (_update: Uint8Array, origin: unknown) => origins.push(origin))
  await finder.runQuery({ text: '(o)ne', regularExpression: true })
  expect(finder.replaceAll('$1ther')).toBe(3)
  expect(origins).toEqual([finder])
  expect(sketchBlocks(fragment)).toEqual([paragraph('other two other'), paragraph('two other')])
  expect(matchList()).toEqual([])
  close()
})

test('a problem is reported, and gone with the next query', async () => {
  const { finder, close } = openFinder()
  await finder.runQuery({ text: '(', regularExpression: true })
  expect(finder.get()).toMatchObject({
    problem: 'Invalid regular expression: unterminated group.',
    matches: [],
  })
  await finder.runQuery({ text: 'two' })
  expect(finder.get()).toMatchObject({ problem: null, matches: { length: 2 } })
  close()
})

test('only the latest of several long searches counts', async () => {
  const answers: ((found: SearchResult) => void)[] = []
  const { finder, close } = openFinder(() => new Promise((resolve) => answers.push(resolve)))
  const match = (text: string): SearchResult => ({
    complete: true,
    matches: [{ line: 0, offset: 0, text, caught: [], named: {} }],
  })
  const first = finder.runQuery({ text: 'o' })
  const second = finder.runQuery({ text: 'on' })
  expect(finder.get().searching).toBe(true)
  answers.at(-1)!(match('on'))
  expect(await second).toMatchObject({ text: 'on' })
  answers.at(-2)!(match('o'))
  expect(await first).toBeNull()
  expect(finder.get()).toMatchObject({ searching: false, matches: [{ text: 'on' }] })
  close()
})

test('while nobody looks, nothing is shown and nothing is searched', async () => {
  const queries: SearchQuery[] = []
  const { finder, node, matchList, close } = openFinder((texts, query) => {
    queries.push(query)
    return searchDirectly(texts, query)
  })
  await finder.runQuery({ text: 'one' })
  close()
  expect(matchList()).toEqual([])
  expect(finder.get().query.text).toBe('one')
  const before = queries.length
  node(0).insert(0, 'one ')
  const again = finder.open()
  expect(queries).toHaveLength(before + 1)
  expect(matchList()).toEqual(['0:0', '0:4', '0:12', '1:4'])
  again()
})
