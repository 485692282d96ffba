import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { createAttachMessage, type RawClient } from '../fixtures/raw-client.ts'
import { openSessionsForEachTest, type SessionsFixture } from './fixtures/sessions-fixture.ts'

let fixture: SessionsFixture
openSessionsForEachTest((opened) => (fixture = opened))

describe('[S6] a slow reader', () => {
  const changesOf = (client: RawClient): Uint8Array[] =>
    client.received.flatMap((one) => (one.type === 'change' ? one.updates : []))
  const bytesOf = (updates: readonly Uint8Array[]): number =>
    updates.reduce((sum, { length }) => sum + length, 0)

  function acknowledgeAll(client: RawClient): void {
    const number = Math.max(
      ...client.received.map((one) => ('number' in one && 'channel' in one ? one.number : 0)),
    )
    client.send({ type: 'received', number })
  }

  function textOf(client: RawClient): string {
    const doc = new Y.Doc()
    for (const one of client.received) {
      if (one.type === 'attached' || one.type === 'change')
        for (const update of one.updates) Y.applyUpdate(doc, update)
    }
    expect(doc.store.pendingStructs ?? doc.store.pendingDs).toBeNull()
    return doc.getText('trace').toJSON()
  }

  test('has at most 1 MiB waiting for it, and then receives the rest as one change, deletions too', async () => {
    const client = await fixture.attach()
    const bob = await fixture.openRoomWindow()
    for (let count = 0; count < 100; count++) await bob.type(`${count % 10}`.repeat(30_000))
    expect(bytesOf(changesOf(client))).toBeLessThan(1024 * 1024)
    const before = changesOf(client).length
    const doc = bob.doc.getText('trace')
    const vector = Y.encodeStateVector(bob.doc)
    doc.delete(0, 1_000_000)
    await bob.send(Y.encodeStateAsUpdate(bob.doc, vector))
    client.send({ type: 'ping', token: 1 })
    await client.waitForMessage('pong')
    expect(changesOf(client)).toHaveLength(before)
    acknowledgeAll(client)
    await waitUntil(() => changesOf(client).length === before + 1)
    expect(textOf(client)).toBe(bob.text)
    await bob.type('!') // the usual number
    await waitUntil(() => changesOf(client).length === before + 2)
    expect([textOf(client), fixture.sessions.count]).toEqual([bob.text, 1])
  })

  test('receives nothing that is not on the disk', async () => {
    const client = await fixture.attach()
    const bob = await fixture.openRoomWindow()
    for (let count = 0; count < 3; count++) await bob.type('x'.repeat(600_000))
    expect(changesOf(client)).toHaveLength(1)
    fixture.roomsFixture.store.hold()
    const typing = bob.type('held back')
    acknowledgeAll(client)
    client.send({ type: 'ping', token: 1 })
    await client.waitForMessage('pong')
    expect(changesOf(client)).toHaveLength(1)
    fixture.roomsFixture.store.release()
    await typing
    await waitUntil(() => changesOf(client).length === 2)
    expect(textOf(client)).toBe(bob.text)
  })

  test('that returns on another link gets what it did not acknowledge, and then the rest', async () => {
    const client = await fixture.attach()
    const bob = await fixture.openRoomWindow()
    for (let count = 0; count < 4; count++) await bob.type('x'.repeat(400_000))
    const first = client.received
    client.close()
    const { next, welcome } = await fixture.resume(client, { received: 1 })
    expect(welcome.resumed).toBe(true)
    await waitUntil(() => changesOf(next).length === 2)
    acknowledgeAll(next)
    await waitUntil(() => changesOf(next).length === 3)
    expect(first.filter(({ type }) => type === 'change')).toHaveLength(2)
    const doc = new Y.Doc()
    for (const update of changesOf(next)) Y.applyUpdate(doc, update)
    expect(doc.getText('trace').length).toBe(1_600_000)
  })

  test('that attaches again instead gets everything by state vectors', async () => {
    const client = await fixture.attach()
    const bob = await fixture.openRoomWindow()
    for (let count = 0; count < 4; count++) await bob.type('x'.repeat(400_000))
    client.send({ ...createAttachMessage(fixture.id), number: 2 })
    await waitUntil(() => client.received.filter(({ type }) => type === 'attached').length === 2)
    expect(textOf(client).length).toBe(1_600_000)
    await bob.type('y'.repeat(400_000)) // the first two changes are still not acknowledged
    expect(textOf(client)).not.toContain('y')
    acknowledgeAll(client)
    await waitUntil(() => textOf(client) === bob.text)
  })
})
