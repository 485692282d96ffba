/** Whose a Yjs client id is where a document is open on several nodes. */
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { isTestedOnPostgres } from '../store/fixtures/test-store.ts'
import {
  type NodeName,
  nodeNames,
  type NodesFixture,
  openNodesForEachTest,
  presenceOf,
  shownTo,
} from './fixtures/nodes-fixture.ts'
import { refusalOf, RoomWindow } from './fixtures/rooms-fixture.ts'
import { RoomRefusal } from './rooms.ts'

let nodes: NodesFixture
openNodesForEachTest((opened) => (nodes = opened))

describe('[A5] a client id that a window has announced at one node', () => {
  const docUnder = (client: number): Y.Doc => Object.assign(new Y.Doc(), { clientID: client })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code
  const openMallory = async () => {
    const { principal } = await nodes.fixture.createPerson()
    const { token } = await nodes.fixture.access.createShareLink(nodes.id, 'editor', nodes.owner)
    await nodes.fixture.access.redeemShareLink(principal, nodes.id, token)
    return principal
  }
  /** Two programs with one link's token: one principal. */
  const openLink = async () => {
    const { principal, token } = await nodes.fixture.linkPrincipalTo(nodes.id, 'editor', nodes.owner)
    return (node: NodeName, session: string, doc?: Y.Doc) =>
      RoomWindow.open(nodes.rooms[node], nodes.id, principal, doc, { token, session })
  }

  test('is taken at the others for another person: announced, shown and written', async () => {
    const mallory = await openMallory()
    const thief = await nodes.openWindow('b', new Y.Doc(), mallory)
    const ada = await nodes.openWindow('a')
    const { clientID } = ada.doc
    ada.membership.sendPresence(presenceOf(ada, 'Ada'))
    await waitUntil(() => shownTo(thief).includes(clientID)) // so it is reserved there
    expect(await codeOf(nodes.openWindow('b', docUnder(clientID), mallory))).toBe('taken')
    expect(await codeOf(thief.membership.resync(new Map(), clientID))).toBe('taken')
    thief.doc.clientID = clientID
    expect(await codeOf(thief.type('stolen'))).toBe('taken')
    await ada.type('mine')
    expect(await nodes.storedText()).toBe('mine')
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
    expect(await nodes.storedText()).toBe('mine!')
  })

  test('is known to a node that opens the document for the one who wants it', async () => {
    const [open, mallory] = [await openLink(), await openMallory()]
    const ada = await open('a', 'a.ada')
    const bob = await nodes.openWindow('a')
    nodes.hub.setFaults({ delayMs: 3 })
    const attempts = [
      open('b', 'b.thief', docUnder(ada.doc.clientID)),
      nodes.openWindow('c', docUnder(bob.doc.clientID), mallory),
    ]
    expect(await Promise.all(attempts.map(codeOf))).toEqual(['taken', 'taken'])
  })

  test('is free for the windows of its person, and for the window itself, wherever it moves', async () => {
    const open = await openLink()
    const windows: ((node: NodeName, doc?: Y.Doc) => Promise<RoomWindow>)[] = [
      (node, doc) => nodes.openWindow(node, doc),
      (node, doc) => open(node, `${node}.0123456789abcdef${node}`, doc),
    ]
    for (const openAt of windows) {
      const doc = new Y.Doc()
      // Each former session lives on, as where a link was lost without a word.
      for (const node of [...nodeNames, ...nodeNames]) {
        const window = await openAt(node, doc)
        await window.type(node)
      }
    }
    expect((await nodes.storedText()).length).toBe(12)
  })

  test('is free once its window has left, or its node is gone', async () => {
    const mallory = await openMallory()
    const witness = await nodes.openWindow('c')
    const [ada, bob] = [await nodes.openWindow('a'), await nodes.openWindow('b')]
    for (const window of [ada, bob]) window.membership.sendPresence(presenceOf(window, 'Ada'))
    await waitUntil(() => shownTo(witness).length === 2)
    const takeFrom = ({ doc }: RoomWindow) => nodes.openWindow('c', docUnder(doc.clientID), mallory)
    const attempts = [await codeOf(takeFrom(ada)), await codeOf(takeFrom(bob))]
    ada.membership.leave()
    nodes.loseNode('b')
    await waitUntil(() => shownTo(witness).length === 0)
    await Promise.all([takeFrom(ada), takeFrom(bob)])
    expect(attempts).toEqual(['taken', 'taken'])
  })

  test('is taken again at nodes that took its node for gone, once they hear it, and its window is shown', async () => {
    const mallory = await openMallory()
    const [ada, witness] = [await nodes.openWindow('a'), await nodes.openWindow('b')]
    const { clientID } = ada.doc
    ada.membership.sendPresence(presenceOf(ada, 'Ada'))
    await waitUntil(() => shownTo(witness).includes(clientID))
    nodes.forgetNode('a')
    await waitUntil(() => shownTo(witness).length === 0)
    nodes.findNode('a')
    await waitUntil(() => shownTo(witness).includes(clientID))
    expect(await codeOf(nodes.openWindow('b', docUnder(clientID), mallory))).toBe('taken')
  })

  test('is told again where messages were lost', async () => {
    const mallory = await openMallory()
    await nodes.openWindow('b')
    nodes.hub.cut('b')
    const ada = await nodes.openWindow('a')
    nodes.hub.heal('b')
    const thief = docUnder(ada.doc.clientID)
    const take = () => nodes.openWindow('b', thief, mallory).then(({ membership }) => membership.leave())
    for (let code = ''; code !== 'taken';)
      code = await take().then(
        () => '',
        ({ reason }: RoomRefusal) => reason.code,
      )
  })

  test('is its owner’s where two nodes reserve it before they hear of each other: whoever is stored first', async () => {
    const mallory = await openMallory()
    await Promise.all([nodes.openWindow('a'), nodes.openWindow('b')])
    nodes.hub.setFaults({ drop: () => true })
    const ada = await nodes.openWindow('a')
    const thief = await nodes.openWindow('b', docUnder(ada.doc.clientID), mallory)
    nodes.hub.setFaults({})
    await ada.type('mine')
    await waitUntil(() => thief.text === 'mine')
    thief.doc.clientID = ada.doc.clientID // Yjs takes another one when somebody else writes under its own
    expect(await codeOf(thief.type(', not yours'))).toBe('taken')
    await ada.type('!')
    expect(await nodes.storedText()).toBe('mine!')
  })
})

// Only a database that several nodes write in compares owners and clocks at the commit.
describe.runIf(isTestedOnPostgres)('[A5] where two nodes take in text under one client id', () => {
  test('an edit that a moved window sends again is stored once', async () => {
    const ada = await nodes.openWindow('a')
    const witness = await nodes.openWindow('b')
    nodes.hub.setFaults({ drop: () => true })
    await ada.type('once ')
    // Its acknowledgement was lost with the link: the window repeats the edit on the other node, and goes on.
    const moved = await nodes.openWindow('b', ada.doc)
    await moved.send(Y.encodeStateAsUpdate(ada.doc))
    await moved.type('more')
    nodes.hub.setFaults({})
    await waitUntil(() => witness.text === 'once more')
    expect(await nodes.storedText()).toBe('once more')
  })

  test('other text for the same clocks is never stored, and what others wrote meanwhile is, when they come back', async () => {
    const ada = await nodes.openWindow('a')
    const [forger, bob] = [await nodes.openWindow('b'), await nodes.openWindow('b')]
    forger.doc.clientID = ada.doc.clientID
    nodes.hub.setFaults({ drop: () => true })
    await ada.type('the truth')
    const refusals = await Promise.all([refusalOf(forger.type('a lie')), refusalOf(bob.type('and more'))])
    expect(refusals.map(({ code }) => code)).toEqual(['overloaded', 'overloaded'])
    // The room is loaded again, and both come back with what they have.
    const forgerAgain = await nodes.openWindow('b', forger.doc)
    const again = await refusalOf(forgerAgain.send(Y.encodeStateAsUpdate(forger.doc)))
    expect(again.code).toMatch(/^(bad-update|taken)$/)
    await writeThrough('b', bob.doc)
    nodes.hub.setFaults({})
    const fresh = await nodes.openWindow('c')
    expect([...fresh.text.matchAll(/the truth|and more/g)]).toHaveLength(2)
    expect(fresh.text).not.toContain('lie')
    await waitUntil(() => ada.text === fresh.text)
  })

  test('the id belongs to whoever was stored first', async () => {
    const { principal: mallory } = await nodes.fixture.createPerson()
    const { token } = await nodes.fixture.access.createShareLink(nodes.id, 'editor', nodes.owner)
    nodes.hub.setFaults({ drop: () => true })
    const ada = await nodes.openWindow('a')
    const stranger = new Y.Doc()
    const thief = await RoomWindow.open(nodes.rooms.b, nodes.id, mallory, stranger, { token })
    stranger.clientID = ada.doc.clientID
    await ada.type('mine')
    expect((await refusalOf(thief.type('stolen'))).code).toBe('overloaded')
    const thiefAgain = RoomWindow.open(nodes.rooms.b, nodes.id, mallory, stranger, { token })
    expect((await refusalOf(thiefAgain)).code).toBe('taken')
    nodes.hub.setFaults({})
    await ada.type(' still')
    expect(await nodes.storedText()).toBe('mine still')
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
    const fresh = await nodes.openWindow('c')
    expect(fresh.text.split('').toSorted().join('')).toBe(
      ['0', '1', '2', '3', 'm'].map((letter) => letter.repeat(6)).join(''),
    )
  })
})

/** Does what a window does: it joins with what it has, sends that, and comes back whenever it is told that the room is loaded again. */
async function writeThrough(node: NodeName, doc: Y.Doc): Promise<void> {
  for (;;) {
    try {
      const window = await nodes.openWindow(node, doc)
      await window.send(Y.encodeStateAsUpdate(doc))
      return window.membership.leave()
    } catch (error) {
      if (!(error instanceof RoomRefusal) || error.reason.code !== 'overloaded') throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
