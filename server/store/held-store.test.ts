import { afterEach, beforeEach, expect, test } from 'vitest'
import { edit, textsOf } from './fixtures/edits.ts'
import { createSqliteFixture } from './fixtures/sqlite-fixture.ts'
import { holdable, type HoldableStore } from './held-store.ts'
import { type StoreFixture } from './store.contract.ts'
import { type DocumentStore, StoreError } from './store.ts'

let fixture: StoreFixture
let inner: DocumentStore
let store: HoldableStore
beforeEach(async () => {
  fixture = await createSqliteFixture()
  inner = await fixture.open()
  store = holdable(inner)
})
afterEach(() => fixture.dispose())

const texts = async () => textsOf(await store.load('d', 'body'))

test('a held commit is not there and not answered; released, it is, in order', async () => {
  await store.append([edit('d', 'before')])
  store.hold()
  const answered: string[] = []
  const held = ['one', 'two'].map(async (word) => {
    await store.append([edit('d', word)])
    answered.push(word)
  })
  // Whatever had slipped through would be committed before this.
  await inner.append([edit('d', 'past the gate')])
  expect(await texts()).toEqual(['before', 'past the gate'])
  expect(answered).toEqual([])
  store.release()
  await Promise.all(held)
  expect(answered).toEqual(['one', 'two'])
  expect(await texts()).toEqual(['before', 'past the gate', 'one', 'two'])
})

test('a failing store rejects and heals', async () => {
  const broken = new StoreError('broken by the test')
  store.failWith(broken)
  await expect(store.append([edit('d', 'lost')])).rejects.toBe(broken)
  await expect(store.compact('d', 'body', new Uint8Array(1), 0)).rejects.toBe(broken)
  await expect(store.check()).rejects.toBe(broken)
  expect(await texts()).toEqual([])
  store.failWith(null)
  await store.check()
  await store.append([edit('d', 'kept')])
  expect(await texts()).toEqual(['kept'])
})

test('closing lets go what is held', async () => {
  store.hold()
  const held = store.append([edit('d', 'one')])
  await store.close()
  await held
})
