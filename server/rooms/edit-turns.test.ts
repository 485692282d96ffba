/** How much of what one message brings is done before others have a turn. Counted, not timed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { ServerCounts } from '../metrics/server-counts.ts'
import { EditTurns, MAX_EDITS_A_TURN } from './edit-turns.ts'
import { openRoomsFixture, type RoomsFixture, RoomWindow } from './fixtures/rooms-fixture.ts'

const KIB = 1024

describe('[A6] in one turn of the event loop', () => {
  const countTaken = (turns: EditTurns, principal: string, bytes: number): number => {
    for (let count = 0; ; count++) if (turns.take(principal, bytes)) return count
  }

  test('so many edits of a principal are taken, fewer of long ones, and one of any length', () => {
    expect(countTaken(new EditTurns(), 'eve', 20)).toBe(MAX_EDITS_A_TURN)
    expect(countTaken(new EditTurns(), 'eve', 32 * KIB)).toBe(2)
    expect(countTaken(new EditTurns(), 'eve', 64 * KIB)).toBe(1)
  })

  test('others have theirs, and the rest comes in the next turn', async () => {
    const turns = new EditTurns()
    countTaken(turns, 'eve', 20)
    expect(turns.take('ada', 20)).toBe(null)
    await turns.take('eve', 20)
    expect(turns.take('eve', 20)).toBe(null)
  })
})

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
    expect(counts.edits - before).toBe(MAX_EDITS_A_TURN)
    const typed = ada.type('a')
    expect(counts.edits - before).toBe(MAX_EDITS_A_TURN + 1)
    await Promise.all([typed, ...saved])
    expect((await fixture.read(evil.id)).getText('trace').toJSON()).toBe(doc.getText('trace').toJSON())
    await rooms.close()
  })
})
