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
import {
  MAX_PRESENCE_MESSAGE_BYTES,
  MAX_ROOM_PRESENCE_BYTES,
  MAX_UNKNOWN_PRESENCES,
} from '../../lib/protocol/limits.ts'
import { RoomPresence, presenceIdentityOf } from './room-presence.ts'
import { RoomRefusal } from './rooms.ts'

const presenceUpdateOf = (...clients: [client: number, state: string][]): Uint8Array => {
  const encoder = createEncoder()
  writeNumber(encoder, clients.length)
  for (const [client, state] of clients) {
    writeNumber(encoder, client)
    writeNumber(encoder, 1)
    writeString(encoder, state)
  }
  return toBytes(encoder)
}

/** The states of a stock reader after these updates. */
function createReader() {
  const awareness = new Awareness(new Y.Doc())
  clearInterval(awareness._checkInterval)
  awareness.setLocalState(null)
  return {
    receive(...updates: (Uint8Array | null)[]): void {
      for (const update of updates)
        if (update) awarenessProtocol.applyAwarenessUpdate(awareness, update, 'test')
    },
    states: () => Object.fromEntries(awareness.getStates()),
  }
}

const openPresence = ({ isStock = false } = {}) => {
  const roomPresence = new RoomPresence<string>((owner) => ({ identity: { id: owner }, isStock }))
  return {
    receive: (owner: string, update: Uint8Array) =>
      roomPresence.receive(owner, update) ? roomPresence.takePendingUpdate(owner) : null,
    receiveCaret: (owner: string, cursor: string) =>
      roomPresence.receiveCaret(owner, cursor) ? roomPresence.takePendingUpdate(owner) : null,
    others: (owner: string) => roomPresence.encodeOthers(owner),
    leave: (owner: string) => roomPresence.leave(owner),
  }
}

/** A state that the schema accepts, of about this many bytes. */
const stateOf = (bytes: number, field: object = {}): string => {
  const heard = Array.from({ length: Math.floor(bytes / 103) }, () => 'x'.repeat(100))
  return JSON.stringify({ ...field, window: { heard } })
}

const refusalCodeOf = (work: () => unknown) => {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof RoomRefusal ? error.reason.code : error
  }
}

describe('[W7] presence in a room', () => {
  test('is newer than its own removal when a member leaves and returns under its old id', () => {
    const presence = openPresence()
    const bob = createReader()
    bob.receive(presence.receive('ada', presenceUpdateOf([1, '{"idle":true}'])))
    expect(bob.states()).toMatchObject({ 1: { idle: true } })
    bob.receive(presence.leave('ada'))
    expect(bob.states()).toEqual({})
    bob.receive(presence.receive('ada again', presenceUpdateOf([1, '{"idle":false}'])))
    expect(bob.states()).toMatchObject({ 1: { idle: false } })
  })

  test('[W6] merges a caret that comes alone into the last state, and the others receive all of it', () => {
    const presence = openPresence()
    const bob = createReader()
    const cursor = { anchor: { item: { client: 5, clock: 7 } }, head: { item: { client: 5, clock: 9 } } }
    expect(presence.receiveCaret('ada', JSON.stringify(cursor))).toBeNull()
    bob.receive(presence.receive('ada', presenceUpdateOf([1, '{"idle":true}'])))
    bob.receive(presence.receiveCaret('ada', JSON.stringify(cursor)))
    expect(bob.states()).toEqual({ 1: { user: { id: 'ada' }, idle: true, cursor } })
    bob.receive(presence.receiveCaret('ada', '{"anchor":"nowhere"}'))
    expect(bob.states()).toEqual({ 1: { user: { id: 'ada' }, idle: true } })
    bob.receive(presence.receiveCaret('ada', 'null'))
    expect(bob.states()).toEqual({ 1: { user: { id: 'ada' }, idle: true, cursor: null } })
    expect(refusalCodeOf(() => presence.receiveCaret('ada', '{'))).toBe('bad-frame')
    presence.leave('ada')
    expect(presence.receiveCaret('ada', 'null')).toBeNull()
  })

  test('is newer than that of a former room of the same document', () => {
    const bob = createReader()
    const former = openPresence()
    for (let count = 0; count < 100; count++) bob.receive(former.receive('ada', presenceUpdateOf([1, '{}'])))
    bob.receive(former.leave('ada'))
    bob.receive(openPresence().receive('ada', presenceUpdateOf([1, '{"follows":"bob"}'])))
    expect(bob.states()).toMatchObject({ 1: { follows: 'bob' } })
  })

  test('is sent whole without the member’s own, under clocks that readers take for new', () => {
    const presence = openPresence()
    presence.receive('ada', presenceUpdateOf([1, '{"is":"ada"}']))
    presence.receive('bob', presenceUpdateOf([2, '{"is":"bob"}']))
    presence.receive('bob too', presenceUpdateOf([3, '{"is":"bob’s other window"}']))
    const eve = createReader()
    eve.receive(...presence.others('ada'))
    eve.receive(...presence.others('eve'))
    expect(Object.keys(eve.states())).toEqual(['1', '2', '3'])
  })

  test('cannot be shown or removed for somebody else’s window', () => {
    const presence = openPresence()
    presence.receive('ada', presenceUpdateOf([1, '{"is":"ada"}']))
    expect(presence.receive('eve', presenceUpdateOf([1, '{"is":"eve"}']))).toBeNull()
    expect(presence.receive('eve', presenceUpdateOf([1, 'null']))).toBeNull()
    const bob = createReader()
    bob.receive(...presence.others('bob'))
    expect(bob.states()).toEqual({ 1: { user: { id: 'ada' } } })
  })

  test('is not removed again by a member that removed it itself', () => {
    const presence = openPresence()
    presence.receive('ada', presenceUpdateOf([1, '{}']))
    presence.receive('ada', presenceUpdateOf([1, ' null ']))
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
  ])('a window that shows itself as %s gets its own identity', (_what, state, user) => {
    const identity = { id: 'user:ada', name: 'Ada' }
    const presence = new RoomPresence<string>(() => ({ identity, isStock: false }))
    const eve = createReader()
    presence.receive('ada', presenceUpdateOf([1, state]))
    eve.receive(presence.takePendingUpdate('ada'))
    const withIdentity = { 1: { idle: true, user: { id: 'user:ada', ...user } } }
    expect(eve.states()).toEqual(withIdentity)
    const late = createReader()
    late.receive(...presence.encodeOthers('late'))
    expect(late.states()).toEqual(withIdentity)
  })

  test('keeps the name that a client with only a link’s token gives itself', () => {
    const link = { id: 'link:one', name: 'Calm Fox', credential: 'c', token: 't' }
    expect(presenceIdentityOf(link)).toEqual({ id: 'link:one' })
    expect(presenceIdentityOf({ id: 'user:ada', name: 'Ada', credential: 'c' })).toEqual({
      id: 'user:ada',
      name: 'Ada',
    })
  })
})

test.each<[string, Uint8Array]>([
  ['random bytes', Uint8Array.of(250, 250, 250, 250, 250, 250, 250, 250, 250)],
  ['fewer clients than announced', Uint8Array.of(2, ...presenceUpdateOf([1, '{}']).subarray(1))],
  ['bytes behind the end', Uint8Array.of(...presenceUpdateOf([1, '{}']), 0)],
  ['what is not JSON', presenceUpdateOf([1, '{'])],
  ['what is neither an object nor a goodbye', presenceUpdateOf([1, '"here"'])],
  ['a list', presenceUpdateOf([1, '[]'])],
  ['a state over 64 KiB', presenceUpdateOf([1, JSON.stringify({ name: 'x'.repeat(65_600) })])],
])('[A6] %s is refused', (_what, update) => {
  const presence = openPresence()
  expect(refusalCodeOf(() => presence.receive('eve', update))).toBe('bad-frame')
  expect(presence.others('bob')).toEqual([presenceUpdateOf()])
})

test('[A6] an update of many more clients than the room shows is refused before one is read', () => {
  const room = openPresence()
  const announcing = (clients: number): Uint8Array => {
    const encoder = createEncoder()
    writeNumber(encoder, clients)
    return toBytes(encoder)
  }
  room.receive('Ada', presenceUpdateOf([1, '{}']))
  expect(() => room.receive('Eve', announcing(MAX_UNKNOWN_PRESENCES + 2))).toThrow('MAX_UNKNOWN_PRESENCES')
  const many = Array.from({ length: MAX_UNKNOWN_PRESENCES + 1 }, (_, client) => [client + 1, 'null'] as const)
  expect(() => room.receive('Eve', presenceUpdateOf(...many.map(([...entry]) => entry)))).not.toThrow()
})

test('[A6] an update that is longer than two rooms of presence is refused', () => {
  const long = presenceUpdateOf(
    ...Array.from({ length: 140 }, (_, index): [number, string] => [index, stateOf(4_000)]),
  )
  expect(refusalCodeOf(() => openPresence().receive('eve', long))).toBe('bad-message')
})

const shownClientsOf = (presence: ReturnType<typeof openPresence>): string[] => {
  const bob = createReader()
  bob.receive(...presence.others('bob'))
  return Object.keys(bob.states())
}

describe('[W8] presence is limited', () => {
  const ids = (from: number, count: number) =>
    presenceUpdateOf(...Array.from({ length: count }, (_, index): [number, string] => [from + index, '{}']))

  test.each([
    [false, ['1']],
    [true, ['1', '2', '3', '4']],
  ])('a session shows one client, a stock provider (%s) four, however they are sent', (isStock, shown) => {
    const presence = openPresence({ isStock })
    presence.receive('eve', ids(1, 3))
    presence.receive('eve', ids(1, 100))
    expect(presence.receive('eve', ids(1_000, 100))).toBeNull()
    expect(shownClientsOf(presence)).toEqual(shown)
  })

  test('a removal makes room for another client', () => {
    const presence = openPresence()
    presence.receive('eve', presenceUpdateOf([1, '{}']))
    presence.receive('eve', presenceUpdateOf([1, 'null'], [2, '{}']))
    expect(shownClientsOf(presence)).toEqual(['2'])
  })

  test('what a stock provider repeats of others is not its own, though they have left', () => {
    const presence = openPresence({ isStock: true })
    const echoingAwareness = new Awareness(new Y.Doc())
    clearInterval(echoingAwareness._checkInterval)
    awarenessProtocol.applyAwarenessUpdate(
      echoingAwareness,
      presence.receive('ada', presenceUpdateOf([1, '{"idle":true}']))!,
      'test',
    )
    presence.leave('ada')
    expect(presence.receive('eve', awarenessProtocol.encodeAwarenessUpdate(echoingAwareness, [1]))).toBeNull()
    expect(shownClientsOf(presence)).toEqual([])
  })

  test('what does not fit the schema is left out, at any depth of nesting', () => {
    const presence = openPresence()
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    const bob = createReader()
    bob.receive(
      presence.receive('eve', presenceUpdateOf([1, `{"cursor":{},"window":${deep},"mine":1,"idle":true}`])),
    )
    expect(bob.states()).toEqual({ 1: { idle: true, user: { id: 'eve' } } })
  })

  test('a state over 4 KiB is not broadcast, and the one before it stays', () => {
    const presence = openPresence()
    presence.receive('eve', presenceUpdateOf([1, stateOf(3_500, { idle: true })]))
    expect(presence.receive('eve', presenceUpdateOf([1, stateOf(5_000, { idle: false })]))).toBeNull()
    const bob = createReader()
    bob.receive(...presence.others('bob'))
    expect(bob.states()).toMatchObject({ 1: { idle: true } })
  })

  test('in a full room the largest states give way, and all others are sent in messages of limited size', () => {
    const presence = openPresence()
    for (let client = 1; client <= 200; client++)
      presence.receive(`eve ${client}`, presenceUpdateOf([client, stateOf(4_000)]))
    for (let client = 1_001; client <= 1_500; client++)
      presence.receive(`ada ${client}`, presenceUpdateOf([client, stateOf(300)]))
    const messages = presence.others('bob')
    expect(messages.every(({ length }) => length <= MAX_PRESENCE_MESSAGE_BYTES)).toBe(true)
    const bytes = messages.reduce((sum, { length }) => sum + length, 0)
    expect(bytes).toBeLessThan(1.1 * MAX_ROOM_PRESENCE_BYTES)
    const bob = createReader()
    bob.receive(...messages)
    const honest = Object.keys(bob.states()).filter((client) => Number(client) > 1_000)
    expect(honest).toHaveLength(500)
    expect(Object.keys(bob.states())).toEqual(clientsIn(messages.at(-1)!))
  })

  /** All clients of an update, in order. */
  function clientsIn(update: Uint8Array): string[] {
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

describe('[W7] a person with a new name', () => {
  const newIdentity = { id: 'ada', name: 'Ada Wren', color: '#007a75' }

  test('is broadcast again with all of their window’s state, unless they never showed any', () => {
    const roomPresence = new RoomPresence<string>((owner) => ({
      identity: { id: owner, name: owner },
      isStock: false,
    }))
    expect(roomPresence.changeIdentity('ada', newIdentity)).toBe(false)
    const encodeOthers = createReader()
    roomPresence.receive('ada', presenceUpdateOf([7, '{"idle":true,"user":{"color":"#c2353f"}}']))
    roomPresence.receive('bob', presenceUpdateOf([8, '{}']))
    encodeOthers.receive(roomPresence.takePendingUpdate('ada'), roomPresence.takePendingUpdate('bob'))
    expect(roomPresence.changeIdentity('ada', newIdentity)).toBe(true)
    encodeOthers.receive(roomPresence.takePendingUpdate('ada'))
    expect(encodeOthers.states()).toEqual({
      7: { idle: true, user: newIdentity },
      8: { user: { id: 'bob', name: 'bob' } },
    })
    expect([roomPresence.clientOf('ada'), roomPresence.ownerOf(7)]).toEqual([7, 'ada'])
  })

  test('is not shown under the former name if the new one does not fit', () => {
    const roomPresence = new RoomPresence<string>((owner) => ({ identity: { id: owner }, isStock: true }))
    const encodeOthers = createReader()
    const fits = Array.from({ length: 200 }, (_, n) => stateOf(103 * (200 - n))).find((state) =>
      roomPresence.receive('ada', presenceUpdateOf([7, state])),
    )
    expect(fits).toBeDefined()
    encodeOthers.receive(roomPresence.takePendingUpdate('ada'))
    roomPresence.changeIdentity('ada', { id: 'ada', name: '\u{1f600}'.repeat(40) })
    encodeOthers.receive(roomPresence.takePendingUpdate('ada'))
    expect(encodeOthers.states()).toEqual({})
  })
})
