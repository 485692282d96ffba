import { afterEach, beforeEach, expect, test } from 'vitest'
import { textEdit, textsOf } from './fixtures/text-edits.ts'
import { createSqliteFixture } from './fixtures/sqlite-fixture.ts'
import { createHoldableStore, type HoldableStore } from './holdable-store.ts'
import { type StoreFixture } from './store.contract.ts'
import { type DocumentStore, StoreError } from './store.ts'

let fixture: StoreFixture
let inner: DocumentStore
let store: HoldableStore
beforeEach(async () => {
  fixture = await createSqliteFixture()
  inner = await fixture.open()
  store = createHoldableStore(inner)
})
afterEach(() => fixture.dispose())

const readTexts = async () => textsOf(await store.load('d', 'body'))

test('a held commit is neither stored nor answered; after the release it is both, in order', async () => {
  await store.append([textEdit('d', 'before')])
  store.hold()
  const acknowledged: string[] = []
  const heldAppend = ['one', 'two'].map(async (word) => {
    await store.append([textEdit('d', word)])
    acknowledged.push(word)
  })
  // A write that was not held would be committed before this.
  await inner.append([textEdit('d', 'past the gate')])
  expect(await readTexts()).toEqual(['before', 'past the gate'])
  expect(acknowledged).toEqual([])
  store.release()
  await Promise.all(heldAppend)
  expect(acknowledged).toEqual(['one', 'two'])
  expect(await readTexts()).toEqual(['before', 'past the gate', 'one', 'two'])
})

test('a failing store rejects and recovers', async () => {
  const failure = new StoreError('broken by the test')
  store.failWith(failure)
  await expect(store.append([textEdit('d', 'lost')])).rejects.toBe(failure)
  await expect(store.compact('d', 'body', new Uint8Array(1), 0)).rejects.toBe(failure)
  await expect(store.check()).rejects.toBe(failure)
  expect(await readTexts()).toEqual([])
  store.failWith(null)
  await store.check()
  await store.append([textEdit('d', 'kept')])
  expect(await readTexts()).toEqual(['kept'])
})

test('closing releases held commits', async () => {
  store.hold()
  const heldAppend = store.append([textEdit('d', 'one')])
  await store.close()
  await heldAppend
})
