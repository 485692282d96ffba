import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { encodeClientMessage } from '../../lib/protocol/message.ts'
import { createEncoder, toBytes, writeNumber, writeString } from '../../lib/protocol/wire.ts'
import { createMemoryTransport } from '../../lib/transports/memory.ts'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import type { Principal } from '../access/principal.ts'
import { createAttachMessage, createEditMessage, helloMessage, RawClient } from '../fixtures/raw-client.ts'
import {
  type RoomsFixture,
  isPending,
  openRoomsFixture,
  RoomWindow,
} from '../rooms/fixtures/rooms-fixture.ts'
import { waitUntil, settle } from '../../lib/fixtures/wait.ts'
import { createSessions } from './create-sessions.ts'
import type { Sessions } from './sessions.ts'

let fixture: RoomsFixture
let sessions: Sessions
let owner: Principal
let id: string

beforeEach(async () => {
  fixture = await openRoomsFixture()
  sessions = createSessions({ rooms: fixture.rooms, log: silentLogger, offers: ['websocket', 'poll'] })
  ;({ owner, id } = await fixture.document())
})
afterEach(async () => {
  vi.useRealTimers()
  fixture.store.release()
  await sessions.drain()
  await fixture[Symbol.asyncDispose]()
})

const noNet = { dispose: () => {} } as unknown as NetworkPlatform

const link = (principal = owner): Promise<RawClient> =>
  RawClient.openOver(
    createMemoryTransport((end) => sessions.accept(end, principal)),
    { origin: 'memory:', net: noNet },
  )

/** A client that is attached, and has received its first state. */
async function attached(principal = owner): Promise<RawClient> {
  const client = await link(principal)
  client.send(helloMessage, createAttachMessage(id))
  await client.waitForMessage('attached')
  return client
}

async function resumed(
  client: RawClient,
  {
    secret,
    received = 1,
    take = true,
    principal = owner,
  }: Partial<{
    secret: string
    received: number
    take: boolean
    principal: Principal
  }> = {},
) {
  const welcome = await client.waitForMessage('welcome')
  const next = await link(principal)
  next.send({ ...helloMessage, resume: { id: welcome.id, secret: secret ?? welcome.secret, received, take } })
  return { next, welcome: await next.waitForMessage('welcome'), before: welcome }
}

const updateTyping = (text: string): Uint8Array => {
  const doc = new Y.Doc()
  doc.getText('trace').insert(0, text)
  return Y.encodeStateAsUpdate(doc)
}

const stored = async (): Promise<string> => (await fixture.read(id)).getText('trace').toJSON()

describe('[A2] a session belongs to the principal that opened it', () => {
  test('opens again only for its id and its secret together', async () => {
    const client = await attached()
    const { welcome, before } = await resumed(client)
    expect(welcome).toEqual({ ...before, resumed: true, received: 1 })
    expect(welcome).toMatchObject({ principal: owner.id, offers: 'websocket,poll' })
    expect(sessions.count).toBe(1)
  })

  test.each([
    ['the id without the secret', async () => ({ secret: '' })],
    ['a wrong secret', async () => ({ secret: 'A'.repeat(22) })],
    ['somebody else who knows both', async () => ({ principal: (await fixture.createPerson()).principal })],
  ])('%s: a session of its own, and not a word of the other', async (_who, how) => {
    const client = await attached()
    client.send(createEditMessage(updateTyping('mine')))
    await client.waitForMessage('saved')
    const { next, welcome, before } = await resumed(client, await how())
    expect(welcome).toMatchObject({ resumed: false, received: 0 })
    expect(welcome.id).not.toBe(before.id)
    expect(welcome.secret).not.toBe(before.secret)
    next.send({ type: 'ping', token: 1 })
    await next.waitForMessage('pong')
    expect(next.received.map(({ type }) => type)).toEqual(['welcome', 'pong'])
    client.send({ type: 'ping', token: 2 })
    expect(await client.waitForMessage('pong')).toEqual({ type: 'pong', token: 2 })
  })

  test('is a new one for an unknown id', async () => {
    const next = await link()
    next.send({ ...helloMessage, resume: { id: 'a.unknown', secret: 'x', received: 0, take: true } })
    expect(await next.waitForMessage('welcome')).toMatchObject({ resumed: false })
  })
})

describe('[S1] the server takes messages of a client in order', () => {
  test('a repeated message is taken once', async () => {
    const client = await attached()
    client.send(createEditMessage(updateTyping('once')), createEditMessage(updateTyping('once more')))
    await client.waitForMessage('saved')
    client.send(createEditMessage(updateTyping('and again')))
    client.send({ type: 'ping', token: 1 })
    await client.waitForMessage('pong')
    expect(await stored()).toBe('once')
  })

  test('after a gap nothing is taken waitUntil the expected message comes', async () => {
    const client = await attached()
    client.send(createEditMessage(updateTyping('3'), 3))
    expect(await client.waitForMessage('gap')).toEqual({ type: 'gap', expected: 2 })
    client.send(createEditMessage(updateTyping('2'), 2), createEditMessage(updateTyping('3'), 3))
    await waitUntil(() => client.received.some((one) => one.type === 'saved' && one.upTo === 3))
    expect(['23', '32']).toContain(await stored())
  })

  test('a message that is not saved yet is acknowledged as received', async () => {
    const client = await attached()
    fixture.store.hold()
    client.send(createEditMessage(updateTyping('held')))
    await confirmation(client, 2)
    expect(client.received.some(({ type }) => type === 'saved')).toBe(false)
  })
})

describe('[S2] [S3] a session outlives its links', () => {
  test('what was not acknowledged is sent again on the next link, with what came in between', async () => {
    const client = await attached()
    client.send(createEditMessage(updateTyping('a')))
    await client.waitForMessage('saved')
    client.close()
    const bob = await RoomWindow.open(fixture.rooms, id, owner)
    await bob.type('b')
    const { next } = await resumed(client, { received: 1 })
    await waitUntil(() => next.received.some(({ type }) => type === 'change'))
    const numbered = next.received.flatMap((one) =>
      'number' in one && 'channel' in one ? [[one.type, one.number]] : [],
    )
    expect(numbered).toEqual([['saved', 2], ['change', 3]]) // prettier-ignore
  })

  test('an edit is saved though its link is gone, and the next link brings saved', async () => {
    const client = await attached()
    fixture.store.hold()
    client.send(createEditMessage(updateTyping('sent, then cut')))
    await confirmation(client, 2)
    client.close()
    fixture.store.release()
    const { next, welcome } = await resumed(client)
    expect(welcome).toMatchObject({ resumed: true, received: 2 })
    expect(await next.waitForMessage('saved')).toMatchObject({ upTo: 2 })
    expect(await stored()).toBe('sent, then cut')
  })

  test('an acknowledgement of a number that was never sent ends the link, not the session', async () => {
    const client = await attached()
    const { next } = await resumed(client, { received: 99 })
    expect((await next.closed).code).toBe('bad-message')
    const again = await resumed(client)
    expect(again.welcome.resumed).toBe(true)
  })

  test('without a link it is kept 2 min, and then forgotten', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    await sessions.drain()
    sessions = createSessions({ rooms: fixture.rooms, log: silentLogger, offers: ['websocket', 'poll'] })
    const client = await attached()
    client.close()
    await settle(30)
    vi.advanceTimersByTime(115_000)
    expect(sessions.count).toBe(1)
    vi.advanceTimersByTime(10_000)
    expect(sessions.count).toBe(0)
  })

  test('without a link it is forgotten when it would have to keep more than 4 MiB', async () => {
    const bob = await RoomWindow.open(fixture.rooms, id, owner)
    await bob.type('x'.repeat(5_000_000))
    const client = await attached()
    client.close()
    await waitUntil(() => sessions.count === 0)
    expect((await resumed(client)).welcome.resumed).toBe(false)
  })
})

describe('[S6] a slow reader', () => {
  const changesOf = (client: RawClient): Uint8Array[] =>
    client.received.flatMap((one) => (one.type === 'change' ? one.updates : []))
  const bytesOf = (updates: readonly Uint8Array[]): number =>
    updates.reduce((sum, { length }) => sum + length, 0)

  /** Acknowledges all that it received. */
  function confirms(client: RawClient): void {
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
    const client = await attached()
    const bob = await RoomWindow.open(fixture.rooms, id, owner)
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
    confirms(client)
    await waitUntil(() => changesOf(client).length === before + 1)
    expect(textOf(client)).toBe(bob.text)
    await bob.type('!') // the usual number
    await waitUntil(() => changesOf(client).length === before + 2)
    expect([textOf(client), sessions.count]).toEqual([bob.text, 1])
  })

  test('receives nothing that is not on the disk', async () => {
    const client = await attached()
    const bob = await RoomWindow.open(fixture.rooms, id, owner)
    for (let count = 0; count < 3; count++) await bob.type('x'.repeat(600_000))
    expect(changesOf(client)).toHaveLength(1)
    fixture.store.hold()
    const typing = bob.type('held back')
    confirms(client)
    client.send({ type: 'ping', token: 1 })
    await client.waitForMessage('pong')
    expect(changesOf(client)).toHaveLength(1)
    fixture.store.release()
    await typing
    await waitUntil(() => changesOf(client).length === 2)
    expect(textOf(client)).toBe(bob.text)
  })

  test('that returns on another link gets what it did not acknowledge, and then the rest', async () => {
    const client = await attached()
    const bob = await RoomWindow.open(fixture.rooms, id, owner)
    for (let count = 0; count < 4; count++) await bob.type('x'.repeat(400_000))
    const first = client.received
    client.close()
    const { next, welcome } = await resumed(client, { received: 1 })
    expect(welcome.resumed).toBe(true)
    await waitUntil(() => changesOf(next).length === 2)
    confirms(next)
    await waitUntil(() => changesOf(next).length === 3)
    expect(first.filter(({ type }) => type === 'change')).toHaveLength(2)
    const doc = new Y.Doc()
    for (const update of changesOf(next)) Y.applyUpdate(doc, update)
    expect(doc.getText('trace').length).toBe(1_600_000)
  })

  test('that attaches again instead gets everything by state vectors', async () => {
    const client = await attached()
    const bob = await RoomWindow.open(fixture.rooms, id, owner)
    for (let count = 0; count < 4; count++) await bob.type('x'.repeat(400_000))
    client.send({ ...createAttachMessage(id), number: 2 })
    await waitUntil(() => client.received.filter(({ type }) => type === 'attached').length === 2)
    expect(textOf(client).length).toBe(1_600_000)
    await bob.type('y'.repeat(400_000)) // the first two changes are still not acknowledged
    expect(textOf(client)).not.toContain('y')
    confirms(client)
    await waitUntil(() => textOf(client) === bob.text)
  })
})

describe('[S4] a link that takes over', () => {
  test('proves itself first, then takes over, and the old one receives drained', async () => {
    const client = await attached()
    const { next } = await resumed(client, { take: false })
    client.send(createEditMessage(updateTyping('on the old link')))
    await client.waitForMessage('saved')
    expect(next.received.map(({ type }) => type)).toEqual(['welcome'])
    next.send({ type: 'take', received: 2 })
    await client.waitForMessage('drained')
    next.send(createEditMessage(updateTyping('on the new one'), 3))
    expect(await next.waitForMessage('saved')).toMatchObject({ upTo: 3 })
    expect(client.received.filter(({ type }) => type === 'saved')).toHaveLength(1)
  })

  test('does so once: a repeated take, as of a POST that came twice, sends nothing again', async () => {
    const client = await attached()
    const { next } = await resumed(client, { received: 0 })
    await next.waitForMessage('attached')
    next.send({ type: 'take', received: 0 }, { type: 'take', received: 0 }, { type: 'ping', token: 1 })
    await next.waitForMessage('pong')
    await settle(30)
    expect(next.received.filter(({ type }) => type === 'attached')).toHaveLength(1)
  })
})

describe('[W7] presence', () => {
  const presenceOf = (client: number, state: object | null): Uint8Array => {
    const encoder = createEncoder()
    writeNumber(encoder, 1)
    writeNumber(encoder, client)
    writeNumber(encoder, 1)
    writeString(encoder, JSON.stringify(state))
    return toBytes(encoder)
  }

  test('ends with the session at once, and 1.5 s after its last link', async () => {
    const bob = await RoomWindow.open(fixture.rooms, id, owner)
    const client = await attached()
    const presenceReceived = () =>
      bob.presence.filter(({ whole }) => !whole).map(({ update }) => Buffer.from(update).toString())
    client.send({ type: 'presence', channel: 1, whole: false, update: presenceOf(7, { follows: 'ada' }) })
    await waitUntil(() => presenceReceived().length === 1)
    expect(presenceReceived()[0]).toContain('ada')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    client.close()
    await settle(30)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(presenceReceived()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(600)
    expect(presenceReceived()).toHaveLength(2)
    expect(presenceReceived()[1]).toContain('null')
  })

  test('is sent again on a new link', async () => {
    const client = await attached()
    const eve = await attached()
    eve.send({ type: 'presence', channel: 1, whole: false, update: presenceOf(9, { follows: 'eve' }) })
    await waitUntil(() => client.received.filter(({ type }) => type === 'presence').length === 2)
    client.close()
    const { next } = await resumed(client, { received: 1 })
    const { whole, update } = await next.waitForMessage('presence')
    expect([whole, Buffer.from(update).toString()]).toEqual([true, expect.stringContaining('eve')])
  })

  test('[S6] of a burst in one frame is sent to the others up to 64 KiB, and then its end', async () => {
    const client = await attached()
    const eve = await attached()
    const presenceMessages = () => client.received.filter((message) => message.type === 'presence')
    const heard = Array.from({ length: 36 }, () => 'x'.repeat(100))
    const burst = Array.from({ length: 60 }, (_, turn) =>
      encodeClientMessage({
        type: 'presence',
        channel: 1,
        whole: false,
        update: presenceOf(9, { view: { top: { at: 'AQI=' }, n: turn }, window: { heard } }),
      }),
    )
    eve.sendFrames([Buffer.concat([Uint8Array.of(0), ...burst])])
    await waitUntil(() => presenceMessages().length > 1)
    expect(presenceMessages().length).toBeLessThan(20)
    client.send({ type: 'received', number: 1 })
    await waitUntil(() => presenceMessages().at(-1)?.whole === true)
    expect(Buffer.from(presenceMessages().at(-1)!.update).toString()).toContain('"n":59')
  })
})

describe('[A6] limits', () => {
  test('more than 100 documents in one session are refused', async () => {
    const client = await link()
    client.send(helloMessage)
    for (let number = 1; number <= 101; number++)
      client.send({ ...createAttachMessage(newDocumentId()), number, channel: number })
    expect(await client.closed).toMatchObject({ code: 'bad-message', detail: expect.stringContaining('100') })
  })

  test('the same channel again is no further document', async () => {
    const client = await link()
    client.send(helloMessage)
    for (let number = 1; number <= 300; number++)
      client.send({ ...createAttachMessage(id), number, channel: 1 })
    client.send({ type: 'ping', token: 1 })
    await client.waitForMessage('pong')
  })
})

describe('draining', () => {
  test('waits waitUntil all accepted edits are answered, then closes all links for a retry', async () => {
    const client = await attached()
    fixture.store.hold()
    client.send(createEditMessage(updateTyping('last words')))
    await confirmation(client, 2)
    const drained = sessions.drain()
    expect(sessions.draining).toBe(true)
    expect(await isPending(drained)).toBe(true)
    fixture.store.release()
    await drained
    const reason = await client.closed
    expect(reason).toMatchObject({ code: 'going-away', retryAfterMs: expect.any(Number) })
    expect(client.received).toContainEqual(expect.objectContaining({ type: 'saved', upTo: 2 }))
    expect(await stored()).toBe('last words')
  })

  test('[S8] spreads the retries of all clients within a second', async () => {
    const clients = await Promise.all(Array.from({ length: 60 }, () => attached()))
    await sessions.drain()
    const waits = (await Promise.all(clients.map(({ closed }) => closed))).map(
      ({ retryAfterMs }) => retryAfterMs ?? 0,
    )
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_000)
    expect(new Set(waits).size).toBeGreaterThan(30)
  })

  test('closes a link as well that was accepted just before', async () => {
    await sessions.drain()
    expect((await (await link()).closed).code).toBe('going-away')
  })
})

const confirmation = (client: RawClient, number: number): Promise<void> =>
  waitUntil(() => client.received.some((one) => one.type === 'received' && one.number === number))

describe('[S7] the server judges liveness by what it receives', () => {
  /** Controls the timers of the server, and a clock that a test can change. */
  async function openUnderClock(): Promise<{ client: RawClient; check(): void; sleep(ms: number): void }> {
    await sessions.drain()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const real = performance.now.bind(performance)
    let slept = 0
    vi.spyOn(performance, 'now').mockImplementation(() => real() + slept)
    sessions = createSessions({ rooms: fixture.rooms, log: silentLogger })
    const client = await attached()
    client.send({ type: 'received', number: 1 })
    await settle(30)
    const passTime = (ms: number): void => void (slept += ms)
    return {
      client,
      sleep: passTime,
      check() {
        passTime(2_500)
        vi.advanceTimersByTime(2_500)
      },
    }
  }

  const pingsOf = ({ received }: RawClient): number => received.filter(({ type }) => type === 'ping').length
  let ended = false

  afterEach(() => vi.restoreAllMocks())

  test('a machine that slept for five minutes pings before it gives up, and a pong is a sign of life', async () => {
    const { client, check, sleep } = await openUnderClock()
    void client.closed.then(() => (ended = true))
    sleep(300_000)
    check()
    await settle(30)
    expect(pingsOf(client)).toBe(1)
    client.send({ type: 'pong', token: 1 })
    await settle(30)
    for (let count = 0; count < 3; count++) check()
    await settle(30)
    expect([ended, pingsOf(client)]).toEqual([false, 1])
  })

  test('pieces of a long message are a sign of life; silence after a ping is not', async () => {
    const { client, check } = await openUnderClock()
    ended = false
    void client.closed.then(() => (ended = true))
    for (let count = 0; count < 30; count++) {
      if (count % 3 === 0) client.sendFrames([Uint8Array.of(1, 7)]) // more follows
      await settle(30)
      check()
    }
    await settle(30)
    expect([ended, pingsOf(client)]).toEqual([false, 0])
    for (let count = 0; count < 12; count++) check()
    expect((await client.closed).code).toBe('timeout')
  })
})

describe('[A6] a client cannot pile up work without limit', () => {
  test('the rest of a frame after a bye opens nothing', async () => {
    const join = vi.spyOn(fixture.rooms, 'join')
    const client = await attached()
    client.send({ type: 'bye' }, { ...createAttachMessage(id), number: 2, channel: 2 })
    expect((await client.closed).code).toBe('done')
    expect(join).toHaveBeenCalledOnce()
    expect(sessions.count).toBe(0)
  })

  test('a link without a hello is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const client = await link()
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await client.closed).code).toBe('timeout')
  })
})
