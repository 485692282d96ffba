/** Who is shown where a document is open on several nodes. */
import { describe, expect, test } from 'vitest'
import type * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { readPresenceUpdate } from '../../lib/protocol/presence-update.ts'
import {
  type NodeName,
  type NodesFixture,
  openNodesForEachTest,
  presenceOf,
  shownTo,
} from './fixtures/nodes-fixture.ts'
import { RoomWindow } from './fixtures/rooms-fixture.ts'

let nodes: NodesFixture
openNodesForEachTest((opened) => (nodes = opened))

describe('[W7] presence', () => {
  const open = async (node: NodeName, doc?: Y.Doc, principal = nodes.owner) => {
    const window = await nodes.openWindow(node, doc, principal)
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
    nodes.loseNode('b')
    await waitUntil(() => shownTo(ada).length === 0)
  })

  test('that comes later than the message that says its window has left is not shown', async () => {
    const witness = await open('c')
    const [late, next] = [await nodes.openWindow('a'), await nodes.openWindow('a')]
    nodes.hub.setFaults({ delayMs: 50 })
    late.membership.sendPresence(presenceOf(late, 'Ada'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    nodes.hub.setFaults({})
    late.membership.leave()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(shownTo(witness)).toEqual([])
    next.membership.sendPresence(presenceOf(next, 'Bob'))
    await waitUntil(() => shownTo(witness).join() === idsOf(next).join())
  })

  test('of a window that left while its presence waited behind an edit is not shown', async () => {
    const [witness, bob] = [await nodes.openWindow('c'), await nodes.openWindow('c')]
    const ada = await nodes.openWindow('a')
    nodes.fixture.store.hold()
    const saved = bob.type('on its way')
    ada.membership.sendPresence(presenceOf(ada, 'Ada'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    ada.membership.leave()
    await new Promise((resolve) => setTimeout(resolve, 20))
    nodes.fixture.store.release()
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
    const { principal: mallory } = await nodes.fixture.createPerson()
    const ada = await open('a')
    const witness = await open('c')
    await waitUntil(() => shownTo(witness).join() === idsOf(ada).join())
    const before = witness.presence.length
    const { token } = await nodes.fixture.access.createShareLink(nodes.id, 'editor', nodes.owner)
    const forger = await RoomWindow.open(nodes.rooms.b, nodes.id, mallory, undefined, { token })
    forger.membership.sendPresence(presenceOf(ada, 'Mallory'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const shownSince = witness.presence.slice(before).flatMap(({ update }) => readPresenceUpdate(update))
    expect(shownSince.map(({ json }) => json).join()).not.toContain(mallory.id)
  })

  test('and a trace reach the author of an edit on another node', async () => {
    const [ada, bob] = [await open('a'), await open('b')]
    await waitUntil(() => shownTo(bob).join() === idsOf(ada).join())
    bob.membership.sendTrace(ada.doc.clientID, Uint8Array.of(1, 2))
    await waitUntil(() => ada.traces.length === 1)
    expect(ada.traces).toEqual([{ from: bob.doc.clientID, bytes: Uint8Array.of(1, 2) }])
  })
})
