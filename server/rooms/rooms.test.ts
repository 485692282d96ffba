import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { MAX_DOCUMENT_BYTES } from '../../lib/protocol/limits.ts'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { StoreError } from '../store/store.ts'
import { RoomDoc } from './take-in.ts'
import { same, soundness } from './fixtures/typing.ts'
import { type House, openHouse, isPending, refusalOf, until, Window } from './fixtures/house.ts'

let house: House

beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
afterEach(() => {
  house.store.release()
  house.store.failWith(null)
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function shared(windows = 2) {
  const { id, owner } = await house.document()
  const open = () => Window.open(house.rooms, id, owner)
  return { id, owner, open, windows: await Promise.all(Array.from({ length: windows }, open)) }
}

function caretOf({ doc }: Window): Uint8Array {
  const awareness = new Awareness(doc)
  awareness.setLocalState({ caret: doc.getText('trace').length })
  const update = encodeAwarenessUpdate(awareness, [doc.clientID])
  awareness.destroy()
  return update
}

describe('a busy room', () => {
  test('[S1] everybody hears all but their own, once, and what came together is committed together', async () => {
    const { windows, id } = await shared(50)
    const writers = windows.slice(0, 5)
    await Promise.all(windows.map((window) => window.type('.')))
    await until(() => windows.every(({ text }) => text.length === 50))
    for (const { changes } of windows) changes.length = 0
    const appends = vi.spyOn(house.store, 'append')
    await Promise.all(writers.flatMap((writer) => ['a', 'b', 'c', 'd'].map((letter) => writer.type(letter))))
    await until(() => windows.every(({ text }) => text.length === 70))
    expect(appends).toHaveBeenCalledOnce()
    const letters = (updates: readonly Uint8Array[]): number =>
      updates
        .flatMap((update) => Y.decodeUpdate(update).structs)
        .reduce((sum, struct) => sum + struct.length, 0)
    expect(windows.map(({ changes }) => letters(changes))).toEqual(
      windows.map((_, index) => (index < 5 ? 16 : 20)),
    )
    expect(windows.at(-1)!.changes.length).toBeLessThan(20)
    expect(same(await house.read(id), windows[7]!.doc)).toBe(true)
  })
})

describe('what a busy room has checked and not taken in yet', () => {
  const busy = async () => {
    const shares = await shared(25)
    await Promise.all(shares.windows.map((window) => window.type('.')))
    await until(() => shares.windows.every(({ text }) => text.length === 25))
    return shares
  }

  test('is one transaction of Yjs with the rest of its batch', async () => {
    const { windows } = await busy()
    const began = new Set<Y.Transaction>()
    const integrate = Y.Item.prototype.integrate
    vi.spyOn(Y.Item.prototype, 'integrate').mockImplementation(function (this: Y.Item, transaction, offset) {
      if (transaction.doc instanceof RoomDoc) began.add(transaction)
      integrate.call(this, transaction, offset)
    })
    await Promise.all(windows.slice(0, 5).map((window) => window.type('a')))
    expect(began.size).toBe(1)
  })

  test('is there for whoever comes meanwhile, and for edits that build on it', async () => {
    const { windows, id, owner } = await busy()
    const [ada, bob] = windows as [Window, Window]
    house.store.hold()
    const typed = [ada.type('one '), ada.type('two '), bob.type('three ')]
    const late = Window.open(house.rooms, id, owner, new Y.Doc())
    const behind = Window.open(house.rooms, id, owner, windows[3]!.doc)
    house.store.release()
    await Promise.all(typed)
    for (const window of [await late, await behind]) {
      expect(window.text).toContain('one two ')
      expect(window.text).toContain('three ')
      expect(same(window.doc, await house.read(id))).toBe(true)
    }
  })

  test('[S6] is there for whoever catches up in the same turn', async () => {
    const { windows, id } = await busy()
    const [ada, bob] = windows as [Window, Window]
    bob.lags = true
    await ada.type('one ')
    bob.lags = false
    const typed = ada.type('two ')
    bob.room.catchUp()
    await typed
    await until(() => bob.heard.at(-1) === 'caught up')
    expect(same(bob.doc, await house.read(id))).toBe(true)
  })
})

describe('[D1] nothing is seen before its commit', () => {
  test('neither the author hears "saved" nor anybody else the edit', async () => {
    const { windows, open, id } = await shared()
    const [ada, bob] = windows as [Window, Window]
    house.store.hold()
    const saved = ada.type('secret until saved')
    const late = open()
    expect(await isPending(saved)).toBe(true)
    expect(await isPending(late)).toBe(true)
    expect([bob.text, (await house.read(id)).getText('trace').toJSON()]).toEqual(['', ''])
    house.store.release()
    await saved
    expect([bob.text, (await late).text]).toEqual(['secret until saved', 'secret until saved'])
    expect(same(await house.read(id), ada.doc)).toBe(true)
  })

  test('a caret is told behind the letters it was typed with, and at once where none are on their way', async () => {
    const { windows } = await shared()
    const [ada, bob] = windows as [Window, Window]
    bob.presence.length = 0
    house.store.hold()
    const saved = ada.type('letters')
    ada.room.presence(caretOf(ada))
    bob.room.presence(caretOf(bob))
    await isPending(saved)
    expect([bob.presence.length, ada.presence.filter(({ whole }) => !whole).length]).toEqual([0, 1])
    house.store.release()
    await saved
    await until(() => bob.presence.length > 0)
    expect(bob.text).toBe('letters')
    ada.room.presence(caretOf(ada))
    expect(bob.presence).toHaveLength(2)
  })

  test('who joins between two edits hears each once, in order', async () => {
    const { windows, open } = await shared(1)
    const [ada] = windows as [Window]
    house.store.hold()
    const saved = [ada.type('one ')]
    const late = open()
    await isPending(late)
    saved.push(ada.type('two'))
    house.store.release()
    await Promise.all(saved)
    const bob = await late
    await until(() => bob.text === 'one two')
    expect(bob.heard).toEqual(['state', 'change'])
  })

  test('an edit that is known already is acknowledged when its first copy is on disk', async () => {
    const { windows } = await shared(1)
    const [ada] = windows as [Window]
    house.store.hold()
    const first = ada.type('twice')
    const again = ada.send(Y.encodeStateAsUpdate(ada.doc))
    expect(await isPending(again)).toBe(true)
    house.store.release()
    await Promise.all([first, again])
  })
})

describe('[D3] a store that fails', () => {
  test('stops acknowledging, typing goes on, and it heals by itself', async () => {
    const { windows, id } = await shared()
    const [ada, bob] = windows as [Window, Window]
    house.store.failWith(new StoreError('the disk is full'))
    const saved = [ada.type('a'), ada.type('b')]
    await isPending(saved[0]!)
    saved.push(ada.type('c'), bob.type('x', 0))
    for (const one of saved) expect(await isPending(one)).toBe(true)
    expect(bob.text).toBe('x')
    house.store.failWith(null)
    await Promise.all(saved)
    await until(() => bob.text.length === 4 && ada.text.length === 4)
    expect(same(ada.doc, bob.doc)).toBe(true)
    expect(same(await house.read(id), ada.doc)).toBe(true)
  })
})

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

describe('what is refused', () => {
  test('a malformed id, a document that is missing, and one of somebody else', async () => {
    const { principal } = await house.person()
    const { id } = await house.document()
    const join = (document: string) => refusalOf(Window.open(house.rooms, document, principal))
    expect(await join('../etc/passwd')).toEqual({ code: 'bad-document', detail: '../etc/passwd' })
    expect(await join(newDocumentId())).toEqual({ code: 'forbidden' })
    expect(await join(id)).toEqual({ code: 'forbidden' })
  })

  test('a state vector that is none', async () => {
    const { id, owner } = await house.document()
    const reason = await refusalOf(new Window().join(house.rooms, id, owner, Uint8Array.of(9)))
    expect(reason.code).toBe('bad-message')
  })

  test.each<[string, (ada: Window) => Uint8Array, code?: string]>([
    ['random bytes', () => Uint8Array.from({ length: 40 }, (_, index) => (index * 89 + 3) % 256)],
    ['a V2 update', () => Y.encodeStateAsUpdateV2(docOf('text in V2'))],
    ['text on text nobody has', () => orphan(), 'behind'],
    ['a cut update', () => Y.encodeStateAsUpdate(docOf('cut')).subarray(0, -1)],
  ])(
    '[A6] %s: nothing of it is stored, nobody hears of it, everybody goes on',
    async (_what, make, code = 'bad-update') => {
      const { windows, id } = await shared()
      const [ada, bob] = windows as [Window, Window]
      await ada.type('before ')
      const { sequence } = await house.store.load(id, 'body')
      expect((await refusalOf(ada.send(make(ada)))).code).toBe(code)
      expect((await house.store.load(id, 'body')).sequence).toBe(sequence)
      await until(() => bob.text === 'before ')
      await bob.type('after')
      await until(() => ada.text === 'before after')
      expect([ada.evicted, bob.evicted]).toEqual([null, null])
      expect(same(await house.read(id), bob.doc)).toBe(true)
    },
  )

  test('[A6] a length that lies cannot reach the bytes beside it', async () => {
    const { windows, id } = await shared()
    const [ada, bob] = windows as [Window, Window]
    // 32 bytes of text are promised and one is there; the password stands where a reader of the whole pool would look.
    const pool = Buffer.concat([
      Buffer.from([1, 1, 9, 0, 4, 1, 5, ...Buffer.from('trace'), 32, 97]),
      Buffer.from('password'.repeat(8)),
    ])
    const lying = pool.subarray(0, 14)
    expect((await refusalOf(ada.send(lying))).code).toBe('bad-update')
    expect(bob.text).toBe('')
    expect((await house.store.load(id, 'body')).updates).toEqual([])
  })
})

describe('a room spoiled by an edit that the check let through', () => {
  /** Yjs throws in the middle of taking in the next update that brings this text. */
  function throwOn(text: string): void {
    const integrate = Y.Item.prototype.integrate
    vi.spyOn(Y.Item.prototype, 'integrate').mockImplementation(function (this: Y.Item, ...parameters) {
      if (this.content instanceof Y.ContentString && this.content.str.includes(text))
        throw new Error('Yjs broke')
      integrate.apply(this, parameters)
    })
  }

  test('is loaded again; what was accepted before is there, once', async () => {
    const { windows, id, owner } = await shared()
    const [ada, bob] = windows as [Window, Window]
    await ada.type('kept ')
    house.store.hold()
    const saved = bob.type('queued ')
    const poison = textOf('poison')
    throwOn('poison')
    const refused = refusalOf(ada.send(poison))
    expect((await refused).code).toBe('bad-update')
    vi.restoreAllMocks()
    expect([ada.evicted?.code, bob.evicted?.code]).toEqual(['overloaded', 'overloaded'])
    // The next room waits for what the last one still has to write.
    const again = Window.open(house.rooms, id, owner, ada.doc)
    expect(await isPending(again)).toBe(true)
    house.store.release()
    await saved
    expect((await again).text).toBe('kept queued ')
    expect((await house.read(id)).getText('trace').toJSON()).toBe('kept queued ')
    expect((await refusalOf(bob.send(poison))).code).toBe('overloaded')
  })

  test('in a busy room those before it in the batch are kept, and those behind it are offered again', async () => {
    const { windows, id } = await shared(25)
    const [ada, bob, eve] = windows as [Window, Window, Window]
    await Promise.all(windows.map((window) => window.type('.')))
    const poison = textOf('poison')
    throwOn('poison')
    const outcomes = Promise.all([
      ada.type('kept').then(() => 'saved'),
      refusalOf(bob.send(poison)).then(({ code }) => code),
      refusalOf(eve.type('behind')).then(({ code }) => code),
    ])
    expect(await outcomes).toEqual(['saved', 'bad-update', 'overloaded'])
    vi.restoreAllMocks()
    expect(windows.every(({ evicted }) => evicted?.code === 'overloaded')).toBe(true)
    const text = (await house.read(id)).getText('trace').toJSON()
    expect([text.replaceAll('.', ''), text.length]).toEqual(['kept', 29])
  })

  test('its former members do not take the next room down with them', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { windows, id, owner } = await sharedAtOnce()
    const [ada] = windows as [Window]
    const poison = textOf('poison')
    throwOn('poison')
    expect((await refusalOf(ada.send(poison))).code).toBe('bad-update')
    vi.restoreAllMocks()
    const next = await atOnce(id, owner)
    ada.room.leave()
    await vi.advanceTimersByTimeAsync(40_000)
    const after = await atOnce(id, owner)
    await next.type('both hear it')
    expect(after.text).toBe('both hear it')
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

describe('between times', () => {
  test('[D5] a long log is compacted while people type, and the text stays', async () => {
    const { windows, id } = await shared()
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
    const { windows, id, owner } = await shared(1)
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

  test('formatting that meets formatting is stored as it was sent', async () => {
    const { windows, id, owner } = await shared()
    const [ada, bob] = windows as [Window, Window]
    await ada.type('bold and bold')
    await until(() => bob.text !== '')
    const format = (window: Window, from: number, length: number) => {
      const before = Y.encodeStateVector(window.doc)
      window.doc.getText('trace').format(from, length, { bold: true })
      return Y.encodeStateAsUpdate(window.doc, before)
    }
    const [one, two] = [format(ada, 0, 8), format(bob, 4, 9)]
    await Promise.all([ada.send(one), bob.send(two)])
    const read = await house.read(id)
    const delta = read.getText('trace').toDelta() as { insert: string; attributes?: object }[]
    expect(delta.map(({ insert }) => insert).join('')).toBe('bold and bold')
    expect(soundness(read)).toBe('sound')
    const late = await Window.open(house.rooms, id, owner)
    expect(late.doc.getText('trace').toDelta()).toEqual(delta)
  })
})

function docOf(text: string): Y.Doc {
  const doc = new Y.Doc()
  doc.getText('trace').insert(0, text)
  return doc
}

const textOf = (text: string): Uint8Array => Y.encodeStateAsUpdate(docOf(text))

function orphan(): Uint8Array {
  const doc = docOf('never sent ')
  const before = Y.encodeStateVector(doc)
  doc.getText('trace').insert(11, 'sent')
  return Y.encodeStateAsUpdate(doc, before)
}

const edit = (document: string, principal: string, update: Uint8Array) =>
  ({ document, part: 'body', update, principal, session: 'test', number: 1, clients: [1] }) as const

describe('[A6] a document has a size', () => {
  test('an edit that would make it too large for one message is refused, and who comes later still opens it', async () => {
    const { windows, open } = await shared(1)
    const [ada] = windows as [Window]
    const pasted = 'x'.repeat(MAX_DOCUMENT_BYTES / 2)
    await ada.type(pasted)
    expect((await refusalOf(ada.type(pasted)))?.code).toBe('too-large')
    expect((await open()).text).toBe(pasted)
  })

  test('what was typed and deleted again does not count', async () => {
    const { windows } = await shared(1)
    const [ada] = windows as [Window]
    const pasted = 'x'.repeat(MAX_DOCUMENT_BYTES / 2)
    await ada.type(pasted)
    ada.doc.getText('trace').delete(0, pasted.length)
    await ada.send(Y.encodeStateAsUpdate(ada.doc, Y.encodeStateVector(ada.doc)))
    await ada.type(pasted)
    expect(ada.text).toBe(pasted)
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
