/** A document that is open on several nodes: their rooms over one store, and messages between them that get lost. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { Principal } from '../access/principal.ts'
import { createLocalHub, type LocalHub } from '../fanout/local.ts'
import { soleNode } from '../nodes/nodes.ts'
import { isTestedOnPostgres } from '../store/fixtures/test-store.ts'
import {
  isPending,
  openRoomsFixture,
  refusalOf,
  type RoomsFixture,
  RoomWindow,
} from './fixtures/rooms-fixture.ts'
import { RoomRefusal, type Rooms } from './rooms.ts'
import { TextWorkerPool } from './text-worker-pool.ts'

const names = ['a', 'b', 'c'] as const
type NodeName = (typeof names)[number]

let fixture: RoomsFixture
let hub: LocalHub
let rooms: Record<NodeName, Rooms>
let id: string
let owner: Principal
/** What the nodes are told of others that are gone. */
const goneListeners = new Set<(node: string) => void>()
const cleanups: (() => Promise<void>)[] = []

beforeEach(async () => {
  fixture = await openRoomsFixture()
  hub = createLocalHub()
  rooms = Object.fromEntries(names.map((name) => [name, openNode(name)])) as typeof rooms
  ;({ id, owner } = await fixture.document())
})
afterEach(async () => {
  vi.restoreAllMocks()
  hub.setFaults({})
  for (const cleanUp of cleanups.splice(0)) await cleanUp()
  goneListeners.clear()
  await fixture[Symbol.asyncDispose]()
})

function openNode(name: string): Rooms {
  const fanout = hub.join(name)
  const onGone = (listener: (node: string) => void) => {
    goneListeners.add(listener)
    return () => void goneListeners.delete(listener)
  }
  const others = names.filter((other) => other !== name).map((other) => ({ name: other, address: '' }))
  const opened = fixture.openRooms({ fanout, nodes: { ...soleNode(name), others, onGone } })
  cleanups.push(async () => {
    fixture.store.failWith(null)
    fixture.store.release()
    await opened.close()
    await fanout.close()
  })
  return opened
}

const openWindow = (node: NodeName, doc?: Y.Doc, principal = owner) =>
  RoomWindow.open(rooms[node], id, principal, doc)

const storedText = async () => (await fixture.read(id)).getText('trace').toJSON()

describe('[D10] an edit that one node stores', () => {
  test('is shown on the others, after its commit and not before (D1)', async () => {
    const [ada, bob] = [await openWindow('a'), await openWindow('b')]
    fixture.store.hold()
    const saved = ada.type('Hello')
    expect(await isPending(saved)).toBe(true)
    expect(bob.text).toBe('')
    fixture.store.release()
    await saved
    await waitUntil(() => bob.text === 'Hello')
    await bob.type(', Ada')
    await waitUntil(() => ada.text === 'Hello, Ada')
  })

  test('comes to a text that was loaded with what others wrote before, and to large and unread ones', async () => {
    const ada = await openWindow('a')
    await ada.type('x'.repeat(1_500_000))
    const bob = await openWindow('b')
    const [eve, unread] = [await openWindow('c'), await openWindow('c')]
    await bob.type('end')
    for (const window of [ada, eve, unread]) await waitUntil(() => window.text.endsWith('xend'))
    expect(await storedText()).toBe(bob.text)
  })

  test('keeps nobody waiting where it is long: a worker cuts what the other node builds from it', async () => {
    const [ada, bob] = [await openWindow('a'), await openWindow('b')]
    await bob.type('before ')
    await waitUntil(() => ada.text === 'before ')
    const pieces = vi.spyOn(TextWorkerPool.prototype, 'pieces')
    await ada.type('x'.repeat(1_500_000))
    await waitUntil(() => bob.text === ada.text)
    expect(pieces).not.toHaveBeenCalled()
    await bob.type(' after')
    expect(pieces).toHaveBeenCalledTimes(1)
    await waitUntil(() => bob.text === ada.text)
    expect(await storedText()).toBe(bob.text)
  })

  test('is read from the log where its message is lost, at once if another follows', async () => {
    const [ada, bob] = [await openWindow('a'), await openWindow('b')]
    hub.setFaults({ drop: () => true })
    await ada.type('one ')
    hub.setFaults({})
    await ada.type('two ')
    await waitUntil(() => bob.text === 'one two ')
  })

  test('is read from the log where its message is lost and nobody writes on', async () => {
    const [ada, bob] = [await openWindow('a'), await openWindow('b')]
    hub.setFaults({ drop: () => true })
    await ada.type('the last word')
    hub.setFaults({})
    await waitUntil(() => bob.text === 'the last word')
  })

  test('is read from the log where the node was cut off, when it is back', async () => {
    const [ada, bob] = [await openWindow('a'), await openWindow('b')]
    hub.cut('b')
    await ada.type('meanwhile ')
    await bob.type('alone ')
    expect(bob.text).toBe('alone ')
    hub.heal('b')
    await waitUntil(() => bob.text === ada.text && bob.text.length === 16)
    expect(await storedText()).toBe(bob.text)
  })

  test('reaches a window that joins on another node while it is on its way', async () => {
    const ada = await openWindow('a')
    await openWindow('b')
    for (let n = 0; n < 20; n++) {
      const [joined] = await Promise.all([openWindow('b', new Y.Doc()), ada.type(`${n} `)])
      await waitUntil(() => joined.text === ada.text)
    }
  })

  test('whatever is lost, repeated or late, all windows end with what is stored', async () => {
    const windows = await Promise.all([...names, ...names].map((name) => openWindow(name)))
    const chance = fc.sample(fc.nat(9), { seed: 7, numRuns: 5_000 })
    const isOneIn = (n: number) => chance.pop()! % n === 0
    hub.setFaults({ drop: () => isOneIn(3), repeat: () => isOneIn(3), reorder: () => isOneIn(3) })
    for (let round = 0; round < 25; round++)
      await Promise.all(
        windows.map(async (window, index) => {
          await window.type(`${index}`, Math.floor((window.text.length * (round % 7)) / 7))
          if (round % 5 === 0) await window.send(removalOf(window, Math.floor(window.text.length / 2)))
        }),
      )
    hub.setFaults({})
    const stored = await storedText()
    for (const window of windows) await waitUntil(() => window.text === stored)
    expect(stored.length).toBeGreaterThan(100)
    expect(windows.map(({ evictionReason }) => evictionReason)).toEqual(windows.map(() => null))
  })
})

function removalOf({ doc }: RoomWindow, at: number): Uint8Array {
  const before = Y.encodeStateVector(doc)
  doc.getText('trace').delete(at, 1)
  return Y.encodeStateAsUpdate(doc, before)
}

describe('[D5] a compaction', () => {
  const isCompacted = async () => (await fixture.store.load(id, 'body')).logLength < 500

  test('of one node is taken over by the others, which go on with edits after it', async () => {
    const [ada, bob] = [await openWindow('a'), await openWindow('b')]
    for (let n = 0; n < 510; n++) await ada.type('.')
    await waitUntil(isCompacted)
    await bob.type('end')
    await waitUntil(() => ada.text === bob.text && ada.text.includes('end'))
    const fresh = await openWindow('b', new Y.Doc())
    expect(fresh.text).toBe(ada.text)
    expect(bob.evictionReason).toBeNull()
  })

  test('that contains edits which a node never received has it load the document again, and nobody is blamed', async () => {
    const [ada, bob] = [await openWindow('a'), await openWindow('b')]
    hub.cut('b')
    for (let n = 0; n < 510; n++) await ada.type('.')
    await waitUntil(isCompacted)
    hub.heal('b')
    await waitUntil(() => bob.evictionReason !== null)
    expect(bob.evictionReason).toMatchObject({ code: 'overloaded' })
    // Again and again, and the document is not set aside.
    for (let n = 0; n < 5; n++) {
      const back = await openWindow('b', new Y.Doc())
      expect(back.text).toBe(ada.text)
    }
  })
})

const presenceOf = (window: RoomWindow, name: string): Uint8Array => {
  const state = JSON.stringify({ user: { name }, cursor: null })
  return Uint8Array.from([
    1,
    ...varint(window.doc.clientID),
    ...varint(1),
    ...varint(state.length),
    ...Buffer.from(state),
  ])
}
/** The clients that a window was shown, and not told that they left. */
const shownTo = (window: RoomWindow): number[] => {
  const shown = new Map<number, string>()
  for (const { update, whole } of window.presence) {
    const states = readStates(update)
    if (whole) for (const client of shown.keys()) if (!states.has(client)) shown.delete(client)
    for (const [client, state] of states) {
      if (state === 'null') shown.delete(client)
      else shown.set(client, state)
    }
  }
  return [...shown.keys()].toSorted((a, b) => a - b)
}

describe('[W7] presence', () => {
  const open = async (node: NodeName, doc?: Y.Doc, principal = owner) => {
    const window = await openWindow(node, doc, principal)
    window.membership.sendPresence(presenceOf(window, 'Ada'))
    return window
  }
  const idsOf = (...windows: RoomWindow[]) => windows.map(({ doc }) => doc.clientID).toSorted((a, b) => a - b)

  test('of windows on all nodes is shown everywhere, also to those that come later, until they leave', async () => {
    const [ada, bob] = [await open('a'), await open('b')]
    const eve = await open('c')
    await waitUntil(() => shownTo(eve).join() === idsOf(ada, bob).join())
    await waitUntil(() => shownTo(ada).join() === idsOf(bob, eve).join())
    bob.membership.leave()
    await waitUntil(() => shownTo(eve).join() === idsOf(ada).join())
  })

  test('of a node that is gone is gone', async () => {
    const [ada, bob] = [await open('a'), await open('b')]
    await waitUntil(() => shownTo(ada).join() === idsOf(bob).join())
    hub.cut('b')
    for (const listener of goneListeners) listener('b')
    await waitUntil(() => shownTo(ada).length === 0)
  })

  test('that comes later than the message that says its window has left is not shown', async () => {
    const witness = await open('c')
    const [late, next] = [await openWindow('a'), await openWindow('a')]
    hub.setFaults({ delayMs: 50 })
    late.membership.sendPresence(presenceOf(late, 'Ada'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    hub.setFaults({})
    late.membership.leave()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(shownTo(witness)).toEqual([])
    next.membership.sendPresence(presenceOf(next, 'Bob'))
    await waitUntil(() => shownTo(witness).join() === idsOf(next).join())
  })

  test('of a window that left while its presence waited behind an edit is not shown', async () => {
    const [witness, bob] = [await openWindow('c'), await openWindow('c')]
    const ada = await openWindow('a')
    fixture.store.hold()
    const saved = bob.type('on its way')
    ada.membership.sendPresence(presenceOf(ada, 'Ada'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    ada.membership.leave()
    await new Promise((resolve) => setTimeout(resolve, 20))
    fixture.store.release()
    await saved
    await waitUntil(() => witness.text === 'on its way')
    expect(shownTo(witness)).toEqual([])
  })

  test('of a window that moves to another node stays, whenever the former node notices', async () => {
    const witness = await open('c')
    const before = await open('a')
    await waitUntil(() => shownTo(witness).join() === idsOf(before).join())
    const after = await open('b', before.doc)
    await new Promise((resolve) => setTimeout(resolve, 50))
    before.membership.leave()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(shownTo(witness)).toEqual(idsOf(after))
    after.membership.leave()
    await waitUntil(() => shownTo(witness).length === 0)
  })

  test('under the client id of somebody else on another node is not shown', async () => {
    const { principal: mallory } = await fixture.createPerson()
    await fixture.access.createShareLink(id, 'editor', owner)
    const ada = await open('a')
    const witness = await open('c')
    await waitUntil(() => shownTo(witness).join() === idsOf(ada).join())
    const before = witness.presence.length
    const { token } = await fixture.access.createShareLink(id, 'editor', owner)
    const forger = await RoomWindow.open(rooms.b, id, mallory, undefined, { token })
    forger.membership.sendPresence(presenceOf(ada, 'Mallory'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(witness.presence.slice(before).map(({ update }) => Buffer.from(update).toString())).not.toContain(
      expect.stringContaining('Mallory'),
    )
  })

  test('and a trace reach the author of an edit on another node', async () => {
    const [ada, bob] = [await open('a'), await open('b')]
    await waitUntil(() => shownTo(bob).join() === idsOf(ada).join())
    bob.membership.sendTrace(ada.doc.clientID, Uint8Array.of(1, 2))
    await waitUntil(() => ada.traces.length === 1)
    expect(ada.traces).toEqual([{ from: bob.doc.clientID, bytes: Uint8Array.of(1, 2) }])
  })
})

describe('[A5] a client id that a window has announced at one node', () => {
  const docUnder = (client: number): Y.Doc => Object.assign(new Y.Doc(), { clientID: client })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code
  const openMallory = async () => {
    const { principal } = await fixture.createPerson()
    const { token } = await fixture.access.createShareLink(id, 'editor', owner)
    await fixture.access.redeemShareLink(principal, id, token)
    return principal
  }
  /** Two programs with one link's token: one principal. */
  const openLink = async () => {
    const { principal, token } = await fixture.linkPrincipalTo(id, 'editor', owner)
    return (node: NodeName, session: string, doc?: Y.Doc) =>
      RoomWindow.open(rooms[node], id, principal, doc, { token, session })
  }

  test('is taken at the others for another person: announced, shown and written', async () => {
    const mallory = await openMallory()
    const thief = await openWindow('b', new Y.Doc(), mallory)
    const ada = await openWindow('a')
    const { clientID } = ada.doc
    ada.membership.sendPresence(presenceOf(ada, 'Ada'))
    await waitUntil(() => shownTo(thief).includes(clientID)) // so it is reserved there
    expect(await codeOf(openWindow('b', docUnder(clientID), mallory))).toBe('taken')
    const resync = () => thief.membership.resync(Y.encodeStateVector(thief.doc), clientID)
    expect(resync).toThrow('somebody else')
    thief.doc.clientID = clientID
    expect(await codeOf(thief.type('stolen'))).toBe('taken')
    await ada.type('mine')
    expect(await storedText()).toBe('mine')
  })

  test('is taken for who shares the link that its window came by, before it has written and afterwards', async () => {
    const open = await openLink()
    const [ada, thief] = [await open('a', 'a.ada'), await open('b', 'b.thief')]
    const { clientID } = ada.doc
    expect(await codeOf(open('c', 'c.thief', docUnder(clientID)))).toBe('taken')
    const stolen = docUnder(clientID)
    stolen.getText('trace').insert(0, 'stolen')
    expect(await codeOf(thief.send(Y.encodeStateAsUpdate(stolen)))).toBe('taken')
    await ada.type('mine')
    await waitUntil(() => thief.text === 'mine')
    thief.doc.clientID = clientID
    expect(await codeOf(thief.type(', not yours'))).toBe('taken')
    await ada.type('!')
    expect(await storedText()).toBe('mine!')
  })

  test('is known to a node that opens the document for the one who wants it', async () => {
    const [open, mallory] = [await openLink(), await openMallory()]
    const ada = await open('a', 'a.ada')
    const bob = await openWindow('a')
    hub.setFaults({ delayMs: 3 })
    const attempts = [
      open('b', 'b.thief', docUnder(ada.doc.clientID)),
      openWindow('c', docUnder(bob.doc.clientID), mallory),
    ]
    expect(await Promise.all(attempts.map(codeOf))).toEqual(['taken', 'taken'])
  })

  test('is free for the windows of its person, and for the window itself, wherever it moves', async () => {
    const open = await openLink()
    const windows: ((node: NodeName, doc?: Y.Doc) => Promise<RoomWindow>)[] = [
      openWindow,
      (node, doc) => open(node, `${node}.0123456789abcdef${node}`, doc),
    ]
    for (const openAt of windows) {
      const doc = new Y.Doc()
      // Each former session lives on, as where a link was lost without a word.
      for (const node of [...names, ...names]) {
        const window = await openAt(node, doc)
        await window.type(node)
      }
    }
    expect((await storedText()).length).toBe(12)
  })

  test('is free once its window has left, or its node is gone', async () => {
    const mallory = await openMallory()
    const witness = await openWindow('c')
    const [ada, bob] = [await openWindow('a'), await openWindow('b')]
    for (const window of [ada, bob]) window.membership.sendPresence(presenceOf(window, 'Ada'))
    await waitUntil(() => shownTo(witness).length === 2)
    const takeFrom = ({ doc }: RoomWindow) => openWindow('c', docUnder(doc.clientID), mallory)
    const attempts = [await codeOf(takeFrom(ada)), await codeOf(takeFrom(bob))]
    ada.membership.leave()
    hub.cut('b')
    for (const listener of goneListeners) listener('b')
    await waitUntil(() => shownTo(witness).length === 0)
    await Promise.all([takeFrom(ada), takeFrom(bob)])
    expect(attempts).toEqual(['taken', 'taken'])
  })

  test('is told again where messages were lost', async () => {
    const mallory = await openMallory()
    await openWindow('b')
    hub.cut('b')
    const ada = await openWindow('a')
    hub.heal('b')
    const thief = docUnder(ada.doc.clientID)
    const take = () => openWindow('b', thief, mallory).then(({ membership }) => membership.leave())
    for (let code = ''; code !== 'taken';)
      code = await take().then(
        () => '',
        ({ reason }: RoomRefusal) => reason.code,
      )
  })

  test('is its owner’s where two nodes reserve it before they hear of each other: whoever is stored first', async () => {
    const mallory = await openMallory()
    await Promise.all([openWindow('a'), openWindow('b')])
    hub.setFaults({ drop: () => true })
    const ada = await openWindow('a')
    const thief = await openWindow('b', docUnder(ada.doc.clientID), mallory)
    hub.setFaults({})
    await ada.type('mine')
    await waitUntil(() => thief.text === 'mine')
    thief.doc.clientID = ada.doc.clientID // Yjs takes another one when somebody else writes under its own
    expect(await codeOf(thief.type(', not yours'))).toBe('taken')
    await ada.type('!')
    expect(await storedText()).toBe('mine!')
  })
})

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]

function readStates(update: Uint8Array): Map<number, string> {
  const states = new Map<number, string>()
  let at = 0
  const read = (): number => {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = update[at++]!
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
  }
  for (let left = read(); left > 0; left--) {
    const client = read()
    read()
    const length = read()
    states.set(client, Buffer.from(update.subarray(at, (at += length))).toString())
  }
  return states
}

// Only a database that several nodes write in compares owners and clocks at the commit.
describe.runIf(isTestedOnPostgres)('[A5] where two nodes take in text under one client id', () => {
  test('an edit that a moved window sends again is stored once', async () => {
    const ada = await openWindow('a')
    const witness = await openWindow('b')
    hub.setFaults({ drop: () => true })
    await ada.type('once ')
    // Its acknowledgement was lost with the link: the window repeats the edit on the other node, and goes on.
    const moved = await openWindow('b', ada.doc)
    await moved.send(Y.encodeStateAsUpdate(ada.doc))
    await moved.type('more')
    hub.setFaults({})
    await waitUntil(() => witness.text === 'once more')
    expect(await storedText()).toBe('once more')
  })

  test('other text for the same clocks is never stored, and what others wrote meanwhile is, when they come back', async () => {
    const ada = await openWindow('a')
    const [forger, bob] = [await openWindow('b'), await openWindow('b')]
    forger.doc.clientID = ada.doc.clientID
    hub.setFaults({ drop: () => true })
    await ada.type('the truth')
    const refusals = await Promise.all([refusalOf(forger.type('a lie')), refusalOf(bob.type('and more'))])
    expect(refusals.map(({ code }) => code)).toEqual(['overloaded', 'overloaded'])
    // The room is loaded again, and both come back with what they have.
    const forgerAgain = await openWindow('b', forger.doc)
    const again = await refusalOf(forgerAgain.send(Y.encodeStateAsUpdate(forger.doc)))
    expect(again.code).toMatch(/^(bad-update|taken)$/)
    await writeThrough('b', bob.doc)
    hub.setFaults({})
    const fresh = await openWindow('c')
    expect([...fresh.text.matchAll(/the truth|and more/g)]).toHaveLength(2)
    expect(fresh.text).not.toContain('lie')
    await waitUntil(() => ada.text === fresh.text)
  })

  test('the id belongs to whoever was stored first', async () => {
    const { principal: mallory } = await fixture.createPerson()
    const { token } = await fixture.access.createShareLink(id, 'editor', owner)
    hub.setFaults({ drop: () => true })
    const ada = await openWindow('a')
    const stranger = new Y.Doc()
    const thief = await RoomWindow.open(rooms.b, id, mallory, stranger, { token })
    stranger.clientID = ada.doc.clientID
    await ada.type('mine')
    expect((await refusalOf(thief.type('stolen'))).code).toBe('overloaded')
    const thiefAgain = RoomWindow.open(rooms.b, id, mallory, stranger, { token })
    expect((await refusalOf(thiefAgain)).code).toBe('taken')
    hub.setFaults({})
    await ada.type(' still')
    expect(await storedText()).toBe('mine still')
  })

  test('conflicts within a stream of edits lose none of them, and set no document aside', async () => {
    const docs = Array.from({ length: 4 }, () => new Y.Doc())
    const moving = new Y.Doc()
    const type = (doc: Y.Doc, letter: string) => doc.getText('trace').insert(0, letter)
    for (let round = 0; round < 6; round++) {
      docs.forEach((doc, index) => type(doc, `${index}`))
      type(moving, 'm')
      // The moving window is on both nodes at once, as where its link was lost without a word.
      await Promise.all([
        ...docs.map((doc, index) => writeThrough(index % 2 === 0 ? 'a' : 'b', doc)),
        writeThrough('a', moving),
        writeThrough('b', moving),
      ])
    }
    const fresh = await openWindow('c')
    expect(fresh.text.split('').toSorted().join('')).toBe(
      ['0', '1', '2', '3', 'm'].map((letter) => letter.repeat(6)).join(''),
    )
  })
})

/** Does what a window does: it joins with what it has, sends that, and comes back whenever it is told that the room is loaded again. */
async function writeThrough(node: NodeName, doc: Y.Doc): Promise<void> {
  for (;;) {
    try {
      const window = await openWindow(node, doc)
      await window.send(Y.encodeStateAsUpdate(doc))
      return window.membership.leave()
    } catch (error) {
      if (!(error instanceof RoomRefusal) || error.reason.code !== 'overloaded') throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
