import { expect, test } from 'vitest'
import { BroadcastBatch } from './broadcast-batch.ts'

interface NamedEdit {
  readonly name: string
  readonly update: Uint8Array
}

const edit = (name: string, bytes = 10): NamedEdit => ({ name, update: new Uint8Array(bytes) })

/** Opens a batch whose broadcasts are recorded, one line a message. */
function openBatch() {
  const broadcasts: string[] = []
  const batch = new BroadcastBatch<NamedEdit>(
    (edits) => void broadcasts.push(edits.map(({ name }) => name).join(' ')),
  )
  const caret = (name: string): void => batch.runAfterEdits(() => void broadcasts.push(`(${name})`))
  return { broadcasts, batch, caret }
}

test('the edits of a batch are broadcast in one message, and carets after them', () => {
  const { broadcasts, batch, caret } = openBatch()
  for (const name of ['a', 'b']) {
    batch.add(edit(name))
    caret(name)
  }
  expect(broadcasts).toEqual([])
  batch.flush()
  expect(broadcasts).toEqual(['a b', '(a)', '(b)'])
  batch.flush()
  expect(broadcasts).toEqual(['a b', '(a)', '(b)'])
})

test('a caret alone waits for nothing, and nothing is broadcast twice', () => {
  const { broadcasts, batch, caret } = openBatch()
  batch.add(edit('a'))
  batch.flush()
  batch.flush()
  caret('a')
  expect(broadcasts).toEqual(['a', '(a)'])
})

test('[S6] one message is no larger than 64 KiB, unless a single edit is', () => {
  const { broadcasts, batch } = openBatch()
  for (const name of ['a', 'b', 'c', 'd']) batch.add(edit(name, name === 'c' ? 100_000 : 30_000))
  batch.flush()
  expect(broadcasts).toEqual(['a b', 'c', 'd'])
})

test('[S6] 64 KiB are filled to the last byte, and each message begins empty', () => {
  const { broadcasts, batch } = openBatch()
  for (const name of ['a', 'b']) batch.add(edit(name, 32 * 1024))
  expect(broadcasts).toEqual([])
  batch.flush()
  for (const name of ['c', 'd']) batch.add(edit(name, 32 * 1024))
  expect(broadcasts).toEqual(['a b'])
  batch.add(edit('e', 1))
  expect(broadcasts).toEqual(['a b', 'c d'])
})
