import { describe, expect, test } from 'vitest'
import * as awarenessProtocol from 'y-protocols/awareness'
import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { createEncoder, toBytes, writeNumber, writeString } from '../../lib/protocol/wire.ts'
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
    hear: (update: Uint8Array | null) =>
      update && awarenessProtocol.applyAwarenessUpdate(awareness, update, 'test'),
    states: () => Object.fromEntries(awareness.getStates()),
  }
}

const presenceOf = () => new RoomPresence<string>((owner) => ({ id: owner }))

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
    bob.hear(presence.hear('ada', told([1, '{"at":1}'])))
    expect(bob.states()).toMatchObject({ 1: { at: 1 } })
    bob.hear(presence.leave('ada'))
    expect(bob.states()).toEqual({})
    bob.hear(presence.hear('ada again', told([1, '{"at":2}'])))
    expect(bob.states()).toMatchObject({ 1: { at: 2 } })
  })

  test('comes after that of a former room of the same document', () => {
    const bob = reader()
    const former = presenceOf()
    for (let count = 0; count < 100; count++) bob.hear(former.hear('ada', told([1, '{}'])))
    bob.hear(former.leave('ada'))
    bob.hear(presenceOf().hear('ada', told([1, '{"new":true}'])))
    expect(bob.states()).toMatchObject({ 1: { new: true } })
  })

  test('a snapshot is all the others, under clocks a reader that knows them takes for news', () => {
    const presence = presenceOf()
    presence.hear('ada', told([1, '{"is":"ada"}']))
    presence.hear('bob', told([2, '{"is":"bob"}'], [3, '{"is":"bob’s other window"}']))
    const eve = reader()
    eve.hear(presence.others('ada'))
    eve.hear(presence.others('eve'))
    expect(Object.keys(eve.states())).toEqual(['1', '2', '3'])
  })

  test('nobody speaks for somebody else’s window, nor says its goodbye', () => {
    const presence = presenceOf()
    presence.hear('ada', told([1, '{"is":"ada"}']))
    expect(presence.hear('eve', told([1, '{"is":"eve"}']))).toBeNull()
    expect(presence.hear('eve', told([1, 'null']))).toBeNull()
    const bob = reader()
    bob.hear(presence.others('bob'))
    expect(bob.states()).toMatchObject({ 1: { is: 'ada' } })
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
      '{"user":{"id":"user:bob","name":"Bob","color":"red"},"at":1}',
      { name: 'Ada', color: 'red' },
    ],
    ['nobody', '{"at":1}', { name: 'Ada' }],
    ['what is no person', '{"user":"bob","at":1}', { name: 'Ada' }],
  ])('a window that says it is %s is stamped with its own', (_what, state, user) => {
    const presence = new RoomPresence<string>(() => ({ id: 'user:ada', name: 'Ada' }))
    const eve = reader()
    eve.hear(presence.hear('ada', told([1, state])))
    const stamped = { 1: { at: 1, user: { id: 'user:ada', ...user } } }
    expect(eve.states()).toEqual(stamped)
    const late = reader()
    late.hear(presence.others('late'))
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
  expect(presence.others('bob')).toEqual(told())
})

test('[A6] one window has at most 100 ids, however it tells them', () => {
  const presence = presenceOf()
  const ids = (from: number, count: number) =>
    told(...Array.from({ length: count }, (_, index): [number, string] => [from + index, '{}']))
  expect(refusalOf(() => presence.hear('eve', ids(1, 101)))).toBe('bad-message')
  expect(refusalOf(() => presence.hear('eve', ids(1, 100)))).toBeUndefined()
  expect(refusalOf(() => presence.hear('eve', ids(101, 1)))).toBe('bad-message')
  expect(refusalOf(() => presence.hear('ada', ids(200, 100)))).toBeUndefined()
})
