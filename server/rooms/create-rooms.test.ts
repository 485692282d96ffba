import { describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { StoreError } from '../store/store.ts'
import {
  docOf,
  type House,
  isPending,
  openHouse,
  refusalOf,
  until,
  houseForFile,
  Window,
} from './fixtures/house.ts'
import { same } from './fixtures/typing.ts'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import { log } from '../access/fixture.ts'
import { Counts } from '../metrics/counts.ts'
import { ClientIdBudget } from './client-id-budget.ts'
import { IntegrationBudget } from './integration-budget.ts'
import { Room } from './room.ts'
import { TextThreads } from './text-threads.ts'

let house: House
houseForFile((opened) => (house = opened))

async function turns(): Promise<void> {
  for (let left = 20; left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
}

/** With fake timers nothing may be waited for by a timer. */
async function atOnce(id: string, owner: Awaited<ReturnType<House['document']>>['owner']): Promise<Window> {
  const window = new Window()
  await window.join(house.rooms, id, owner)
  await turns()
  return window
}

async function sharedAtOnce() {
  const { id, owner } = await house.document()
  return { id, owner, windows: [await atOnce(id, owner), await atOnce(id, owner)] }
}

const textOf = (text: string): Uint8Array => Y.encodeStateAsUpdate(docOf(text))

const edit = (document: string, principal: string, update: Uint8Array) =>
  ({ document, part: 'body', update, principal, session: 'test', number: 1, clients: [1] }) as const

describe('[D4] a document that cannot be loaded', () => {
  test('is never served empty: it is refused as overloaded, and comes once it can be read', async () => {
    const { id, owner } = await house.document()
    await house.store.append([edit(id, owner.id, textOf('kept'))])
    const load = vi.spyOn(house.store, 'load').mockRejectedValue(new StoreError('disk I/O error'))
    expect(await refusalOf(Window.open(house.rooms, id, owner))).toMatchObject({
      code: 'overloaded',
      retryAfterMs: 1_000,
    })
    load.mockRestore()
    expect((await Window.open(house.rooms, id, owner)).text).toBe('kept')
  })

  test('is refused as well when its log holds bytes that Yjs refuses, or lacks what others build on', async () => {
    const whole = new Y.Doc()
    whole.getText('trace').insert(0, 'lost ')
    const before = Y.encodeStateVector(whole)
    whole.getText('trace').insert(5, 'kept')
    for (const update of [Uint8Array.of(1, 2, 3), Y.encodeStateAsUpdate(whole, before)]) {
      const { id, owner } = await house.document()
      await house.store.append([edit(id, owner.id, update)])
      expect((await refusalOf(Window.open(house.rooms, id, owner))).code).toBe('overloaded')
    }
  })

  test('is loaded once, however many come at the same time', async () => {
    const { id, owner } = await house.document()
    const load = vi.spyOn(house.store, 'load')
    const windows = await Promise.all(Array.from({ length: 20 }, () => Window.open(house.rooms, id, owner)))
    await windows[0]!.type('hello')
    expect(load).toHaveBeenCalledTimes(1)
    await until(() => windows.every(({ text }) => text === 'hello'))
  })
})

describe('a room after the last has left', () => {
  const rest = () => vi.advanceTimersByTimeAsync(40_000)

  test('lingers a while, then is loaded afresh', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const load = vi.spyOn(house.store, 'load')
    const { id, owner, windows } = await sharedAtOnce()
    await windows[0]!.type('text')
    for (const window of windows) window.room.leave()
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await atOnce(id, owner)).text).toBe('text')
    expect(load).toHaveBeenCalledTimes(1)
    const [last] = [await atOnce(id, owner)]
    await rest()
    await last.type(' more')
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('is dismissed once empty, evicted members included', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const load = vi.spyOn(house.store, 'load')
    const { id, owner } = await sharedAtOnce()
    house.rooms.evict(id, { code: 'overloaded' })
    await rest()
    await atOnce(id, owner)
    expect(load).toHaveBeenCalledTimes(2)
  })

  test('who joins while it is being dismissed is not dismissed with it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { id, owner, windows } = await sharedAtOnce()
    const [ada, bob] = windows as [Window, Window]
    house.store.hold()
    const saved = ada.type('last words')
    for (const window of [ada, bob]) window.room.leave()
    await rest() // dismissing waits for the commit
    const eve = new Window()
    await eve.join(house.rooms, id, owner)
    house.store.release()
    await saved
    await turns()
    expect(eve.text).toBe('last words')
    await rest()
    await eve.type(', heard')
    const late = await atOnce(id, owner)
    expect(late.text).toBe('last words, heard')
    await late.type('!')
    expect(eve.text).toBe('last words, heard!')
  })

  test('an edit of the server’s own does not dismiss who joins meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { id, owner } = await house.document()
    const [, ada] = await Promise.all([
      house.rooms.edit(id, 'body', owner, (doc) => doc.getText('title').insert(0, 'Plan')),
      atOnce(id, owner),
    ])
    await rest()
    await ada.type('still here')
    expect((await house.read(id)).getText('trace').toJSON()).toBe('still here')
  })
})

describe('between times', () => {
  test('[D5] a long log is compacted while people type, and the text stays', async () => {
    const { windows, id } = await house.shared()
    const [ada, bob] = windows as [Window, Window]
    const saved = Array.from({ length: 700 }, (_, index) => ada.type(`${index} `))
    await Promise.all(saved)
    await bob.type('end')
    await until(async () => (await house.store.load(id, 'body')).logLength < 500)
    await ada.type('!')
    const read = await house.read(id)
    expect(read.getText('trace').toJSON()).toBe(ada.text)
    expect(same(read, bob.doc)).toBe(true)
  })

  test('the title in SQL follows the text’s own, by windows and by the server’s edits', async () => {
    const { windows, id, owner } = await house.shared(1)
    const [ada] = windows as [Window]
    const titleOf = async () =>
      (await house.db.selectFrom('documents').select('title').where('id', '=', id).executeTakeFirst())?.title
    ada.doc.getText('title').insert(0, 'Budget')
    await ada.send(Y.encodeStateAsUpdate(ada.doc))
    await until(async () => (await titleOf()) === 'Budget')
    await house.rooms.edit(id, 'body', owner, (doc) => doc.getText('title').insert(6, ' plan'))
    expect(await titleOf()).toBe('Budget plan')
    expect(ada.doc.getText('title').toJSON()).toBe('Budget plan')
  })
})

describe('versions hear of a body', () => {
  const openHeard = async () => {
    const edited = vi.fn<(document: string, principal: string) => void>()
    const left = vi.fn<(document: string) => void>()
    const house = await openHouse({ versions: { edited, left } })
    return { house, edited, left, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() }
  }

  test('[D1] who wrote, once that is on disk; the server’s own edits are nobody’s', async () => {
    await using heard = await openHeard()
    const { house, edited } = heard
    const { id, owner } = await house.document()
    const ada = await Window.open(house.rooms, id, owner)
    await house.rooms.edit(id, 'body', owner, (doc) => doc.getText('title').insert(0, 'Title'))
    expect(edited).not.toHaveBeenCalled()
    house.store.hold()
    const saved = ada.type('text')
    expect(await isPending(saved)).toBe(true)
    expect(edited).not.toHaveBeenCalled()
    house.store.release()
    await saved
    expect(edited.mock.calls).toEqual([[id, owner.id]])
  })

  test('that the last person has left, after the while a reload takes; not that the server ends', async () => {
    await using heard = await openHeard()
    const { house, left } = heard
    const { id, owner } = await house.document()
    const ada = await Window.open(house.rooms, id, owner)
    await ada.type('text')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    ada.room.leave()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(left).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(30_000)
    vi.useRealTimers()
    await until(() => left.mock.calls.length > 0)
    expect(left.mock.calls).toEqual([[id]])
    await Window.open(house.rooms, id, owner)
    await house.rooms.close()
    expect(left).toHaveBeenCalledTimes(1)
  })
})

test('[D1] a snapshot holds nothing that is on its way to the disk', async () => {
  const { id, owner } = await house.document()
  const unheard = { onCommitted: () => {}, onEmpty: () => {}, onFault: () => {} }
  const budgets = { budget: new IntegrationBudget(), clientIds: new ClientIdBudget() }
  const shared = { counts: new Counts(), texts: new TextThreads(), ...budgets }
  const room = await Room.load({ document: id, part: 'body', store: house.store, log, ...shared, ...unheard })
  const write = (text: string) => room.change(owner, (doc) => doc.getText('trace').insert(0, text))
  await write('kept')
  expect(room.snapshot()).not.toBeNull()
  house.store.hold()
  const saved = write('queued ')
  await turns() // it is being appended
  expect(room.snapshot()).toBeNull()
  house.store.release()
  await saved
  expect(room.snapshot()).not.toBeNull()
  room.close()
})

test('[A5] whoever is not let in has announced nothing', async () => {
  const { id, owner, open } = await house.shared(1)
  const { principal, token } = await house.linkedTo(id, 'editor', owner)
  const doc = new Y.Doc()
  const stranger = new Window(doc)
  const joined = stranger.join(house.rooms, id, principal, Uint8Array.of(255), { token })
  expect((await refusalOf(joined)).code).toBe('bad-message')
  await Window.open(house.rooms, id, owner, doc)
  await open()
})

test('[W7] who has left shows nothing any more', async () => {
  const { windows, open } = await house.shared()
  const [ada, bob] = windows as [Window, Window]
  const awareness = new Awareness(bob.doc)
  awareness.setLocalState({ user: { name: 'Bob' } })
  const presence = encodeAwarenessUpdate(awareness, [bob.doc.clientID])
  awareness.destroy()
  bob.room.leave()
  bob.room.presence(presence)
  const late = await open()
  await ada.type('.')
  expect(late.presence.map(({ update }) => [...update])).toEqual([[0]])
})
