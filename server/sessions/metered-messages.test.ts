/** What one principal's messages may cost, counted, while another person at the same address goes on. No time passes for the meter. */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { ClientMessage, ServerMessage } from '../../lib/protocol/message.ts'
import { createMemoryTransport } from '../../lib/transports/memory.ts'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
import type { Principal } from '../access/principal.ts'
import { createAttachMessage, createEditMessage, helloMessage, RawClient } from '../fixtures/raw-client.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { updateTyping } from '../fixtures/update-typing.ts'
import { Meter } from '../metering/meter.ts'
import { joinUnits, PRICES, stateUnits, type WorkKind } from '../metering/prices.ts'
import { openRoomsFixture, type RoomsFixture } from '../rooms/fixtures/rooms-fixture.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import { createSessions } from './create-sessions.ts'
import type { Sessions } from './create-sessions.ts'

const UNITS_AT_ONCE = 10_000
const TEXT_BYTES = 300_000
const noNet = { dispose: () => {} } as unknown as NetworkPlatform

interface MeteredPerson {
  readonly principal: Principal
  readonly document: string
}

let fixture: RoomsFixture
let rooms: Rooms
let sessions: Sessions
let eve: MeteredPerson
let ada: MeteredPerson
let refusals: Map<WorkKind, number>

beforeEach(async () => {
  fixture = await openRoomsFixture()
  refusals = new Map()
  const rate = { atOnce: UNITS_AT_ONCE, perSecond: 1 }
  const meter = new Meter({ rate, refusals, clock: { now: () => 0, after: () => () => {} } })
  rooms = fixture.openRooms({ meter })
  sessions = createSessions({ rooms, meter, log: silentLogger })
  eve = await createPerson()
  ada = await createPerson()
})
afterEach(async () => {
  await sessions.drain()
  await rooms.close()
  await fixture[Symbol.asyncDispose]()
})

async function createPerson(): Promise<MeteredPerson> {
  const { owner, id } = await fixture.document()
  return { principal: { ...owner, address: '203.0.113.1' }, document: id }
}

async function attach({ principal, document }: MeteredPerson, stateVector?: Uint8Array): Promise<RawClient> {
  const client = await RawClient.openOver(
    createMemoryTransport((end) => sessions.accept(end, principal)),
    { origin: 'memory:', net: noNet },
  )
  client.send(helloMessage, { ...createAttachMessage(document), ...(stateVector && { stateVector }) })
  await client.waitForMessage('attached')
  return client
}

const countOf = (client: RawClient, type: ServerMessage['type']): number =>
  client.received.filter((message) => message.type === type).length

/** Writes a long text, and returns its state vector. */
async function writeText(client: RawClient): Promise<Uint8Array> {
  const update = updateTyping(randomBytes(TEXT_BYTES / 2).toString('hex'))
  client.send(createEditMessage(update))
  await client.waitForMessage('saved')
  const doc = new Y.Doc()
  Y.applyUpdate(doc, update)
  return Y.encodeStateVector(doc)
}

/** Sends messages one by one, until one is refused. Returns how many of them were answered. */
async function countAnswers(
  client: RawClient,
  kind: WorkKind,
  answer: ServerMessage['type'],
  createMessage: (index: number) => ClientMessage,
): Promise<number> {
  const before = countOf(client, answer)
  for (let index = 0; ; index++) {
    client.send(createMessage(index))
    await waitUntil(() => countOf(client, answer) === before + index + 1 || refusals.has(kind))
    if (refusals.has(kind)) return countOf(client, answer) - before
  }
}

async function expectAdaGoesOn(): Promise<void> {
  const client = await attach(ada)
  client.send(createEditMessage(updateTyping('still here')), { type: 'ping', token: 5 })
  await client.waitForMessage('saved')
  await client.waitForMessage('pong')
}

describe('[A6] one principal without end', () => {
  test('attaches again as often as it can pay for, in all its sessions together, and then waits', async () => {
    const client = await attach(eve)
    const stateVector = await writeText(client)
    const price = stateUnits({ entries: 1, missingBytes: 0, textBytes: TEXT_BYTES })
    const other = await attach(eve, stateVector)
    const attachAgain = (index: number): ClientMessage => ({
      ...createAttachMessage(eve.document),
      number: index + 3,
      stateVector,
    })
    const answered = await countAnswers(client, 'state', 'attached', attachAgain)
    const spent = 2 * joinUnits(0) + PRICES.answer + price
    expect(answered).toBe(Math.ceil((UNITS_AT_ONCE - 1_000 - spent) / price))
    other.send({ ...createAttachMessage(eve.document), number: 2, stateVector })
    await waitUntil(() => refusals.get('state') === 2 || countOf(other, 'received') > 0)
    expect(countOf(other, 'attached')).toBe(1)
    await expectAdaGoesOn()
  })

  test.each([
    ['clock', 'clock', (token: number): ClientMessage => ({ type: 'clock', token })],
    ['digest', 'compared', (): ClientMessage => ({ type: 'digest', channel: 1, digest: new Uint8Array(32) })],
  ] as const)('is answered a %s as often as it can pay for', async (kind, answer, createMessage) => {
    const client = await attach(eve)
    client.send({ type: 'received', number: 1 })
    const answered = await countAnswers(client, kind, answer, createMessage)
    expect(answered).toBeGreaterThan(0.8 * ((UNITS_AT_ONCE - 1_000) / PRICES.answer))
    expect(answered).toBeLessThanOrEqual(UNITS_AT_ONCE / PRICES.answer)
    await expectAdaGoesOn()
  })

  test('is repeated as many bytes as it can pay for', async () => {
    const writer = await attach(eve)
    await writeText(writer)
    const client = await attach(eve)
    const before = sentBytes(client)
    let asked = 0
    while (!refusals.has('repeat')) {
      client.send({ type: 'gap', expected: 1 })
      asked += 1
      await waitUntil(() => countOf(client, 'attached') === asked + 1 || refusals.has('repeat'))
    }
    const repeated = sentBytes(client) - before
    expect(repeated).toBeGreaterThan(TEXT_BYTES)
    expect(repeated).toBeLessThan(UNITS_AT_ONCE / PRICES.sentByte)
    await expectAdaGoesOn()
  })

  test('that pings comes back later, and a window that pings as windows do is answered', async () => {
    const [flooding, idle] = [await attach(eve), await attach(eve)]
    for (let count = 0; count < 20; count++)
      flooding.send(...Array.from({ length: 1_000 }, (_, token) => ({ type: 'ping', token }) as const))
    const reason = await flooding.closed
    expect(reason).toMatchObject({ code: 'overloaded', retryAfterMs: expect.any(Number) })
    idle.send({ type: 'ping', token: 7 })
    expect(await idle.waitForMessage('pong')).toMatchObject({ token: 7 })
    await expectAdaGoesOn()
  })

  test('that takes its session over again and again comes back later, and a window that changes its link does not', async () => {
    const [flooding, idle] = [await attach(eve), await attach(eve)]
    for (let count = 0; count < 20; count++)
      flooding.send(...Array.from({ length: 100 }, () => ({ type: 'take', received: 0 }) as const))
    const reason = await flooding.closed
    expect(reason).toMatchObject({ code: 'overloaded', retryAfterMs: expect.any(Number) })
    idle.send({ type: 'take', received: 1 }, { type: 'ping', token: 7 })
    expect(await idle.waitForMessage('pong')).toMatchObject({ token: 7 })
    await expectAdaGoesOn()
  })

  test('asks hundreds of times in one frame: only the last question is answered', async () => {
    const client = await attach(ada)
    client.send(...Array.from({ length: 300 }, (_, token) => ({ type: 'ping', token }) as const))
    client.send({ type: 'clock', token: 1 })
    await client.waitForMessage('clock')
    expect(client.received.filter(({ type }) => type === 'pong')).toEqual([{ type: 'pong', token: 299 }])
  })

  test('opens and leaves documents as often as it can pay for, and its last window is told nothing else', async () => {
    const client = await attach(eve)
    let number = 2
    while (refusals.size === 0 && number < 1_000) {
      const before = countOf(client, 'attached')
      client.send({ type: 'detach', number: number++, channel: 1 })
      client.send({ ...createAttachMessage(eve.document), number: number++ })
      await waitUntil(() => countOf(client, 'attached') > before || refusals.size > 0)
    }
    expect(number).toBeLessThan(2 + 2 * (UNITS_AT_ONCE / joinUnits(0)))
    expect(countOf(client, 'detached')).toBe(0)
    await expectAdaGoesOn()
  })
})

const sentBytes = (client: RawClient): number =>
  client.received.reduce((sum, message) => {
    if (message.type !== 'attached') return sum
    return sum + message.updates.reduce((bytes, { length }) => bytes + length, 0)
  }, 0)
