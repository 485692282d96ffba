/** Text that was written in a proposal comes into a document that is open on several nodes. */
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { type NodesFixture, openNodesForEachTest } from './fixtures/nodes-fixture.ts'
import { RoomRefusal } from './rooms.ts'

let nodes: NodesFixture
openNodesForEachTest((opened) => (nodes = opened))

/** What somebody wrote in front of the text as it is stored. */
async function writeElsewhere(author: string) {
  const { fixture, id } = nodes
  const doc = await fixture.read(id)
  const begun = Y.encodeStateVector(doc)
  doc.getText('trace').insert(0, 'proposed ')
  const owners = new Map([[doc.clientID, author]])
  return { update: Y.encodeStateAsUpdate(doc, begun), owners, source: 'proposal p', number: 1 }
}

test('at one node: the windows of all of them see it, and go on', async () => {
  const [a, b] = [await nodes.openWindow('a'), await nodes.openWindow('b')]
  await a.type('text')
  const text = await writeElsewhere('user:author')
  await nodes.rooms.c.addText(nodes.id, nodes.owner, text)
  await waitUntil(() => a.text === 'proposed text' && b.text === 'proposed text')
  await b.type('!')
  await waitUntil(() => a.text === 'proposed text!')
  const { owners } = await nodes.fixture.store.load(nodes.id, 'body')
  expect(owners?.get([...text.owners.keys()][0]!)).toBe('user:author')
})

test('at two nodes at once: it is there once, and whoever is refused may try again', async () => {
  const [a, b] = [await nodes.openWindow('a'), await nodes.openWindow('b')]
  await a.type('text')
  await waitUntil(() => b.text === 'text')
  const text = await writeElsewhere('user:author')
  const add = (node: 'a' | 'b') => nodes.rooms[node].addText(nodes.id, nodes.owner, text)
  const outcomes = await Promise.allSettled([add('a'), add('b')])
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') {
      expect(outcome.reason).toBeInstanceOf(RoomRefusal)
      expect((outcome.reason as RoomRefusal).reason.code).toBe('overloaded')
    }
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
  await Promise.all([add('a'), add('b')])
  expect(await nodes.storedText()).toBe('proposed text')
  expect((await nodes.openWindow('b')).text).toBe('proposed text')
})
