import { afterEach, expect, describe, test, vi } from 'vitest'
import * as Y from 'yjs'
import { MAX_TYPE_DEPTH } from '../../lib/protocol/limits.ts'
import type { Principal } from '../access/principal.ts'
import { Faults, SET_ASIDE_MS } from './faults.ts'
import {
  docOf,
  type House,
  houseForFile,
  isPending,
  openHouse,
  refusalOf,
  until,
  Window,
} from './fixtures/house.ts'
import { embedOf, nested } from './fixtures/update-writer.ts'
import type { Member } from './rooms.ts'
import { RoomDoc } from './take-in.ts'
import { Tail } from './tail.ts'

let house: House
houseForFile((opened) => (house = opened))

const POISON = 'poison'

/** An edit of somebody who has nothing yet. */
const poison = (): Uint8Array => Y.encodeStateAsUpdate(docOf(POISON))

/** Yjs takes in the first letters, and breaks on the ones behind them: the document then holds half of the edit. */
function halfPoison(): Uint8Array {
  const doc = docOf('half')
  doc.getText('trace').insert(0, POISON)
  return Y.encodeStateAsUpdate(doc)
}

const isPoison = (content: unknown): boolean =>
  content instanceof Y.ContentString && content.str.includes(POISON)

/** Stands for what a check lets through and Yjs breaks on. */
function breakIntegration(): void {
  const { integrate } = Y.Item.prototype
  vi.spyOn(Y.Item.prototype, 'integrate').mockImplementation(function (this: Y.Item, ...parameters) {
    if (isPoison(this.content)) throw new Error('Yjs broke')
    integrate.apply(this, parameters)
  })
}

/** As a value that is too deep does: it is read, and overflows the stack where it is written. */
function breakEncoding(): void {
  const { write } = Y.ContentString.prototype
  vi.spyOn(Y.ContentString.prototype, 'write').mockImplementation(function (
    this: Y.ContentString,
    ...parameters
  ) {
    if (isPoison(this)) throw new RangeError('Maximum call stack size exceeded')
    write.apply(this, parameters)
  })
}

const storedText = async (id: string): Promise<string> => (await house.read(id)).getText('trace').toJSON()

/** Whatever happens to a room, the one beside it is neither put out nor slowed down. */
let beside: { id: string; windows: Window[] } | null = null
afterEach(async () => {
  vi.restoreAllMocks()
  house.store.release()
  beside ??= await house.shared()
  const [one, other] = beside.windows as [Window, Window]
  const text = `${one.text}.`
  await one.type('.')
  await until(() => other.text === text)
  expect([one.evicted, other.evicted, await storedText(beside.id)]).toEqual([null, null, text])
})

describe('[A7] an edit that Yjs breaks on', () => {
  test('is refused, and nothing of it stays; what was accepted before it is there, and nobody is put out', async () => {
    const { windows, id, owner } = await house.shared()
    const [ada, bob] = windows as [Window, Window]
    await ada.type('kept ')
    house.store.hold()
    const saved = bob.type('queued ')
    const bad = halfPoison()
    breakIntegration()
    expect((await refusalOf(ada.send(bad))).code).toBe('bad-update')
    vi.restoreAllMocks()
    expect(await isPending(saved)).toBe(true)
    house.store.release()
    await saved
    await bob.type('and more')
    await until(() => ada.text === 'kept queued and more')
    expect([ada.evicted, bob.evicted, await storedText(id)]).toEqual([null, null, 'kept queued and more'])
    // Who has something already is sent what the room's document holds.
    const late = await Window.open(house.rooms, id, owner, docOf('mine '))
    expect(late.text.replace('mine ', '')).toBe('kept queued and more')
  })

  test('in a busy room costs its author alone: others in the same batch are saved', async () => {
    const { windows, id, owner } = await house.shared(25)
    const [ada] = windows as [Window]
    await Promise.all(windows.map((window) => window.type('.')))
    const link = await house.linkedTo(id, 'editor', owner)
    const [mallory, again] = [
      await Window.open(house.rooms, id, link.principal),
      await Window.open(house.rooms, id, link.principal),
    ]
    const bad = poison()
    breakIntegration()
    const outcomes = Promise.all([
      ada.type('before ').then(() => 'saved'),
      refusalOf(mallory.send(bad)).then(({ code }) => code),
      refusalOf(again.type('by the same')).then(({ code }) => code),
      windows[1]!.type('behind ').then(() => 'saved'),
    ])
    expect(await outcomes).toEqual(['saved', 'bad-update', 'behind', 'saved'])
    vi.restoreAllMocks()
    expect(windows.every(({ evicted }) => evicted === null)).toBe(true)
    const text = await storedText(id)
    expect([text.includes('before '), text.includes('behind '), text.length]).toEqual([true, true, 25 + 14])
    await until(() => windows.every(({ text: seen }) => seen === text))
  })

  test('may build on one that was refused in the same batch: it is merely early', async () => {
    const { windows, owner, id } = await house.shared(25)
    const [ada] = windows as [Window]
    await Promise.all(windows.map((window) => window.type('.')))
    const link = await house.linkedTo(id, 'editor', owner)
    const mallory = await Window.open(house.rooms, id, link.principal)
    const author = docOf(POISON)
    const bad = Y.encodeStateAsUpdate(author)
    const reader = new Y.Doc()
    Y.applyUpdate(reader, bad)
    const before = Y.encodeStateVector(reader)
    reader.getText('trace').insert(0, 'on top of it')
    const early = Y.encodeStateAsUpdate(reader, before)
    breakIntegration()
    const codes = await Promise.all([mallory.send(bad), ada.send(early)].map((sent) => refusalOf(sent)))
    expect(codes.map(({ code }) => code)).toEqual(['bad-update', 'behind'])
  })

  test('a type that lies too deep is such an edit', async () => {
    const { windows } = await house.shared()
    const [ada, bob] = windows as [Window, Window]
    let around: Y.Map<unknown> = ada.doc.getMap('map')
    ada.doc.transact(() => {
      for (let depth = 0; depth < MAX_TYPE_DEPTH; depth++) around = around.set('in', new Y.Map<unknown>())
    })
    await ada.send(Y.encodeStateAsUpdate(ada.doc))
    around.set('in', new Y.Map())
    expect(await refusalOf(ada.send(Y.encodeStateAsUpdate(ada.doc)))).toMatchObject({ code: 'bad-update' })
    await bob.type('on')
  })
})

test('[A6] sixteen embeds of 9,000 nested brackets in one turn are refused, and cost nobody anything', async () => {
  const { windows, id } = await house.shared()
  const [ada, bob] = windows as [Window, Window]
  const sent = Array.from({ length: 16 }, (_, index) => ada.send(embedOf(nested(9_000), 1_000 + index)))
  const reasons = await Promise.all(sent.map((one) => refusalOf(one)))
  expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(['bad-update']))
  await bob.type('on')
  await until(() => ada.text === 'on')
  expect([await storedText(id), bob.evicted]).toEqual(['on', null])
})

describe('[A7] what is thrown', () => {
  test('as edits are merged for the others: they are told one by one', async () => {
    const { windows } = await house.shared()
    const [ada, bob] = windows as [Window, Window]
    const edits = Array.from({ length: 16 }, () => poison())
    breakEncoding()
    await Promise.all(edits.map((update) => ada.send(update)))
    await until(() => bob.text === POISON.repeat(16))
    expect([ada.evicted, bob.evicted]).toEqual([null, null])
  })

  test('as a member is told puts that member out, and the others hear', async () => {
    const { windows } = await house.shared(3)
    const [ada, bob, eve] = windows as [Window, Window, Window]
    const fail = vi.fn<() => boolean>(() => {
      throw new Error('a member broke')
    })
    Object.defineProperty(bob, 'lags', { get: fail })
    await ada.type('one')
    await ada.type(' two')
    await until(() => eve.text === 'one two' && bob.evicted !== null)
    expect([bob.evicted?.code, ada.evicted, eve.evicted, fail.mock.calls.length]).toEqual([
      'overloaded',
      null,
      null,
      1,
    ])
  })

  test('after a commit closes the room: nobody is told "saved", what is on disk is there, and all come again', async () => {
    const { windows, id, open } = await house.shared()
    const [ada, bob] = windows as [Window, Window]
    await ada.type('acknowledged ')
    vi.spyOn(Tail.prototype, 'add').mockImplementationOnce(() => {
      throw new Error('no memory')
    })
    expect((await refusalOf(bob.type('on disk '))).code).toBe('overloaded')
    expect([ada.evicted?.code, bob.evicted?.code]).toEqual(['overloaded', 'overloaded'])
    expect((await refusalOf(ada.type('unsaved'))).code).toBe('overloaded')
    const [again, other] = [await open(), await open()]
    expect([again.text, await storedText(id)]).toEqual(['acknowledged on disk ', 'acknowledged on disk '])
    await again.type('and on')
    await until(() => other.text === 'acknowledged on disk and on')
    ada.room.leave() // former members do not take the next room down with them
    await other.type('!')
    await until(() => again.text === 'acknowledged on disk and on!')
  })

  test('closes a room to which somebody is still on the way: who comes next gets another one', async () => {
    const { windows, id, owner, open } = await house.shared()
    const [ada, bob] = windows as [Window, Window]
    await ada.type('acknowledged')
    const [turn, came] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const admit = (): Promise<void> => {
      came.resolve()
      return turn.promise
    }
    const stateVector = Uint8Array.of(0)
    const request = {
      document: id,
      part: 'body',
      principal: owner,
      session: 'test',
      token: '',
      stateVector,
    } as const
    const late = refusalOf(house.rooms.join({ ...request, admit }, {} as Member))
    await came.promise
    vi.spyOn(Tail.prototype, 'add').mockImplementationOnce(() => {
      throw new Error('no memory')
    })
    expect((await refusalOf(bob.type(' and on disk'))).code).toBe('overloaded')
    expect((await open()).text).toBe('acknowledged and on disk')
    turn.resolve()
    expect((await late).code).toBe('overloaded')
  })

  test('while a batch waits for the disk loses none of what the disk then takes', async () => {
    const { windows, id, owner } = await house.shared()
    const [ada, bob] = windows as [Window, Window]
    await ada.send(poison())
    house.store.hold()
    const saved = bob.type(' queued')
    breakEncoding()
    const someText = Y.encodeStateVector(docOf('other'))
    const late = new Window()
    expect((await refusalOf(late.join(house.rooms, id, owner, someText))).code).toBe('overloaded')
    vi.restoreAllMocks()
    const again = Window.open(house.rooms, id, owner)
    expect(await isPending(again)).toBe(true) // the next room waits for what the last one still has to write
    house.store.release()
    await saved
    expect((await again).text).toContain(' queued')
  })

  test('as a reader that lagged catches up closes the room', async () => {
    const { windows, open } = await house.shared()
    const [ada, bob] = windows as [Window, Window]
    bob.lags = true
    await ada.send(poison())
    breakEncoding()
    bob.room.catchUp()
    expect([ada.evicted?.code, bob.evicted?.code]).toEqual(['overloaded', 'overloaded'])
    vi.restoreAllMocks()
    expect((await open()).text).toBe(POISON)
  })

  test('as the text is compared closes the room', async () => {
    const { windows } = await house.shared()
    const [ada] = windows as [Window]
    await ada.type('text')
    vi.spyOn(crypto.subtle, 'digest').mockRejectedValueOnce(new Error('no digest'))
    expect(await ada.room.digest()).toBeNull()
    expect(ada.evicted?.code).toBe('overloaded')
  })

  test('as the room is compacted leaves the log as it is, and the room open', async () => {
    const { windows, id } = await house.shared()
    const [ada] = windows as [Window]
    await ada.send(poison())
    const compact = vi.spyOn(house.store, 'compact')
    breakEncoding()
    await Promise.all(Array.from({ length: 600 }, () => ada.type('.')))
    vi.restoreAllMocks()
    await ada.type('!')
    expect([compact.mock.calls.length, ada.evicted]).toEqual([0, null])
    expect(await storedText(id)).toHaveLength(POISON.length + 601)
  })

  test('as the title is read, in a timer of nobody’s: the list goes without', async () => {
    const { windows, id } = await house.shared()
    const [ada] = windows as [Window]
    const { getText } = Y.Doc.prototype
    const read = vi.spyOn(Y.Doc.prototype, 'getText').mockImplementation(function (this: Y.Doc, name) {
      if (this instanceof RoomDoc && name === 'title') throw new Error('no title')
      return getText.call(this, name)
    })
    await ada.type('text')
    await until(() => read.mock.results.some(({ type }) => type === 'throw'))
    vi.restoreAllMocks()
    ada.doc.getText('title').insert(0, 'Title')
    await ada.send(Y.encodeStateAsUpdate(ada.doc))
    const title = () =>
      house.db.selectFrom('documents').select('title').where('id', '=', id).executeTakeFirst()
    await until(async () => (await title())?.title === 'Title')
  })

  test('as versions are told: the room goes on', async () => {
    const edited = vi.fn<(document: string) => void>(() => {
      throw new Error('no version')
    })
    await using house = await openHouse({ versions: { edited, left: () => {} } })
    const { windows } = await house.shared()
    const [ada, bob] = windows as [Window, Window]
    await ada.type('one')
    await bob.type(' two')
    expect([ada.evicted, edited.mock.calls.length]).toEqual([null, 2])
  })
})

describe('[A7] a document that fails again and again', () => {
  async function failing() {
    const clock = { now: 0 }
    const house = await openHouse({ faults: new Faults(() => clock.now) })
    const shared = await house.shared()
    const { id, owner, open } = shared
    const [ada] = shared.windows as [Window]
    await ada.send(poison())
    const someText = Y.encodeStateVector(docOf('other'))
    const compare = () => refusalOf(new Window().join(house.rooms, id, owner, someText))
    return {
      ...shared,
      open,
      house,
      clock,
      compare,
      [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
    }
  }

  test('is set aside, and says so; others are not, and it comes back after a while, whole', async () => {
    await using aside = await failing()
    const { house, clock, compare, open } = aside
    breakEncoding()
    for (let left = 3; left > 0; left--) expect((await compare()).code).toBe('overloaded')
    const reason = await refusalOf(open())
    expect(reason).toEqual({
      code: 'set-aside',
      detail: 'The server tries again in 10 minutes.',
      retryAfterMs: 30_000,
    })
    const { id, owner }: { id: string; owner: Principal } = await house.document()
    await (await Window.open(house.rooms, id, owner)).type('beside it')
    await expect(house.rooms.edit(aside.id, 'body', aside.owner, () => {})).rejects.toThrow('10 minutes')
    vi.restoreAllMocks()
    clock.now += SET_ASIDE_MS
    expect((await open()).text).toBe(POISON)
  })

  test('is so as well where what is stored breaks Yjs as it is loaded', async () => {
    await using house = await openHouse({ faults: new Faults(() => 0) })
    const { id, owner } = await house.document()
    const edit = {
      document: id,
      part: 'body',
      principal: owner.id,
      session: 'test',
      number: 1,
      clients: [1],
    } as const
    await house.store.append([{ ...edit, update: Uint8Array.of(1, 2, 3) }])
    const codes: string[] = []
    for (let left = 4; left > 0; left--)
      codes.push((await refusalOf(Window.open(house.rooms, id, owner))).code)
    expect(codes).toEqual(['overloaded', 'overloaded', 'overloaded', 'set-aside'])
  })
})
