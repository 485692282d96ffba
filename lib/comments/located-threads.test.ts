import * as Y from 'yjs'
import { expect, test, vi } from 'vitest'
import { paragraph, textWith } from '../text/fixtures/text-sketches.ts'
import { linesOf } from '../text/lines.ts'
import { treeOf } from '../text/tree.ts'
import { threadAnchorOf } from './thread-anchor.ts'
import { replyToThread, startThread } from './edit-threads.ts'
import { LocatedThreads } from './located-threads.ts'

const ada = { id: 'ada', name: 'Ada' }

function openCommentedText() {
  const text = textWith(paragraph('one two'), paragraph('three'))
  const comments = new Y.Doc()
  const placed = new LocatedThreads(comments, text)
  const comment = (line: number, from: number, to: number) => {
    const stretch = { from: { line, offset: from }, to: { line, offset: to } }
    return startThread(comments, threadAnchorOf(linesOf(treeOf(text)), stretch)!, ada, 'hm')
  }
  const quotes = () =>
    placed.get().map(({ thread, range }) => `${range ? '' : 'gone: '}${thread.anchor.quote}`)
  return { text, comments, placed, comment, quotes }
}

test('threads come in the order of the text, those whose text is gone last', () => {
  const { text, comment, quotes } = openCommentedText()
  comment(1, 0, 5)
  comment(0, 4, 7)
  comment(0, 0, 3)
  expect(quotes()).toEqual(['one', 'two', 'three'])
  ;((text.get(0) as Y.XmlElement).get(0) as Y.XmlText).delete(0, 4)
  expect(quotes()).toEqual(['two', 'three', 'gone: one'])
})

test('what did not change stays the same object', () => {
  const { text, comments, placed, comment } = openCommentedText()
  const id = comment(0, 0, 3)
  comment(1, 0, 5)
  const before = placed.get()
  expect(placed.get()).toBe(before)
  ;((text.get(1) as Y.XmlElement).get(0) as Y.XmlText).insert(5, '!')
  expect(placed.get()).toBe(before)
  replyToThread(comments, id, ada, 'more')
  expect(placed.get()[0]).not.toBe(before[0])
  expect(placed.get()[1]).toBe(before[1])
})

test('listeners are notified of changes of threads and of the text, until they stop', async () => {
  const { text, placed, comment } = openCommentedText()
  const listener = vi.fn<() => void>()
  const stop = placed.subscribe(listener)
  comment(0, 0, 3)
  expect(listener).toHaveBeenCalledTimes(1)
  text.delete(0, 1)
  await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(2))
  stop()
  comment(0, 0, 3)
  expect(listener).toHaveBeenCalledTimes(2)
})
