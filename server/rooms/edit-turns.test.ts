/** How much of what one message brings is done before others have a turn. Counted, not timed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { ServerCounts } from '../metrics/server-counts.ts'
import { MAX_TAKEN_A_TURN } from '../turn-limit.ts'
import { openRoomsFixture, type RoomsFixture, RoomWindow } from './fixtures/rooms-fixture.ts'

describe('[A6] a message with thousands of edits', () => {
  let fixture: RoomsFixture
  beforeAll(async () => {
    fixture = await openRoomsFixture()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  test('is taken in many turns, in which another person’s edit waits for none of it, and all of it is stored in order', async () => {
    const counts = new ServerCounts()
    const rooms = fixture.openRooms({ counts })
    const [evil, honest] = [await fixture.document(), await fixture.document()]
    const eve = await RoomWindow.open(rooms, evil.id, evil.owner)
    const ada = await RoomWindow.open(rooms, honest.id, honest.owner)
    const updates: Uint8Array[] = []
    const doc = new Y.Doc()
    doc.on('update', (update: Uint8Array) => updates.push(update))
    for (let count = 0; count < 3_000; count++) doc.getText('trace').insert(count, String(count % 10))
    const before = counts.edits
    const saved = updates.map((update) => eve.send(update))
    expect(counts.edits - before).toBe(MAX_TAKEN_A_TURN)
    const typed = ada.type('a')
    expect(counts.edits - before).toBe(MAX_TAKEN_A_TURN + 1)
    await Promise.all([typed, ...saved])
    expect((await fixture.read(evil.id)).getText('trace').toJSON()).toBe(doc.getText('trace').toJSON())
    await rooms.close()
  })
})
