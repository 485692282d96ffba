import * as Y from 'yjs'
import { expect, test, vi } from 'vitest'
import { paragraph, textWith } from '../text/fixtures/texts.ts'
import { linesOf } from '../text/lines.ts'
import { treeOf } from '../text/tree.ts'
import { anchorOf } from './anchor.ts'
import { reply, startThread } from './edit.ts'
import { PlacedThreads } from './placed.ts'

const ada = { id: 'ada', name: 'Ada' }

function commented() {
  const text = textWith(paragraph('one two'), paragraph('three'))
  const comments = new Y.Doc()
  const placed = new PlacedThreads(comments, text)
  const comment = (line: number, from: number, to: number) => {
    const stretch = { from: { line, offset: from }, to: { line, offset: to } }
    return startThread(comments, anchorOf(linesOf(treeOf(text)), stretch)!, ada, 'hm')
  }
  const quotes = () =>
    placed.get().map(({ thread, stretch }) => `${stretch ? '' : 'gone: '}${thread.anchor.quote}`)
  return { text, comments, placed, comment, quotes }
}

test('threads come in the order of the text, those whose text is gone last', () => {
  const { text, comment, quotes } = commented()
  comment(1, 0, 5)
  comment(0, 4, 7)
  comment(0, 0, 3)
  expect(quotes()).toEqual(['one', 'two', 'three'])
  ;((text.get(0) as Y.XmlElement).get(0) as Y.XmlText).delete(0, 4)
  expect(quotes()).toEqual(['two', 'three', 'gone: one'])
})

test('what did not change stays the same object', () => {
  const { text, comments, placed, comment } = commented()
  const id = comment(0, 0, 3)
  comment(1, 0, 5)
  const before = placed.get()
  expect(placed.get()).toBe(before)
  ;((text.get(1) as Y.XmlElement).get(0) as Y.XmlText).insert(5, '!')
  expect(placed.get()).toBe(before)
  reply(comments, id, ada, 'more')
  expect(placed.get()[0]).not.toBe(before[0])
  expect(placed.get()[1]).toBe(before[1])
})

test('listeners hear of threads and of the text, until they stop', async () => {
  const { text, placed, comment } = commented()
  const heard = vi.fn<() => void>()
  const stop = placed.subscribe(heard)
  comment(0, 0, 3)
  expect(heard).toHaveBeenCalledTimes(1)
  text.delete(0, 1)
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2))
  stop()
  comment(0, 0, 3)
  expect(heard).toHaveBeenCalledTimes(2)
})
