import { describe, expect, test } from 'vitest'
import * as awarenessProtocol from 'y-protocols/awareness'
import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import {
  createDecoder,
  createEncoder,
  readBytes,
  readNumber,
  toBytes,
  writeNumber,
  writeString,
} from '../../lib/protocol/wire.ts'
import { MAX_PRESENCE_MESSAGE_BYTES, MAX_ROOM_PRESENCE_BYTES } from '../../lib/protocol/limits.ts'
import { RoomPresence, stampOf } from './room-presence.ts'
import { RoomRefusal } from './rooms.ts'

const told = (...clients: [client: number, state: string][]): Uint8Array => {
  const encoder = createEncoder()
  writeNumber(encoder, clients.length)
  for (const [client, state] of clients) {
    writeNumber(encoder, client)
    writeNumber(encoder, 1)
    writeString(encoder, state)
  }
  return toBytes(encoder)
}

/** What a stock reader makes of what it heard. */
function reader() {
  const awareness = new Awareness(new Y.Doc())
  clearInterval(awareness._checkInterval)
  awareness.setLocalState(null)
  return {
    hear(...updates: (Uint8Array | null)[]): void {
      for (const update of updates)
        if (update) awarenessProtocol.applyAwarenessUpdate(awareness, update, 'test')
    },
    states: () => Object.fromEntries(awareness.getStates()),
  }
}

const presenceOf = ({ isStock = false } = {}) => {
  const room = new RoomPresence<string>((owner) => ({ stamp: { id: owner }, isStock }))
  return {
    hear: (owner: string, update: Uint8Array) => (room.hear(owner, update) ? room.takeNews(owner) : null),
    caret: (owner: string, cursor: string) => (room.hearCaret(owner, cursor) ? room.takeNews(owner) : null),
    others: (owner: string) => room.others(owner),
    leave: (owner: string) => room.leave(owner),
  }
}

/** A state that the schema lets through, of about so many bytes. */
const stateOf = (bytes: number, field: object = {}): string => {
  const heard = Array.from({ length: Math.floor(bytes / 103) }, () => 'x'.repeat(100))
  return JSON.stringify({ ...field, window: { heard } })
}

const refusalOf = (work: () => unknown) => {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof RoomRefusal ? error.reason.code : error
  }
}

describe('[W7] presence in a room', () => {
  test('a member that leaves and comes back under its old id is newer than its own goodbye', () => {
    const presence = presenceOf()
    const bob = reader()
    bob.hear(presence.hear('ada', told([1, '{"idle":true}'])))
    expect(bob.states()).toMatchObject({ 1: { idle: true } })
    bob.hear(presence.leave('ada'))
    expect(bob.states()).toEqual({})
    bob.hear(presence.hear('ada again', told([1, '{"idle":false}'])))
    expect(bob.states()).toMatchObject({ 1: { idle: false } })
  })

  test('[W6] a caret that is told alone stands in the state that was said before, and the others hear all of it', () => {
    const presence = presenceOf()
    const bob = reader()
    const cursor = { anchor: { item: { client: 5, clock: 7 } }, head: { item: { client: 5, clock: 9 } } }
    expect(presence.caret('ada', JSON.stringify(cursor))).toBeNull()
    bob.hear(presence.hear('ada', told([1, '{"idle":true}'])))
    bob.hear(presence.caret('ada', JSON.stringify(cursor)))
    expect(bob.states()).toEqual({ 1: { user: { id: 'ada' }, idle: true, cursor } })
    bob.hear(presence.caret('ada', '{"anchor":"nowhere"}'))
    expect(bob.states()).toEqual({ 1: { user: { id: 'ada' }, idle: true } })
    bob.hear(presence.caret('ada', 'null'))
    expect(bob.states()).toEqual({ 1: { user: { id: 'ada' }, idle: true, cursor: null } })
    expect(refusalOf(() => presence.caret('ada', '{'))).toBe('bad-frame')
    presence.leave('ada')
    expect(presence.caret('ada', 'null')).toBeNull()
  })

  test('comes after that of a former room of the same document', () => {
    const bob = reader()
    const former = presenceOf()
    for (let count = 0; count < 100; count++) bob.hear(former.hear('ada', told([1, '{}'])))
    bob.hear(former.leave('ada'))
    bob.hear(presenceOf().hear('ada', told([1, '{"follows":"bob"}'])))
    expect(bob.states()).toMatchObject({ 1: { follows: 'bob' } })
  })

  test('a snapshot is all the others, under clocks a reader that knows them takes for news', () => {
    const presence = presenceOf()
    presence.hear('ada', told([1, '{"is":"ada"}']))
    presence.hear('bob', told([2, '{"is":"bob"}']))
    presence.hear('bob too', told([3, '{"is":"bob’s other window"}']))
    const eve = reader()
    eve.hear(...presence.others('ada'))
    eve.hear(...presence.others('eve'))
    expect(Object.keys(eve.states())).toEqual(['1', '2', '3'])
  })

  test('nobody speaks for somebody else’s window, nor says its goodbye', () => {
    const presence = presenceOf()
    presence.hear('ada', told([1, '{"is":"ada"}']))
    expect(presence.hear('eve', told([1, '{"is":"eve"}']))).toBeNull()
    expect(presence.hear('eve', told([1, 'null']))).toBeNull()
    const bob = reader()
    bob.hear(...presence.others('bob'))
    expect(bob.states()).toEqual({ 1: { user: { id: 'ada' } } })
  })

  test('who said its own goodbye has none left to say', () => {
    const presence = presenceOf()
    presence.hear('ada', told([1, '{}']))
    presence.hear('ada', told([1, ' null ']))
    expect(presence.leave('ada')).toBeNull()
    expect(presence.leave('never here')).toBeNull()
  })

  test.each([
    [
      'another person',
      '{"user":{"id":"user:bob","name":"Bob","color":"red"},"idle":true}',
      { name: 'Ada', color: 'red' },
    ],
    ['nobody', '{"idle":true}', { name: 'Ada' }],
    ['what is no person', '{"user":"bob","idle":true}', { name: 'Ada' }],
  ])('a window that says it is %s is stamped with its own', (_what, state, user) => {
    const stamp = { id: 'user:ada', name: 'Ada' }
    const presence = new RoomPresence<string>(() => ({ stamp, isStock: false }))
    const eve = reader()
    presence.hear('ada', told([1, state]))
    eve.hear(presence.takeNews('ada'))
    const stamped = { 1: { idle: true, user: { id: 'user:ada', ...user } } }
    expect(eve.states()).toEqual(stamped)
    const late = reader()
    late.hear(...presence.others('late'))
    expect(late.states()).toEqual(stamped)
  })

  test('who came by a link keeps the name it gives itself', () => {
    const link = { id: 'link:one', name: 'Calm Fox', credential: 'c', token: 't' }
    expect(stampOf(link)).toEqual({ id: 'link:one' })
    expect(stampOf({ id: 'user:ada', name: 'Ada', credential: 'c' })).toEqual({ id: 'user:ada', name: 'Ada' })
  })
})

test.each<[string, Uint8Array]>([
  ['random bytes', Uint8Array.of(250, 250, 250, 250, 250, 250, 250, 250, 250)],
  ['fewer clients than announced', Uint8Array.of(2, ...told([1, '{}']).subarray(1))],
  ['bytes behind the end', Uint8Array.of(...told([1, '{}']), 0)],
  ['what is not JSON', told([1, '{'])],
  ['what is neither an object nor a goodbye', told([1, '"here"'])],
  ['a list', told([1, '[]'])],
  ['a state over 64 KiB', told([1, JSON.stringify({ name: 'x'.repeat(65_600) })])],
])('[A6] %s is refused', (_what, update) => {
  const presence = presenceOf()
  expect(refusalOf(() => presence.hear('eve', update))).toBe('bad-frame')
  expect(presence.others('bob')).toEqual([told()])
})

test('[A6] an update that is longer than two rooms of presence is refused', () => {
  const long = told(...Array.from({ length: 140 }, (_, index): [number, string] => [index, stateOf(4_000)]))
  expect(refusalOf(() => presenceOf().hear('eve', long))).toBe('bad-message')
})

const shown = (presence: ReturnType<typeof presenceOf>): string[] => {
  const bob = reader()
  bob.hear(...presence.others('bob'))
  return Object.keys(bob.states())
}

describe('[W8] presence is bounded', () => {
  const ids = (from: number, count: number) =>
    told(...Array.from({ length: count }, (_, index): [number, string] => [from + index, '{}']))

  test.each([
    [false, ['1']],
    [true, ['1', '2', '3', '4']],
  ])('a session shows one client, a stock provider (%s) four, however they are told', (isStock, known) => {
    const presence = presenceOf({ isStock })
    presence.hear('eve', ids(1, 3))
    presence.hear('eve', ids(1, 100))
    expect(presence.hear('eve', ids(1_000, 100))).toBeNull()
    expect(shown(presence)).toEqual(known)
  })

  test('a goodbye makes place for another client', () => {
    const presence = presenceOf()
    presence.hear('eve', told([1, '{}']))
    presence.hear('eve', told([1, 'null'], [2, '{}']))
    expect(shown(presence)).toEqual(['2'])
  })

  test('what a stock provider repeats of others is not its own, though they have left', () => {
    const presence = presenceOf({ isStock: true })
    const echo = new Awareness(new Y.Doc())
    clearInterval(echo._checkInterval)
    awarenessProtocol.applyAwarenessUpdate(echo, presence.hear('ada', told([1, '{"idle":true}']))!, 'test')
    presence.leave('ada')
    expect(presence.hear('eve', awarenessProtocol.encodeAwarenessUpdate(echo, [1]))).toBeNull()
    expect(shown(presence)).toEqual([])
  })

  test('what does not fit the schema is left out, at any depth of nesting', () => {
    const presence = presenceOf()
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    const bob = reader()
    bob.hear(presence.hear('eve', told([1, `{"cursor":{},"window":${deep},"mine":1,"idle":true}`])))
    expect(bob.states()).toEqual({ 1: { idle: true, user: { id: 'eve' } } })
  })

  test('a state over 4 KiB is not told, and the one before it stands', () => {
    const presence = presenceOf()
    presence.hear('eve', told([1, stateOf(3_500, { idle: true })]))
    expect(presence.hear('eve', told([1, stateOf(5_000, { idle: false })]))).toBeNull()
    const bob = reader()
    bob.hear(...presence.others('bob'))
    expect(bob.states()).toMatchObject({ 1: { idle: true } })
  })

  test('of a full room the largest states give way, and all who are here are told in bounded messages', () => {
    const presence = presenceOf()
    for (let client = 1; client <= 200; client++)
      presence.hear(`eve ${client}`, told([client, stateOf(4_000)]))
    for (let client = 1_001; client <= 1_500; client++)
      presence.hear(`ada ${client}`, told([client, stateOf(300)]))
    const messages = presence.others('bob')
    expect(messages.every(({ length }) => length <= MAX_PRESENCE_MESSAGE_BYTES)).toBe(true)
    const bytes = messages.reduce((sum, { length }) => sum + length, 0)
    expect(bytes).toBeLessThan(1.1 * MAX_ROOM_PRESENCE_BYTES)
    const bob = reader()
    bob.hear(...messages)
    const honest = Object.keys(bob.states()).filter((client) => Number(client) > 1_000)
    expect(honest).toHaveLength(500)
    expect(Object.keys(bob.states())).toEqual(namedIn(messages.at(-1)!))
  })

  /** All clients of an update, in order. */
  function namedIn(update: Uint8Array): string[] {
    const decoder = createDecoder(update)
    const clients = Array.from({ length: readNumber(decoder) }, () => {
      const client = readNumber(decoder)
      readNumber(decoder)
      readBytes(decoder)
      return client
    })
    return clients.toSorted((a, b) => a - b).map(String)
  }
})

describe('[W7] a person who is called otherwise from now on', () => {
  const renamed = { id: 'ada', name: 'Ada Wren', color: '#007a75' }

  test('is told anew with all that their window said, and whoever never showed is not', () => {
    const room = new RoomPresence<string>((owner) => ({ stamp: { id: owner, name: owner }, isStock: false }))
    expect(room.restamp('ada', renamed)).toBe(false)
    const others = reader()
    room.hear('ada', told([7, '{"idle":true,"user":{"color":"#c2353f"}}']))
    room.hear('bob', told([8, '{}']))
    others.hear(room.takeNews('ada'), room.takeNews('bob'))
    expect(room.restamp('ada', renamed)).toBe(true)
    others.hear(room.takeNews('ada'))
    expect(others.states()).toEqual({
      7: { idle: true, user: renamed },
      8: { user: { id: 'bob', name: 'bob' } },
    })
    expect([room.clientOf('ada'), room.ownerOf(7)]).toEqual([7, 'ada'])
  })

  test('is not shown under the former name where the new one does not fit', () => {
    const room = new RoomPresence<string>((owner) => ({ stamp: { id: owner }, isStock: true }))
    const others = reader()
    const fits = Array.from({ length: 200 }, (_, n) => stateOf(103 * (200 - n))).find((state) =>
      room.hear('ada', told([7, state])),
    )
    expect(fits).toBeDefined()
    others.hear(room.takeNews('ada'))
    room.restamp('ada', { id: 'ada', name: '\u{1f600}'.repeat(40) })
    others.hear(room.takeNews('ada'))
    expect(others.states()).toEqual({})
  })
})
