import { expect, test } from 'vitest'
import { Telling } from './telling.ts'

interface Edit {
  readonly name: string
  readonly update: Uint8Array
}

const edit = (name: string, bytes = 10): Edit => ({ name, update: new Uint8Array(bytes) })

/** What was told, one line a telling. */
function room() {
  const told: string[] = []
  const telling = new Telling<Edit>((edits) => void told.push(edits.map(({ name }) => name).join(' ')))
  const caret = (name: string): void => telling.behind(() => void told.push(`(${name})`))
  return { told, telling, caret }
}

test('the edits of a turn are told in one, the carets behind them', () => {
  const { told, telling, caret } = room()
  for (const name of ['a', 'b']) {
    telling.add(edit(name))
    caret(name)
  }
  expect(told).toEqual([])
  telling.now()
  expect(told).toEqual(['a b', '(a)', '(b)'])
  telling.now()
  expect(told).toEqual(['a b', '(a)', '(b)'])
})

test('a caret alone waits for nothing, and nothing is told twice', () => {
  const { told, telling, caret } = room()
  telling.add(edit('a'))
  telling.now()
  telling.now()
  caret('a')
  expect(told).toEqual(['a', '(a)'])
})

test('[S6] one telling is no larger than 64 KiB, unless a single edit is', () => {
  const { told, telling } = room()
  for (const name of ['a', 'b', 'c', 'd']) telling.add(edit(name, name === 'c' ? 100_000 : 30_000))
  telling.now()
  expect(told).toEqual(['a b', 'c', 'd'])
})

test('[S6] 64 KiB are filled to the last byte, and each telling begins with none', () => {
  const { told, telling } = room()
  for (const name of ['a', 'b']) telling.add(edit(name, 32 * 1024))
  expect(told).toEqual([])
  telling.now()
  for (const name of ['c', 'd']) telling.add(edit(name, 32 * 1024))
  expect(told).toEqual(['a b'])
  telling.add(edit('e', 1))
  expect(told).toEqual(['a b', 'c d'])
})
