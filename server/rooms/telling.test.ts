import { expect, test } from 'vitest'
import { pauseFor, Telling } from './telling.ts'

interface Edit {
  readonly name: string
  readonly update: Uint8Array
}

const edit = (name: string, bytes = 10): Edit => ({ name, update: new Uint8Array(bytes) })

/** What was told, one line a telling. */
function room(seats: number) {
  const told: string[] = []
  const telling = new Telling<Edit>({
    seats: () => seats,
    tell: (edits) => void told.push(edits.map(({ name }) => name).join(' ')),
  })
  const caret = (name: string): void => telling.behind(() => void told.push(`(${name})`))
  return { told, telling, caret }
}

test('a calm room tells each commit at once, however soon the next one comes', () => {
  const { told, telling } = room(2)
  for (const name of ['a', 'b']) {
    telling.add(edit(name))
    telling.soon()
  }
  expect([told, telling.waits]).toEqual([['a', 'b'], false])
})

test('a busy room tells the first at once, and what comes within a pause in one, the carets behind', async () => {
  const { told, telling, caret } = room(200)
  telling.add(edit('a'))
  telling.soon()
  expect(told).toEqual(['a'])
  for (const name of ['b', 'c']) {
    telling.add(edit(name))
    caret(name)
    telling.soon()
  }
  expect([told, telling.waits]).toEqual([['a'], true])
  await expect.poll(() => told).toEqual(['a', 'b c', '(b)', '(c)'])
  telling.stop()
})

test('the pause is over after one in which nothing came', async () => {
  const { told, telling } = room(200)
  telling.add(edit('a'))
  telling.soon()
  await new Promise((resolve) => setTimeout(resolve, 100))
  telling.add(edit('b'))
  telling.soon()
  expect(told).toEqual(['a', 'b'])
  telling.stop()
})

test('who comes hears nothing twice: what waits is told before', () => {
  const { told, telling, caret } = room(200)
  telling.add(edit('a'))
  telling.soon()
  telling.add(edit('b'))
  caret('b')
  telling.now()
  expect([told, telling.waits]).toEqual([['a', 'b', '(b)'], false])
  telling.stop()
})

test('[S6] one telling is no larger than 64 KiB, unless a single edit is', () => {
  const { told, telling } = room(200)
  for (const name of ['a', 'b', 'c', 'd']) telling.add(edit(name, name === 'c' ? 100_000 : 30_000))
  telling.soon()
  expect(told).toEqual(['a b', 'c', 'd'])
  telling.stop()
})

test.each<[seats: number, ms: number]>([
  [1, 0],
  [24, 0],
  [50, 2],
  [200, 8],
  [10_000, 8],
])('%i seats: a pause of %i ms', (seats, ms) => expect(pauseFor(seats)).toBe(ms))
