import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { settle, waitUntil } from '../../lib/fixtures/wait.ts'
import { readPresenceUpdate, writePresenceUpdate } from '../../lib/protocol/presence-update.ts'
import { type Fanout, SMALL_MESSAGE_BYTES } from '../fanout/fanout.ts'
import { createLocalHub, type LocalHub } from '../fanout/local.ts'
import type { DocumentEdit } from '../store/store.ts'
import { RoomFanout, type RoomFanoutHandlers } from './room-fanout.ts'
import type { RoomMember } from './room-members.ts'
import type { RemoteMember } from './room-messages.ts'
import { writeRoomMessage } from './room-messages.ts'
import { ReservationQuestions } from './reservation-questions.ts'

const TOPIC = 'room'

let hub: LocalHub
const opened: { room: RoomFanout; fanout: Fanout }[] = []
beforeEach(() => {
  hub = createLocalHub()
})
afterEach(async () => {
  for (const { room, fanout } of opened.splice(0)) {
    room.close()
    await fanout.close()
  }
})

/** One node's room: what it hears of the others, in words, and who is there of its own. */
class TestNode {
  readonly heard: string[] = []
  readonly failures: unknown[] = []
  readonly shown = new Set<RemoteMember>()
  readonly updates: Uint8Array[] = []
  interruptions = 0
  readonly members: { member: RoomMember; update: Uint8Array }[] = []
  readonly fanout: Fanout
  readonly room: RoomFanout

  static async open(name: string): Promise<TestNode> {
    const node = new TestNode(name)
    await node.room.whenReady()
    node.connect()
    return node
  }

  constructor(name: string, others: readonly string[] = []) {
    this.fanout = hub.join(name)
    const questions = createQuestions(this.fanout, name, others)
    this.room = new RoomFanout(this.fanout, name, TOPIC, questions)
    opened.push(this)
  }

  connect(): void {
    this.room.connect(this.#handlers)
  }

  show(member: RoomMember, update = Uint8Array.of(1)): void {
    this.members.push({ member, update })
    this.room.publishPresence(member, update)
  }

  get shownPrincipals(): string[] {
    return [...this.shown].map(({ principal }) => principal).toSorted()
  }

  readonly #handlers: RoomFanoutHandlers = {
    onLag: (ms) => expect(ms).toBeGreaterThanOrEqual(0),
    onEdits: (first, updates, owners) =>
      void this.heard.push(`edits ${first}: ${updates.join(' ')} of ${[...owners].join(' ')}`),
    onHead: (sequence) => void this.heard.push(`head ${sequence}`),
    onCompacted: (sequence) => void this.heard.push(`compacted ${sequence}`),
    onPresence: (member, update) => {
      this.shown.add(member)
      this.updates.push(update)
    },
    onLeft: (member) => void this.shown.delete(member),
    onTrace: (from, to, bytes) => void this.heard.push(`trace ${from} ${to}: ${bytes.join()}`),
    onHello: () => this.members,
    onInterrupted: () => void (this.interruptions += 1),
    onFailed: (error) => void this.failures.push(error),
  }
}

const edit = (update: Uint8Array, owner?: string): DocumentEdit => ({
  document: 'd',
  part: 'body',
  update,
  principal: 'p',
  session: 's',
  number: 1,
  clients: [],
  ...(owner && { claims: [{ client: 7, principal: owner }] }),
})

const createQuestions = (fanout: Fanout, self: string, others: readonly string[]) =>
  new ReservationQuestions(fanout, { self, others: others.map((name) => ({ name, address: '' })) })

const reservation = { client: 7, principal: 'user:eve', window: undefined, hasMore: false }

const memberOf = (id: string, fields: Partial<RoomMember> = {}): RoomMember => ({
  subscriber: {} as RoomMember['subscriber'],
  principal: { id, name: id, credential: id },
  session: id,
  token: '',
  isStock: false,
  role: 'editor',
  client: 1,
  hasState: true,
  uncommittedEdits: 0,
  lagClocks: null,
  ...fields,
})

describe('[D10] a room of several nodes', () => {
  test('tells the others what it stored, and whose client ids those are; once more its last number', async () => {
    const [ada, bob] = [await TestNode.open('a'), await TestNode.open('b')]
    ada.room.publishEdits(4, [edit(Uint8Array.of(1, 2), 'ada'), edit(Uint8Array.of(3))])
    ada.room.publishEdits(6, [edit(Uint8Array.of(4))])
    ada.room.publishCompaction(6)
    ada.room.publishTrace(1, 2, Uint8Array.of(9))
    await waitUntil(() => bob.heard.length >= 6)
    expect(bob.heard).toEqual([
      'head 0',
      'edits 4: 1,2 3 of 7,ada',
      'edits 6: 4 of ',
      'compacted 6',
      'trace 1 2: 9',
      'head 6',
    ])
    expect(ada.heard).toEqual(['head 0'])
  })

  test('announces more bytes than a message should have by their number alone', async () => {
    const [ada, bob] = [await TestNode.open('a'), await TestNode.open('b')]
    ada.room.publishEdits(1, [edit(new Uint8Array(150_000)), edit(new Uint8Array(150_000))])
    await waitUntil(() => bob.heard.length >= 2)
    expect(bob.heard[1]).toBe('head 2')
  })

  test('that is still loading knows then what it will have missed', async () => {
    const bob = new TestNode('b')
    await bob.room.whenReady()
    const ada = await TestNode.open('a')
    ada.room.publishEdits(4, [edit(Uint8Array.of(1)), edit(Uint8Array.of(2))])
    await settle(5)
    bob.connect()
    expect(bob.heard).toEqual(['head 5'])
  })

  test('is told where messages may have been lost, also while it was loading', async () => {
    const ada = await TestNode.open('a')
    const bob = new TestNode('b')
    await bob.room.whenReady()
    for (const name of ['a', 'b']) hub.cut(name)
    for (const name of ['a', 'b']) hub.heal(name)
    await waitUntil(() => ada.interruptions > 0)
    bob.connect()
    await waitUntil(() => bob.interruptions > 0)
  })

  test('passes over rubbish and what a newer node says, and reports rubbish', async () => {
    const ada = await TestNode.open('a')
    const stranger = hub.join('b')
    const say = (bytes: Uint8Array): void => stranger.publish(TOPIC, bytes)
    await waitUntil(() => stranger.status === 'connected')
    say(Uint8Array.of(1, 1, 97, 0, 255))
    say(Uint8Array.of(2, 1, 97, 0))
    say(writeRoomMessage('b', { type: 'head', sequence: 3 }))
    await waitUntil(() => ada.heard.length === 2)
    expect([ada.heard, ada.failures.length]).toEqual([['head 0', 'head 3'], 1])
    await stranger.close()
  })

  test('does not hear itself, by whichever way its messages come back', async () => {
    const ada = await TestNode.open('a')
    const echo = hub.join('b')
    await waitUntil(() => echo.status === 'connected')
    echo.publish(TOPIC, writeRoomMessage('a', { type: 'head', sequence: 3 }))
    echo.publish(TOPIC, writeRoomMessage('b', { type: 'head', sequence: 4 }))
    await waitUntil(() => ada.heard.length === 2)
    expect(ada.heard).toEqual(['head 0', 'head 4'])
    await echo.close()
  })
})

describe('[A5] a room that opens on one node', () => {
  test('knows by then which client ids windows of the others have announced, whether or not each has it open', async () => {
    const ada = await TestNode.open('a')
    const closed = hub.join('b')
    createQuestions(closed, 'b', ['a', 'c'])
    await waitUntil(() => closed.status === 'connected')
    ada.room.reservations.reserve(reservation)
    const cyd = new TestNode('c', ['a', 'b'])
    await cyd.room.whenReady()
    await cyd.room.whenAnswered()
    expect(cyd.room.reservations.find(7, reservation)).toEqual(reservation)
    await closed.close()
  })

  test('opens without an answer, too', async () => {
    const ada = new TestNode('a', ['gone'])
    await ada.room.whenReady()
    await ada.room.whenAnswered()
  })
})

describe('[W7] who is in a room of several nodes', () => {
  test('is shown on the others, as what they are, until they leave', async () => {
    const [ada, bob] = [await TestNode.open('a'), await TestNode.open('b')]
    const [eve, guest] = [
      memberOf('eve', { isStock: true }),
      memberOf('guest', { principal: { id: 'link:x', name: 'x', credential: 'x', token: 'x' } }),
    ]
    ada.show(eve)
    ada.show(guest)
    ada.room.publishPresence(eve, Uint8Array.of(2))
    await waitUntil(() => bob.shown.size === 2)
    expect([...bob.shown]).toMatchObject([
      { node: 'a', principal: 'eve', isStock: true, isByLink: false },
      { node: 'a', principal: 'link:x', isStock: false, isByLink: true },
    ])
    ada.room.publishLeft(eve)
    ada.room.publishLeft(memberOf('never shown'))
    await waitUntil(() => bob.shownPrincipals.join() === 'link:x')
  })

  test('is shown to a node that comes later, which forgets whoever left while it was not heard', async () => {
    const [ada, bob] = [await TestNode.open('a'), await TestNode.open('b')]
    ada.show(memberOf('eve'))
    ada.show(memberOf('fay'))
    const cyd = await TestNode.open('c')
    await waitUntil(() => [bob, cyd].every(({ shownPrincipals }) => shownPrincipals.join() === 'eve,fay'))
    hub.setFaults({ drop: () => true })
    const [{ member }] = ada.members.splice(0, 1) as [(typeof ada.members)[number]]
    ada.room.publishLeft(member)
    await settle(3)
    hub.setFaults({})
    expect(cyd.shownPrincipals).toEqual(['eve', 'fay'])
    hub.cut('c')
    hub.heal('c')
    await waitUntil(() => cyd.shownPrincipals.join() === 'fay')
  })

  test('is gone with their node, whose last edits the room then looks for; and with a room that closes there', async () => {
    const [ada, bob, cyd] = [await TestNode.open('a'), await TestNode.open('b'), await TestNode.open('c')]
    ada.show(memberOf('eve'))
    cyd.show(memberOf('fay'))
    await waitUntil(() => bob.shown.size === 2)
    hub.cut('a')
    const before = bob.interruptions
    bob.room.removeNode('a')
    bob.room.removeNode('unknown')
    expect([bob.shownPrincipals, bob.interruptions - before]).toEqual([['fay'], 1])
    cyd.room.close()
    await waitUntil(() => bob.shown.size === 0)
  })

  test('is shown again where their node was taken for gone, and is heard again, though nobody there moves', async () => {
    const [ada, bob] = [await TestNode.open('a'), await TestNode.open('b')]
    ada.show(memberOf('eve'))
    ada.room.reservations.reserve(reservation)
    await waitUntil(() => bob.shown.size === 1)
    bob.room.removeNode('a')
    bob.room.takeBackNode('a')
    await waitUntil(() => bob.shown.size === 1)
    expect(bob.room.reservations.find(7, reservation)).toEqual(reservation)
  })

  test('is not asked for where a node is new, or was never known here', async () => {
    const [ada, bob] = [await TestNode.open('a'), await TestNode.open('b')]
    const publish = vi.spyOn(bob.fanout, 'publish')
    bob.room.takeBackNode('a')
    bob.room.takeBackNode('new')
    for (const node of Array.from({ length: 101 }, (_, n) => `n${n}`)) {
      ada.fanout.publish(TOPIC, writeRoomMessage(node, { type: 'head', sequence: 1 }))
      await waitUntil(() => bob.heard.splice(0).includes('head 1'))
      bob.room.removeNode(node)
    }
    bob.room.takeBackNode('n0') // too long ago
    expect(publish).not.toHaveBeenCalled()
    bob.room.takeBackNode('n1')
    expect(publish).toHaveBeenCalledTimes(2)
  })

  test('is shown where no message carries all of them, and nobody is asked again and again', async () => {
    hub.setFaults({ maxBytes: SMALL_MESSAGE_BYTES })
    const [ada, bob] = [await TestNode.open('a'), await TestNode.open('b')]
    const published = vi.spyOn(ada.fanout, 'publish')
    const names = Array.from({ length: 300 }, (_, n) => `p${n}`).toSorted((a, b) => (a < b ? -1 : 1))
    for (const name of names) ada.show(memberOf(name), new Uint8Array(4_500))
    await waitUntil(() => bob.shown.size === 300)
    const cyd = await TestNode.open('c')
    await waitUntil(() => cyd.shown.size === 300)
    expect(cyd.shownPrincipals).toEqual(names)
    hub.setFaults({ maxBytes: SMALL_MESSAGE_BYTES, drop: () => true })
    const left = ada.members.splice(0, 100)
    for (const { member } of left) ada.room.publishLeft(member)
    await settle(3)
    hub.setFaults({ maxBytes: SMALL_MESSAGE_BYTES })
    hub.cut('c')
    hub.heal('c')
    await waitUntil(() => cyd.shown.size === 200)
    await settle(10)
    expect([ada, bob].map(({ interruptions }) => interruptions)).toEqual([0, 0])
    published.mockClear()
    await settle(10)
    expect(published).not.toHaveBeenCalled()
  })

  test('is shown where a stock client has more states than one message carries', async () => {
    hub.setFaults({ maxBytes: SMALL_MESSAGE_BYTES })
    const [ada, bob] = [await TestNode.open('a'), await TestNode.open('b')]
    const json = JSON.stringify({ user: { name: 'x'.repeat(4_000) } })
    const states = [1, 2, 3, 4].map((client) => ({ client, clock: 1, json }))
    ada.show(memberOf('eve', { isStock: true }), writePresenceUpdate(states))
    await waitUntil(() => bob.updates.length >= 4)
    const cyd = await TestNode.open('c')
    await waitUntil(() => cyd.updates.length >= 4)
    expect(cyd.updates.slice(0, 4).flatMap(readPresenceUpdate)).toEqual(states)
    expect([ada, bob, cyd].map(({ interruptions }) => interruptions)).toEqual([0, 0, 0])
    expect([...cyd.shown]).toEqual([...bob.shown])
  })

  test('is shown to a room that opened while their node was cut off, and could not ask it', async () => {
    const ada = await TestNode.open('a')
    ada.show(memberOf('eve'))
    ada.room.reservations.reserve(reservation)
    await settle(5) // so that nothing of it is lost by its sender
    hub.cut('a')
    const bob = await TestNode.open('b')
    hub.heal('a')
    await waitUntil(() => bob.shown.size === 1)
    expect(bob.room.reservations.find(7, reservation)).toEqual(reservation)
  })

  test('is shown again where their node was taken for gone, and speaks', async () => {
    const [ada, bob] = [await TestNode.open('a'), await TestNode.open('b')]
    ada.show(memberOf('eve'))
    ada.room.reservations.reserve(reservation)
    await waitUntil(() => bob.shown.size === 1)
    bob.room.removeNode('a')
    expect([bob.shown.size, bob.room.reservations.find(7, reservation)]).toEqual([0, undefined])
    ada.room.publishTrace(1, 2, Uint8Array.of(9))
    await waitUntil(() => bob.shown.size === 1)
    expect(bob.room.reservations.find(7, reservation)).toEqual(reservation)
  })

  test('is gone with their node, whose last transaction may be committed later: the room looks once more', async () => {
    const [ada, bob] = [await TestNode.open('a'), await TestNode.open('b')]
    ada.show(memberOf('eve'))
    await waitUntil(() => bob.shown.size === 1)
    hub.cut('a')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      bob.room.removeNode('a')
      const before = bob.interruptions
      vi.advanceTimersByTime(14_000)
      expect(bob.interruptions).toBe(before)
      vi.advanceTimersByTime(1_000)
      expect(bob.interruptions).toBe(before + 1)
    } finally {
      vi.useRealTimers()
    }
  })
})
