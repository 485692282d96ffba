import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { digestOf } from '../../lib/protocol/digest.ts'
import { compactDocument } from '../store/compaction.ts'
import { Merging } from '../store/merging.ts'
import { StoreError } from '../store/store.ts'
import { type House, houseForFile, isPending, openHouse, until, Window } from './fixtures/house.ts'
import { same } from './fixtures/typing.ts'

let house: House
houseForFile((opened) => (house = opened))

async function opened() {
  const { id, owner } = await house.document()
  const open = (doc?: Y.Doc) => Window.open(house.rooms, id, owner, doc)
  return { id, owner, open, ada: await open() }
}

/** The next one stands still once it has begun. */
function heldCompaction() {
  const { compact } = house.store
  const began = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  vi.spyOn(house.store, 'compact').mockImplementationOnce(async (...what) => {
    began.resolve()
    await mayGoOn.promise
    return compact.apply(house.store, what)
  })
  return { began: began.promise, mayGoOn: () => mayGoOn.resolve() }
}

/** What is in the log before any room is there. */
async function written(text: string) {
  const { id, owner } = await house.document()
  const doc = new Y.Doc()
  const said: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => said.push(update))
  for (const [index, letter] of text.split('').entries()) doc.getText('trace').insert(index, letter)
  const edit = {
    document: id,
    part: 'body',
    principal: owner.id,
    session: 's',
    number: 1,
    clients: [1],
  } as const
  const append = (update: Uint8Array) => house.store.append([{ ...edit, update }])
  for (const update of said) await append(update)
  return { id, owner, doc, append, open: (own?: Y.Doc) => Window.open(house.rooms, id, owner, own) }
}

test('[S3] windows that join while others write end with the same text, each edit heard once', async () => {
  const { open, ada, id } = await opened()
  const joining: Promise<Window>[] = []
  const saved: Promise<void>[] = []
  for (let index = 0; index < 60; index++) {
    saved.push(ada.type(`${index} `))
    if (index % 6 === 0) joining.push(open())
    if (index % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(saved)
  const windows = await Promise.all(joining)
  await until(() => windows.every(({ text }) => text === ada.text))
  for (const window of windows) expect(same(window.doc, ada.doc)).toBe(true)
  expect(same(await house.read(id), ada.doc)).toBe(true)
})

test('[D1] what is on its way to the disk is not told to whoever comes; once it is there, it is', async () => {
  const { open, ada } = await opened()
  await ada.type('on disk ')
  const [bob] = [await open()]
  house.store.hold()
  const saved = ada.type('on its way')
  const [cold, half] = [open(), open(bob.doc)]
  expect([await isPending(cold), await isPending(half)]).toEqual([true, true])
  expect(bob.text).toBe('on disk ')
  house.store.release()
  await saved
  expect([(await cold).text, (await half).text]).toEqual(Array(2).fill('on disk on its way'))
})

test('[S3] whoever has a part of it is told the rest, deletions of what it has included', async () => {
  const { open, ada } = await opened()
  await ada.type('one two ')
  const bob = await open()
  bob.room.leave()
  ada.doc.getText('trace').delete(0, 4)
  await ada.send(Y.encodeStateAsUpdate(ada.doc, Y.encodeStateVector(bob.doc)))
  await ada.type('three')
  const again = await open(bob.doc)
  expect(again.text).toBe('two three')
  expect(same(again.doc, ada.doc)).toBe(true)
})

test('[S3] a text from before this room is told as it is stored, and typed in at once', async () => {
  const { id, doc, open } = await written('what the log holds')
  const [ada, bob] = [await open(), await open()]
  expect([same(ada.doc, doc), same(bob.doc, doc)]).toEqual([true, true])
  ada.doc.getText('trace').delete(0, 5)
  await ada.send(Y.encodeStateAsUpdate(ada.doc, Y.encodeStateVector(doc)))
  await until(() => bob.text === 'the log holds')
  expect((await open()).text).toBe('the log holds')
  expect(same(await house.read(id), bob.doc)).toBe(true)
})

test('[S3] a long text is told packed, to the first who comes and behind a compaction, with what was typed since', async () => {
  const { id, doc, open, append } = await written('a')
  const long = Array.from({ length: 9_000 }, (_, index) => `word${index}`).join(' ')
  doc.getText('trace').insert(1, long)
  await append(Y.encodeStateAsUpdate(doc))
  await compactDocument(house.store, id, 'body', new Merging())
  const [bob, cem] = await Promise.all([open(), open()])
  expect([bob.packed, cem.packed, bob.text]).toEqual([true, true, `a${long}`])
  await bob.type(' and more')
  const dora = await open()
  expect([dora.packed, dora.text]).toEqual([true, `a${long} and more`])
  expect(same(dora.doc, bob.doc)).toBe(true)
})

test('[D7] the digest is that of the text, also where nobody has written yet', async () => {
  const { doc, open } = await written('compared at rest')
  const ada = await open()
  expect(await ada.room.digest()).toEqual(await digestOf(doc))
  expect(await ada.room.digest()).toEqual(await digestOf(ada.doc))
  await ada.type('!')
  expect(await ada.room.digest()).toEqual(await digestOf(ada.doc))
})

test('[D5] whoever joins while the log grows and is replaced by a snapshot hears all of it', async () => {
  const { id, open, ada } = await opened()
  const compact = vi.spyOn(house.store, 'compact')
  for (let round = 0; round < 12; round++) {
    await Promise.all(Array.from({ length: 100 }, (_, index) => ada.type(`${round}.${index} `)))
    const late = await open()
    await until(() => late.text === ada.text)
    expect(same(late.doc, ada.doc)).toBe(true)
    late.room.leave()
  }
  await until(async () => (await house.store.load(id, 'body')).logLength < 500)
  expect(compact).toHaveBeenCalled()
  const { updates, stateVector } = await house.store.load(id, 'body')
  const snapshot = new Y.Doc()
  Y.applyUpdate(snapshot, updates[0]!)
  expect(stateVector).toEqual(Y.encodeStateVector(snapshot))
  expect(same(await house.read(id), ada.doc)).toBe(true)
})

test('[D5] a log that grows long while it is being shortened is shortened again, though nobody writes any more', async () => {
  const { id, ada } = await opened()
  const { began, mayGoOn } = heldCompaction()
  const type = (count: number) => Promise.all(Array.from({ length: count }, () => ada.type('.')))
  await type(500)
  await began
  await type(600)
  mayGoOn()
  await until(async () => (await house.store.load(id, 'body')).logLength === 0)
  expect(same(await house.read(id), ada.doc)).toBe(true)
})

test('[D5] whoever opens a document that was left while it was being shortened waits for nothing, and loses nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { began, mayGoOn } = heldCompaction()
  const { id, open, ada } = await opened()
  await Promise.all(Array.from({ length: 500 }, () => ada.type('.')))
  await began
  ada.room.leave()
  await vi.advanceTimersByTimeAsync(40_000)
  vi.useRealTimers()
  const next = await open()
  expect(next.text).toBe(ada.text)
  await next.type('while it is shortened ')
  mayGoOn()
  await until(async () => (await house.store.load(id, 'body')).logLength < 500)
  await next.type('behind that')
  expect((await open()).text).toBe(next.text)
  expect(same(await house.read(id), next.doc)).toBe(true)
})

test('[D5] a room that was left writes no older snapshot over the newer one of the next room', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { began, mayGoOn } = heldCompaction()
  const { id, open, ada } = await opened()
  await Promise.all(Array.from({ length: 500 }, () => ada.type('.')))
  await began
  ada.room.leave()
  await vi.advanceTimersByTimeAsync(40_000)
  vi.useRealTimers()
  const next = await open()
  await Promise.all(Array.from({ length: 500 }, () => next.type(':')))
  await until(async () => (await house.store.load(id, 'body')).logLength < 500)
  const before = await house.store.load(id, 'body')
  mayGoOn()
  await next.type('behind that')
  expect((await house.store.load(id, 'body')).updates[0]).toEqual(before.updates[0])
  expect(same(await house.read(id), next.doc)).toBe(true)
})

test('the end waits for no shortening, and the list still hears of the last title', async () => {
  const own = await openHouse()
  try {
    const { id, owner } = await own.document()
    const ada = await Window.open(own.rooms, id, owner)
    const began = Promise.withResolvers<void>()
    vi.spyOn(own.store, 'compact').mockImplementationOnce(() => {
      began.resolve()
      return new Promise(() => {})
    })
    await Promise.all(Array.from({ length: 500 }, () => ada.type('.')))
    await began.promise
    ada.doc.getText('title').insert(0, 'The last title')
    await ada.send(Y.encodeStateAsUpdate(ada.doc, Y.encodeStateVector(await own.read(id))))
    await own.rooms.close()
    const row = await own.db.selectFrom('documents').select('title').where('id', '=', id).executeTakeFirst()
    expect(row?.title).toBe('The last title')
  } finally {
    await own[Symbol.asyncDispose]()
  }
})

test('[D5] a log that was left long is shortened as its room is loaded', async () => {
  const { id, doc, open } = await written('.'.repeat(520))
  const ada = await open()
  await until(async () => (await house.store.load(id, 'body')).logLength === 0)
  await ada.type('!')
  expect((await open()).text).toBe(`${doc.getText('trace').toJSON()}!`)
})

test('[D5] a snapshot that comes while somebody joins and others write leaves nothing out', async () => {
  const { id, open, ada } = await opened()
  await Promise.all(Array.from({ length: 499 }, (_, index) => ada.type(`${index} `)))
  house.store.hold()
  const last = ada.type('last ') // with its commit the log is long enough
  const joining = open()
  house.store.release()
  await last
  const late = [await joining, await open()]
  const saved = ada.type('later ')
  const later = open()
  await saved
  for (const window of [...late, await later]) {
    await until(() => window.text === ada.text)
    expect(same(window.doc, ada.doc)).toBe(true)
  }
  await until(async () => (await house.store.load(id, 'body')).logLength < 10)
  expect(same((await open()).doc, ada.doc)).toBe(true)
})

test('[D5] one edit that brings a whole text is put into a snapshot', async () => {
  const { id, open, ada } = await opened()
  await ada.type('pasted '.repeat(20_000))
  await until(async () => (await house.store.load(id, 'body')).logLength === 0)
  await ada.type('and typed')
  expect((await house.store.load(id, 'body')).logLength).toBe(1)
  expect(same((await open()).doc, ada.doc)).toBe(true)
})

test('[D5] a log that cannot be shortened is left as it is until it has grown by as much again', async () => {
  const { ada, open } = await opened()
  const compact = vi.spyOn(house.store, 'compact').mockRejectedValue(new StoreError('disk full'))
  await ada.type('pasted '.repeat(20_000))
  await until(() => compact.mock.calls.length === 1)
  for (let index = 0; index < 20; index++) await ada.type(`${index} `)
  expect(compact).toHaveBeenCalledTimes(1)
  expect(same((await open()).doc, ada.doc)).toBe(true)
})

test('[D5] where somebody else has written into the log, the room’s own text never takes its place', async () => {
  const { id, owner, ada } = await opened()
  await ada.type('ours ')
  const doc = new Y.Doc()
  doc.getText('elsewhere').insert(0, 'theirs')
  const update = Y.encodeStateAsUpdate(doc)
  await house.store.append([
    { document: id, part: 'body', update, principal: owner.id, session: 's', number: 1, clients: [1] },
  ])
  await Promise.all(Array.from({ length: 600 }, (_, index) => ada.type(`${index} `)))
  await until(async () => (await house.store.load(id, 'body')).logLength < 500)
  expect((await house.read(id)).getText('elsewhere').toJSON()).toBe('theirs')
})

test('[D4] a snapshot with a state vector that is not its own is served to nobody', async () => {
  const { id, open } = await written('abc')
  await compactDocument(house.store, id, 'body', new Merging())
  await house.db
    .updateTable('snapshots')
    .set({ state_vector: Uint8Array.of(0) })
    .where('document', '=', id)
    .execute()
  await expect(open()).rejects.toThrow('The document cannot be loaded now.')
})
