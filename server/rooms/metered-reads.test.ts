/** What a member may ask of its room, counted. No time passes for the meter. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { readPresenceUpdate, writePresenceUpdate } from '../../lib/protocol/presence-update.ts'
import { Meter } from '../metering/meter.ts'
import {
  broadcastPresenceUnits,
  digestUnits,
  FREE_PRESENCE_BYTES,
  PRICES,
  presenceUnits,
  readPresenceUnits,
  type WorkKind,
} from '../metering/prices.ts'
import { openRoomsFixture, refusalOf, type RoomsFixture, RoomWindow } from './fixtures/rooms-fixture.ts'

const UNITS_AT_ONCE = 10_000

let fixture: RoomsFixture
beforeAll(async () => {
  fixture = await openRoomsFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

async function openMetered() {
  const refusals = new Map<WorkKind, number>()
  const rate = { atOnce: UNITS_AT_ONCE, perSecond: 1 }
  const meter = new Meter({ rate, refusals, clock: { now: () => 0, after: () => () => {} } })
  const rooms = fixture.openRooms({ meter })
  const { id, owner } = await fixture.document()
  const open = () => RoomWindow.open(rooms, id, owner)
  const { principal, token } = await fixture.linkPrincipalTo(id, 'editor', owner)
  const openWriter = () => RoomWindow.open(rooms, id, principal, new Y.Doc(), { token })
  return { refusals, open, openWriter, rooms, [Symbol.asyncDispose]: () => rooms.close() }
}

test('[A6] a digest is paid for once a text: digests between edits are given as often as they can be paid for', async () => {
  await using metered = await openMetered()
  const [window, writer] = [await metered.open(), await metered.openWriter()]
  const textBytes = 500_000
  await writer.type('x'.repeat(textBytes))
  let computed = 0
  for (; !metered.refusals.has('digest') && computed < 100; computed++) {
    await writer.type('y')
    await waitUntil(async () => {
      const digest = window.membership.computeDigest()
      return metered.refusals.has('digest') || (digest !== null && (await digest) !== null)
    })
  }
  expect(computed - 1).toBe(Math.ceil((UNITS_AT_ONCE - 1_000) / digestUnits(textBytes)))
  expect(window.membership.computeDigest()).toBe(null)
})

test('[A6] a member that asks without end who is here is answered as often as it can pay for', async () => {
  await using metered = await openMetered()
  const [window, other] = [await metered.open(), await metered.open()]
  const awareness = new Awareness(new Y.Doc())
  awareness.clientID = other.doc.clientID
  awareness.setLocalState({ view: { top: { at: 'x'.repeat(3_000) } } })
  other.membership.sendPresence(encodeAwarenessUpdate(awareness, [awareness.clientID]))
  awareness.destroy()
  await waitUntil(() => window.presence.length > 0)
  const before = window.presence.length
  for (let count = 0; count < 10_000; count++) window.membership.askForPresence()
  const answers = window.presence.slice(before)
  const bytes = answers[0]!.update.length
  const left = UNITS_AT_ONCE - 1_000 - broadcastPresenceUnits(bytes, 1)
  expect(answers.length).toBe(Math.ceil(left / (PRICES.answer + presenceUnits(bytes))))
})

test('[A6] long presence is read as often as it can be paid for, and short presence whatever it costs', async () => {
  await using metered = await openMetered()
  const window = await metered.open()
  const encode = (states: number, letters: number): Uint8Array =>
    writePresenceUpdate(
      Array.from({ length: states }, (_, client) => ({ client, clock: 1, json: `"${'x'.repeat(letters)}"` })),
    )
  const long = encode(10, FREE_PRESENCE_BYTES)
  /** What it holds is no object, so it is refused once it is read. */
  const isRead = (update: Uint8Array): boolean => {
    try {
      window.membership.sendPresence(update)
      return false
    } catch {
      return true
    }
  }
  let reads = 0
  while (reads < 100 && isRead(long)) reads++
  expect(reads).toBe(Math.ceil((UNITS_AT_ONCE - 1_000) / readPresenceUnits(long.length)))
  expect(isRead(encode(1, 100))).toBe(true)
})

test('[A6] presence is sent on to many as often as its window can pay for, and what somebody else shows is', async () => {
  await using metered = await openMetered()
  const [window, ...others] = await Promise.all(Array.from({ length: 51 }, metered.open))
  const [reader] = others
  const writer = await metered.openWriter()
  const show = ({ doc, membership }: RoomWindow, name: string): void => {
    const json = JSON.stringify({ user: { name }, cursor: null })
    membership.sendPresence(writePresenceUpdate([{ client: doc.clientID, clock: 1, json }]))
  }
  for (let name = 1_000; name < 1_180; name++) show(window!, `${name}`)
  show(writer, 'somebody else')
  const shownOf = ({ doc }: RoomWindow) =>
    reader!.presence.filter(({ update }) => readPresenceUpdate(update)[0]?.client === doc.clientID)
  // What was sent while the room paused is sent on after it.
  await waitUntil(() => shownOf(writer).length === 1 && shownOf(window!).length > 0)
  const most = UNITS_AT_ONCE / broadcastPresenceUnits(shownOf(window!)[0]!.update.length, 51)
  await waitUntil(() => shownOf(window!).length > 0.85 * most)
  expect(shownOf(window!).length).toBeLessThan(most)
})

test('[A6] a long edit is paid for by each reader that it is sent on to, and typing by none', async () => {
  await using metered = await openMetered()
  const [writer] = await Promise.all(Array.from({ length: 51 }, metered.open))
  for (let key = 0; key < 200; key++) await writer!.type('a key')
  await writer!.type('long '.repeat(30_000))
  expect(await refusalOf(writer!.type('!'))).toMatchObject({ code: 'overloaded' })
})
