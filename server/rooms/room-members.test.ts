import { expect, test } from 'vitest'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { RoomMembers, type RoomMember } from './room-members.ts'

/** A member of the room, and what it was sent: letters are edits, the rest is named. */
interface RecordedMember extends RoomMember {
  readonly received: string[]
  readonly client: number
  readonly presence: Uint8Array
  acceptsChanges: boolean
}

function openMember(name: string): RecordedMember {
  const events: string[] = []
  const awareness = new Awareness(new Y.Doc())
  awareness.setLocalState({ user: { name } })
  const { clientID: client } = awareness
  const presenceUpdate = encodeAwarenessUpdate(awareness, [client])
  awareness.destroy()
  const member: RecordedMember = {
    received: events,
    client,
    presence: presenceUpdate,
    acceptsChanges: true,
    principal: { id: name, name } as RoomMember['principal'],
    session: name,
    token: '',
    isStock: false,
    role: 'editor',
    hasState: false,
    uncommittedEdits: 0,
    lagClocks: null,
    subscriber: {
      onState: ({ updates }) => events.push(`state ${updates.map(textOf).join('')}`),
      onChange: ({ updates }) => {
        if (member.acceptsChanges) events.push(updates.map(textOf).join(''))
        return member.acceptsChanges
      },
      onMissedEdits: (update) => events.push(`merged ${textOf(update)}`),
      onPresence: () => events.push('caret'),
      onWholePresence: () => events.push('who is here'),
      onTrace: (from, bytes) => events.push(`trace of ${from}: ${textOf(bytes)}`),
      onRole: () => {},
      onStoreStatus: (failing) => events.push(failing ? 'store fails' : 'store is well'),
      onEvicted: () => {},
    },
  }
  return member
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const failures: string[] = []
const options = {
  onMemberFailed: ({ principal }: RoomMember, error: unknown) =>
    void failures.push(`${principal.name}: ${String(error)}`),
  onMergeFailed: (error: unknown) => void failures.push(String(error)),
  onPresenceDue: () => {},
  mayUse: () => true,
  mayShow: () => true,
  onPresenceSent: () => {},
  onPresenceHidden: () => {},
}

let clock = 0
const editBy = (author: RoomMember | null, text: string) => ({
  update: bytesOf(text),
  clocks: new Map([[1, ++clock]]),
  author,
})

function membersOf(...roomMembers: readonly RecordedMember[]): RoomMembers {
  const members = new RoomMembers(new Map(), options)
  for (const member of roomMembers) {
    members.add(member)
    members.sendState(member, () => ({ updates: [], stateVector: new Uint8Array() }))
    member.received.length = 0
  }
  return members
}

test('[S1] the edits of a batch are broadcast in one message, to everybody but their authors', () => {
  const [ada, bob] = [openMember('Ada'), openMember('Bob')]
  const members = membersOf(ada, bob)
  for (const edit of [editBy(ada, 'a'), editBy(null, 's'), editBy(bob, 'b')]) members.addEdit(edit)
  expect(bob.received).toEqual([])
  members.flush()
  expect([ada.received, bob.received]).toEqual([['sb'], ['as']])
})

test('[D1] a new member first gets what it lacks, encoded after every earlier broadcast, then the changes', () => {
  const [ada, eve] = [openMember('Ada'), openMember('Eve')]
  const members = membersOf(ada)
  members.add(eve)
  members.addEdit(editBy(null, 'before'))
  members.sendState(eve, () => ({ updates: [bytesOf(ada.received.join())], stateVector: new Uint8Array() }))
  members.addEdit(editBy(null, 'after'))
  members.flush()
  expect(eve.received).toEqual(['state before', 'who is here', 'after'])
  members.remove(eve)
  members.sendState(eve, () => ({ updates: [], stateVector: new Uint8Array() }))
  expect(eve.received).toHaveLength(3)
})

test('[S6] a lagging member receives nothing until it has caught up, and then nothing twice', () => {
  const [ada, bob] = [openMember('Ada'), openMember('Bob')]
  const members = membersOf(ada, bob)
  const broadcastBefore = members.stateVector
  bob.acceptsChanges = false
  members.addEdit(editBy(ada, 'a'))
  members.flush()
  const lagClocks = bob.lagClocks!
  expect(Y.encodeStateVector(new Map(lagClocks))).toEqual(broadcastBefore)
  bob.acceptsChanges = true
  members.addEdit(editBy(ada, 'b'))
  members.broadcastPresence(ada, ada.presence)
  members.flush()
  expect(bob.received).toEqual([])
  members.sendMissedEdits(bob, lagClocks, [bytesOf('ab')])
  members.sendMissedEdits(bob, lagClocks, [bytesOf('ab again')])
  members.addEdit(editBy(ada, 'c'))
  members.flush()
  expect(bob.received).toEqual(['merged ab', 'who is here', 'c'])
})

test('[W7] a caret comes after the edits of its batch; after a member left, its removal is the last message', () => {
  const [ada, bob] = [openMember('Ada'), openMember('Bob')]
  const members = membersOf(ada, bob)
  const caret = members.receivePresence(ada, ada.presence)!
  members.addEdit(editBy(ada, 'a'))
  members.broadcastPresence(ada, caret)
  expect(bob.received).toEqual([])
  members.flush()
  expect([ada.received, bob.received]).toEqual([[], ['a', 'caret']])
  expect([members.remove(ada), members.remove(ada)]).toEqual([true, false])
  members.broadcastPresence(ada, caret)
  expect(bob.received).toEqual(['a', 'caret', 'caret'])
})

test('a trace is sent under its author’s client id, to one window or to all others; without an id to nobody', () => {
  const [ada, bob, eve] = [openMember('Ada'), openMember('Bob'), openMember('Eve')]
  const members = membersOf(ada, bob, eve)
  const sendTrace = (to: number, text: string) =>
    members.sendTrace(ada, to, bytesOf(text), () => elsewhere.push(text))
  const elsewhere: string[] = []
  sendTrace(0, 'nameless')
  for (const member of [ada, bob]) members.receivePresence(member, member.presence)
  sendTrace(0, 'all')
  sendTrace(bob.client, 'one')
  const traceOf = (text: string) => `trace of ${ada.client}: ${text}`
  expect([ada.received, bob.received, eve.received]).toEqual([
    [],
    [traceOf('all'), traceOf('one')],
    [traceOf('all')],
  ])
  // What is sent to members on other nodes.
  expect(elsewhere).toEqual(['all'])
})

test('the missing share is a share of what was broadcast', () => {
  const members = new RoomMembers(new Map([[1, 30], [2, 10]]), options) // prettier-ignore
  const shares = [new Map<number, number>(), new Map([[1, 20]]), new Map([[1, 99], [2, 10]])] // prettier-ignore
  expect(shares.map((theirs) => members.missingShareOf(theirs))).toEqual([1, 0.5, 0])
  expect(new RoomMembers(new Map(), options).missingShareOf(new Map())).toBe(0)
})

test('[D3] everybody receives the store status', () => {
  const [ada, bob] = [openMember('Ada'), openMember('Bob')]
  membersOf(ada, bob).broadcastStoreStatus(true)
  expect([ada.received, bob.received]).toEqual([['store fails'], ['store fails']])
})
