import { expect, onTestFinished, test, vi } from 'vitest'
import type * as Y from 'yjs'
import { countBlocks, countText, type CountResult, readingMinutes, watchCounts } from './count.ts'
import { heading, lineBreak, paragraph, textWith, appendBlocks } from './fixtures/text-sketches.ts'
import { treeOf } from './tree.ts'

const countAll = (fragment: Y.XmlFragment) => countBlocks(treeOf(fragment), () => true)

test('words, characters and paragraphs are those of all blocks', () => {
  const list = { name: 'bulletList', children: [{ name: 'listItem', children: [paragraph('two words')] }] }
  const text = textWith(heading(1, 'Plan'), paragraph('It’s 3.5 m', lineBreak, 'more'), paragraph(' '), list)
  expect(countAll(text)).toEqual({
    counts: { words: 7, characters: 28, withoutSpaces: 24, paragraphs: 2 },
    isWhole: true,
  })
})

test.each([
  ['', 0, 0],
  ['👩‍🚀 flies', 1, 7],
  ['e\u0301te\u0301', 1, 3],
  ['日本語を話します', 5, 8],
  ['สวัสดีครับ', 2, 7],
  ['מה שלומך', 2, 8],
  ['rock ’n’ roll, isn’t it?', 5, 24],
])('“%s” has %i words and %i characters', (text, words, characters) => {
  expect(countText(text)).toMatchObject({ words, characters })
})

test('without time it counts what it can, and goes on from there', () => {
  const text = textWith(...Array.from({ length: 10 }, (_, index) => paragraph(`word${index}`)))
  const countSome = (blocks: number) => {
    let left = blocks
    return countBlocks(treeOf(text), () => left-- > 0)
  }
  expect(countSome(4)).toMatchObject({ counts: { words: 4 }, isWhole: false })
  expect(countSome(4)).toMatchObject({ counts: { words: 8 }, isWhole: false })
  expect(countSome(4)).toMatchObject({ counts: { words: 10 }, isWhole: true })
  expect(countSome(0)).toMatchObject({ counts: { words: 10 }, isWhole: true })
})

test('a listener is called at once, and after changes', async () => {
  // Time stands still: a machine with other work may use up a turn's time before the first block is counted.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => clock.mockRestore())
  const text = textWith(paragraph('one'))
  const received: CountResult[] = []
  const stop = watchCounts(text, (counted) => received.push(counted))
  expect(received).toMatchObject([{ counts: { words: 1 } }])
  appendBlocks(text, [paragraph('and two')])
  appendBlocks(text, [paragraph('and three')])
  await vi.waitFor(() => expect(received).toMatchObject([{ counts: { words: 1 } }, { counts: { words: 5 } }]))
  stop()
})

test('reading time goes by words', () => {
  expect(readingMinutes(countText('word '.repeat(476)))).toBeCloseTo(2)
})
