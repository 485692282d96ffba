/** What several nodes store in one document: each takes in what the others did, though messages between them get lost. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { nodeNames, type NodesFixture, openNodesForEachTest } from './fixtures/nodes-fixture.ts'
import type { DocumentStore } from '../store/store.ts'
import { docOf, isPending, RoomWindow } from './fixtures/rooms-fixture.ts'
import { TextWorkerPool } from './text-worker-pool.ts'

let nodes: NodesFixture
openNodesForEachTest((opened) => (nodes = opened))

describe('[D10] an edit that one node stores', () => {
  test('is shown on the others, after its commit and not before (D1)', async () => {
    const [ada, bob] = [await nodes.openWindow('a'), await nodes.openWindow('b')]
    nodes.fixture.store.hold()
    const saved = ada.type('Hello')
    expect(await isPending(saved)).toBe(true)
    expect(bob.text).toBe('')
    nodes.fixture.store.release()
    await saved
    await waitUntil(() => bob.text === 'Hello')
    await bob.type(', Ada')
    await waitUntil(() => ada.text === 'Hello, Ada')
  })

  test('comes to a text that was loaded with what others wrote before, and to large and unread ones', async () => {
    const ada = await nodes.openWindow('a')
    await ada.type('x'.repeat(1_500_000))
    const bob = await nodes.openWindow('b')
    const [eve, unread] = [await nodes.openWindow('c'), await nodes.openWindow('c')]
    await bob.type('end')
    for (const window of [ada, eve, unread]) await waitUntil(() => window.text.endsWith('xend'))
    expect(await nodes.storedText()).toBe(bob.text)
  })

  test('keeps nobody waiting where it is long: a worker cuts what the other node builds from it', async () => {
    const [ada, bob] = [await nodes.openWindow('a'), await nodes.openWindow('b')]
    await bob.type('before ')
    await waitUntil(() => ada.text === 'before ')
    const pieces = vi.spyOn(TextWorkerPool.prototype, 'pieces')
    await ada.type('x'.repeat(1_500_000))
    await waitUntil(() => bob.text === ada.text)
    expect(pieces).not.toHaveBeenCalled()
    await bob.type(' after')
    expect(pieces).toHaveBeenCalledTimes(1)
    await waitUntil(() => bob.text === ada.text)
    expect(await nodes.storedText()).toBe(bob.text)
  })

  test('[A6] is read with turns for others in between, and what is typed meanwhile comes behind it', async () => {
    const { fixture, id, owner } = nodes
    const bob = await nodes.openWindow('b')
    const author = new Y.Doc()
    author.getArray('list').insert(0, Array(1_000_000).fill(1_000))
    const update = Y.encodeStateAsUpdate(author)
    const edit = { document: id, part: 'body', principal: owner.id, session: 's', number: 1 } as const
    await fixture.store.append([{ ...edit, update, clients: [author.clientID] }])
    const turns = vi.spyOn(globalThis, 'setImmediate')
    const joined = nodes.openWindow('b', author)
    while (bob.doc.getArray('list').length === 0) await bob.type('.')
    expect(turns.mock.calls.length).toBeGreaterThan(update.length / (64 * 1024))
    expect(bob.doc.getArray('list').length).toBe(1_000_000)
    await joined
    expect(await nodes.storedText()).toBe(bob.text)
  })

  test('[A6] counts in the memory of a node where people only read', async () => {
    const [ada, bob] = [await nodes.openWindow('a'), await nodes.openWindow('b')]
    await ada.type('x'.repeat(50_000))
    await waitUntil(() => bob.text === ada.text)
    await waitUntil(() => nodes.rooms.b.readFigures().memoryBytes > 50_000)
  })

  test('is read from the log where its message is lost, at once if another follows', async () => {
    const [ada, bob] = [await nodes.openWindow('a'), await nodes.openWindow('b')]
    nodes.hub.setFaults({ drop: () => true })
    await ada.type('one ')
    nodes.hub.setFaults({})
    await ada.type('two ')
    await waitUntil(() => bob.text === 'one two ')
  })

  test('is read from the log where its message is lost and nobody writes on', async () => {
    const [ada, bob] = [await nodes.openWindow('a'), await nodes.openWindow('b')]
    nodes.hub.setFaults({ drop: () => true })
    await ada.type('the last word')
    nodes.hub.setFaults({})
    await waitUntil(() => bob.text === 'the last word')
  })

  test('is read from the log where the node was cut off, when it is back', async () => {
    const [ada, bob] = [await nodes.openWindow('a'), await nodes.openWindow('b')]
    nodes.hub.cut('b')
    await ada.type('meanwhile ')
    await bob.type('alone ')
    expect(bob.text).toBe('alone ')
    nodes.hub.heal('b')
    await waitUntil(() => bob.text === ada.text && bob.text.length === 16)
    expect(await nodes.storedText()).toBe(bob.text)
  })

  test('reaches a window that joins on another node while it is on its way', async () => {
    const ada = await nodes.openWindow('a')
    await nodes.openWindow('b')
    for (let n = 0; n < 20; n++) {
      const [joined] = await Promise.all([nodes.openWindow('b', new Y.Doc()), ada.type(`${n} `)])
      await waitUntil(() => joined.text === ada.text)
    }
  })

  test('whatever is lost, repeated or late, all windows end with what is stored', async () => {
    const windows = await Promise.all([...nodeNames, ...nodeNames].map((name) => nodes.openWindow(name)))
    const chance = fc.sample(fc.nat(9), { seed: 7, numRuns: 5_000 })
    const isOneIn = (n: number) => chance.pop()! % n === 0
    nodes.hub.setFaults({ drop: () => isOneIn(3), repeat: () => isOneIn(3), reorder: () => isOneIn(3) })
    for (let round = 0; round < 25; round++)
      await Promise.all(
        windows.map(async (window, index) => {
          await window.type(`${index}`, Math.floor((window.text.length * (round % 7)) / 7))
          if (round % 5 === 0) await window.send(removalOf(window, Math.floor(window.text.length / 2)))
        }),
      )
    nodes.hub.setFaults({})
    const stored = await nodes.storedText()
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

/** Each append waits until its entry of `held` is called. */
function holdAppends(store: DocumentStore): Disposable & { readonly held: (() => void)[] } {
  const append = store.append.bind(store)
  const held: (() => void)[] = []
  vi.spyOn(store, 'append').mockImplementation((edits) =>
    new Promise<void>((release) => held.push(release)).then(() => append(edits)),
  )
  return { held, [Symbol.dispose]: () => held.forEach((release) => release()) }
}

/** One edit a letter. */
function typeLetters(doc: Y.Doc, count: number): Uint8Array[] {
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => updates.push(update))
  for (let at = 0; at < count; at++) doc.getText('trace').insert(at, '.')
  return updates
}

describe('[D5] a compaction', () => {
  const isCompacted = async () => (await nodes.fixture.store.load(nodes.id, 'body')).logLength < 500

  test('made while edits of its own node wait for the disk holds what another node stored meanwhile', async () => {
    const { fixture, rooms, id, owner } = nodes
    const bob = await nodes.openWindow('b')
    const append = fixture.store.append.bind(fixture.store)
    using appends = holdAppends(fixture.store)
    const saved = [bob.type('one')]
    await waitUntil(() => appends.held.length === 1)
    saved.push(bob.type('two'))
    const author = docOf('')
    const edit = { document: id, part: 'body', principal: owner.id, session: 's' } as const
    const clients = [author.clientID]
    await append(typeLetters(author, 600).map((update, number) => ({ ...edit, update, number, clients })))
    // Whoever has more than the node makes it read the log. The state that they get waits for the held edits.
    await new RoomWindow(author).join(rooms.b, id, owner)
    appends.held[0]!()
    await waitUntil(isCompacted)
    // Whose text comes first follows from client ids.
    expect((await nodes.storedText()).replace('one', '')).toBe('.'.repeat(600))
    await waitUntil(() => appends.held.length === 2)
    appends.held[1]!()
    await Promise.all(saved)
    await waitUntil(() => bob.text.length === 606)
    expect(await nodes.storedText()).toBe(bob.text)
  })

  test('of one node is taken over by the others, which go on with edits after it', async () => {
    const [ada, bob] = [await nodes.openWindow('a'), await nodes.openWindow('b')]
    for (let n = 0; n < 510; n++) await ada.type('.')
    await waitUntil(isCompacted)
    await bob.type('end')
    await waitUntil(() => ada.text === bob.text && ada.text.includes('end'))
    const fresh = await nodes.openWindow('b', new Y.Doc())
    expect(fresh.text).toBe(ada.text)
    expect(bob.evictionReason).toBeNull()
  })

  test('that contains edits which a node never received has it load the document again, and nobody is blamed', async () => {
    const [ada, bob] = [await nodes.openWindow('a'), await nodes.openWindow('b')]
    nodes.hub.cut('b')
    for (let n = 0; n < 510; n++) await ada.type('.')
    await waitUntil(isCompacted)
    nodes.hub.heal('b')
    await waitUntil(() => bob.evictionReason !== null)
    expect(bob.evictionReason).toMatchObject({ code: 'overloaded' })
    // Again and again, and the document is not set aside.
    for (let n = 0; n < 5; n++) {
      const back = await nodes.openWindow('b', new Y.Doc())
      expect(back.text).toBe(ada.text)
    }
  })
})
