import { expect, test } from 'vitest'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { Audience, type Seat } from './audience.ts'

/** Somebody in the room, and what they were told: letters are edits, the rest is named. */
interface Person extends Seat {
  readonly told: string[]
  readonly client: number
  readonly presence: Uint8Array
  takes: boolean
}

function person(name: string): Person {
  const told: string[] = []
  const awareness = new Awareness(new Y.Doc())
  awareness.setLocalState({ user: { name } })
  const { clientID: client } = awareness
  const presence = encodeAwarenessUpdate(awareness, [client])
  awareness.destroy()
  const seat: Person = {
    told,
    client,
    presence,
    takes: true,
    principal: { id: name, name } as Seat['principal'],
    session: name,
    token: '',
    isStock: false,
    role: 'editor',
    seated: false,
    writing: 0,
    heard: null,
    member: {
      onState: ({ updates }) => told.push(`state ${updates.map(textOf).join('')}`),
      onChange: ({ updates }) => {
        if (seat.takes) told.push(updates.map(textOf).join(''))
        return seat.takes
      },
      onCaughtUp: (update) => told.push(`merged ${textOf(update)}`),
      onPresence: () => told.push('caret'),
      onWholePresence: () => told.push('who is here'),
      onTrace: (from, bytes) => told.push(`trace of ${from}: ${textOf(bytes)}`),
      onRole: () => {},
      onStore: (failing) => told.push(failing ? 'store fails' : 'store is well'),
      onEvicted: () => {},
    },
  }
  return seat
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const failures: string[] = []
const parts = {
  onMemberFailed: ({ principal }: Seat, error: unknown) =>
    void failures.push(`${principal.name}: ${String(error)}`),
  onMergeFailed: (error: unknown) => void failures.push(String(error)),
  onLatePresence: () => {},
  mayUse: () => true,
}

let clock = 0
const by = (author: Seat | null, text: string) => ({
  update: bytesOf(text),
  clocks: new Map([[1, ++clock]]),
  author,
})

function roomOf(...people: readonly Person[]): Audience {
  const audience = new Audience(new Map(), parts)
  for (const seat of people) {
    audience.enter(seat)
    audience.tellState(seat, () => ({ updates: [], stateVector: new Uint8Array() }))
    seat.told.length = 0
  }
  return audience
}

test('[S1] the edits of a turn are told in one, to everybody but who made them', () => {
  const [ada, bob] = [person('Ada'), person('Bob')]
  const audience = roomOf(ada, bob)
  for (const edit of [by(ada, 'a'), by(null, 's'), by(bob, 'b')]) audience.addEdit(edit)
  expect(bob.told).toEqual([])
  audience.flush()
  expect([ada.told, bob.told]).toEqual([['sb'], ['as']])
})

test('[D1] who enters hears first what they lack, made when all before it is told, then the changes', () => {
  const [ada, eve] = [person('Ada'), person('Eve')]
  const audience = roomOf(ada)
  audience.enter(eve)
  audience.addEdit(by(null, 'before'))
  audience.tellState(eve, () => ({ updates: [bytesOf(ada.told.join())], stateVector: new Uint8Array() }))
  audience.addEdit(by(null, 'after'))
  audience.flush()
  expect(eve.told).toEqual(['state before', 'who is here', 'after'])
  audience.leave(eve)
  audience.tellState(eve, () => ({ updates: [], stateVector: new Uint8Array() }))
  expect(eve.told).toHaveLength(3)
})

test('[S6] who lags hears nothing until it has caught up, and then nothing twice', () => {
  const [ada, bob] = [person('Ada'), person('Bob')]
  const audience = roomOf(ada, bob)
  const toldBefore = audience.stateVector
  bob.takes = false
  audience.addEdit(by(ada, 'a'))
  audience.flush()
  expect(bob.heard).toEqual(toldBefore)
  const heard = bob.heard!
  bob.takes = true
  audience.addEdit(by(ada, 'b'))
  audience.tellPresence(ada, ada.presence)
  audience.flush()
  expect(bob.told).toEqual([])
  audience.tellCaughtUp(bob, heard, [bytesOf('ab')])
  audience.tellCaughtUp(bob, heard, [bytesOf('ab again')])
  audience.addEdit(by(ada, 'c'))
  audience.flush()
  expect(bob.told).toEqual(['merged ab', 'who is here', 'c'])
})

test('[W7] a caret goes behind the edits of its turn; of who has left the goodbye is the last word', () => {
  const [ada, bob] = [person('Ada'), person('Bob')]
  const audience = roomOf(ada, bob)
  const caret = audience.hearPresence(ada, ada.presence)!
  audience.addEdit(by(ada, 'a'))
  audience.tellPresence(ada, caret)
  expect(bob.told).toEqual([])
  audience.flush()
  expect([ada.told, bob.told]).toEqual([[], ['a', 'caret']])
  expect([audience.leave(ada), audience.leave(ada)]).toEqual([true, false])
  audience.tellPresence(ada, caret)
  expect(bob.told).toEqual(['a', 'caret', 'caret'])
})

test('a trace is told under its author’s name, to one window or to all others; without a name to nobody', () => {
  const [ada, bob, eve] = [person('Ada'), person('Bob'), person('Eve')]
  const audience = roomOf(ada, bob, eve)
  audience.tellTrace(ada, 0, bytesOf('nameless'))
  for (const seat of [ada, bob]) audience.hearPresence(seat, seat.presence)
  audience.tellTrace(ada, 0, bytesOf('all'))
  audience.tellTrace(ada, bob.client, bytesOf('one'))
  const heard = (text: string) => `trace of ${ada.client}: ${text}`
  expect([ada.told, bob.told, eve.told]).toEqual([[], [heard('all'), heard('one')], [heard('all')]])
})

test('what somebody lacks is a share of what was told', () => {
  const audience = new Audience(new Map([[1, 30], [2, 10]]), parts) // prettier-ignore
  const shares = [new Map<number, number>(), new Map([[1, 20]]), new Map([[1, 99], [2, 10]])] // prettier-ignore
  expect(shares.map((theirs) => audience.shareLackedBy(theirs))).toEqual([1, 0.5, 0])
  expect(new Audience(new Map(), parts).shareLackedBy(new Map())).toBe(0)
})

test('[D3] everybody is told how the store fares', () => {
  const [ada, bob] = [person('Ada'), person('Bob')]
  roomOf(ada, bob).tellFailing(true)
  expect([ada.told, bob.told]).toEqual([['store fails'], ['store fails']])
})
