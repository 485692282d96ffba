import * as Y from 'yjs'
import { expect, test, vi } from 'vitest'
import { findIn, type Found, patternOf, type Query } from './find.ts'
import { Finder, type Search } from './finder.ts'
import { paragraph, sketchOf, textWith } from './fixtures/texts.ts'

const here: Search = (texts, query) => {
  const pattern = patternOf(query)
  return pattern ? findIn(texts, pattern) : { matches: [], complete: true }
}

function finding(search: Search = here) {
  const fragment = textWith(paragraph('one two one'), paragraph('two one'))
  const finder = new Finder(fragment, search)
  const close = finder.open()
  const node = (block: number) => (fragment.get(block) as Y.XmlElement).get(0) as Y.XmlText
  const seen = () => {
    const { matches, current } = finder.get()
    return matches.map(({ line, offset }, index) => `${line}:${offset}${index === current ? '*' : ''}`)
  }
  return { fragment, finder, close, node, seen }
}

test('what is asked is found at once, and steps go round', async () => {
  const { finder, seen, close } = finding()
  expect(await finder.ask({ text: 'one' })).toMatchObject({ line: 0, offset: 0 })
  expect(seen()).toEqual(['0:0*', '0:8', '1:4'])
  finder.step(-1)
  expect(seen()).toEqual(['0:0', '0:8', '1:4*'])
  finder.step(1)
  expect(seen()).toEqual(['0:0*', '0:8', '1:4'])
  close()
})

test('while the text changes, the same match is looked at', async () => {
  const { finder, fragment, node, seen, close } = finding()
  await finder.ask({ text: 'one' })
  finder.step(1)
  fragment.insert(0, [new Y.XmlElement('paragraph')])
  node(1).insert(0, 'one more ')
  await vi.waitFor(() => expect(seen()).toEqual(['1:0', '1:9', '1:17*', '2:4']))
  close()
})

test('another question goes on from where the last one was', async () => {
  const { finder, seen, close } = finding()
  await finder.ask({ text: 'one' })
  finder.step(1)
  await finder.ask({ text: 'two' })
  expect(seen()).toEqual(['0:4', '1:0*'])
  close()
})

test('one is replaced, and the next one is looked at, not what was put in', async () => {
  const { finder, fragment, seen, close } = finding()
  await finder.ask({ text: 'one' })
  const { doc } = fragment
  expect(await doc!.transact(() => finder.replace('one and one'))).toMatchObject({ line: 0, offset: 16 })
  expect(seen()).toEqual(['0:0', '0:8', '0:16*', '1:4'])
  expect(sketchOf(fragment)[0]).toEqual(paragraph('one and one two one'))
  close()
})

test('all are replaced as one edit', async () => {
  const { finder, fragment, seen, close } = finding()
  const origins: unknown[] = []
  fragment.doc!.on('update', (_update: Uint8Array, origin: unknown) => origins.push(origin))
  await finder.ask({ text: '(o)ne', regularExpression: true })
  expect(finder.replaceAll('$1ther')).toBe(3)
  expect(origins).toEqual([finder])
  expect(sketchOf(fragment)).toEqual([paragraph('other two other'), paragraph('two other')])
  expect(seen()).toEqual([])
  close()
})

test('a problem is said, and gone with the next question', async () => {
  const { finder, close } = finding()
  await finder.ask({ text: '(', regularExpression: true })
  expect(finder.get()).toMatchObject({
    problem: 'Invalid regular expression: unterminated group.',
    matches: [],
  })
  await finder.ask({ text: 'two' })
  expect(finder.get()).toMatchObject({ problem: null, matches: { length: 2 } })
  close()
})

test('of searches that take long only the latest counts', async () => {
  const answers: ((found: Found) => void)[] = []
  const { finder, close } = finding(() => new Promise((resolve) => answers.push(resolve)))
  const match = (text: string): Found => ({
    complete: true,
    matches: [{ line: 0, offset: 0, text, caught: [], named: {} }],
  })
  const first = finder.ask({ text: 'o' })
  const second = finder.ask({ text: 'on' })
  expect(finder.get().searching).toBe(true)
  answers.at(-1)!(match('on'))
  expect(await second).toMatchObject({ text: 'on' })
  answers.at(-2)!(match('o'))
  expect(await first).toBeNull()
  expect(finder.get()).toMatchObject({ searching: false, matches: [{ text: 'on' }] })
  close()
})

test('nobody looks: nothing is shown and nothing is searched', async () => {
  const asked: Query[] = []
  const { finder, node, seen, close } = finding((texts, query) => {
    asked.push(query)
    return here(texts, query)
  })
  await finder.ask({ text: 'one' })
  close()
  expect(seen()).toEqual([])
  expect(finder.get().query.text).toBe('one')
  const before = asked.length
  node(0).insert(0, 'one ')
  const again = finder.open()
  expect(asked).toHaveLength(before + 1)
  expect(seen()).toEqual(['0:0*', '0:4', '0:12', '1:4'])
  again()
})
