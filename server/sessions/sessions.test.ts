import { describe, expect, test, vi } from 'vitest'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { settle, waitUntil } from '../../lib/fixtures/wait.ts'
import { createAttachMessage, createEditMessage, helloMessage } from '../fixtures/raw-client.ts'
import { updateTyping } from '../fixtures/update-typing.ts'
import { isPending } from '../rooms/fixtures/rooms-fixture.ts'
import { openSessionsForEachTest, type SessionsFixture, waitForReceipt } from './fixtures/sessions-fixture.ts'

let fixture: SessionsFixture
openSessionsForEachTest((opened) => (fixture = opened))

describe('[A2] a session belongs to the principal that opened it', () => {
  test('opens again only for its id and its secret together', async () => {
    const client = await fixture.attach()
    const { welcome, before } = await fixture.resume(client)
    expect(welcome).toEqual({ ...before, resumed: true, received: 1 })
    expect(welcome).toMatchObject({ principal: fixture.owner.id, offers: 'websocket,poll' })
    expect(fixture.sessions.count).toBe(1)
  })

  test.each([
    ['the id without the secret', async () => ({ secret: '' })],
    ['a wrong secret', async () => ({ secret: 'A'.repeat(22) })],
    [
      'somebody else who knows both',
      async () => ({ principal: (await fixture.roomsFixture.createPerson()).principal }),
    ],
  ])('%s: a session of its own, and not a word of the other', async (_who, how) => {
    const client = await fixture.attach()
    client.send(createEditMessage(updateTyping('mine')))
    await client.waitForMessage('saved')
    const { next, welcome, before } = await fixture.resume(client, await how())
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
    const next = await fixture.openLink()
    next.send({ ...helloMessage, resume: { id: 'a.unknown', secret: 'x', received: 0, take: true } })
    expect(await next.waitForMessage('welcome')).toMatchObject({ resumed: false })
  })
})

describe('[S1] the server takes messages of a client in order', () => {
  test('a repeated message is taken once', async () => {
    const client = await fixture.attach()
    client.send(createEditMessage(updateTyping('once')), createEditMessage(updateTyping('once more')))
    await client.waitForMessage('saved')
    client.send(createEditMessage(updateTyping('and again')))
    client.send({ type: 'ping', token: 1 })
    await client.waitForMessage('pong')
    expect(await fixture.readStoredText()).toBe('once')
  })

  test('after a gap nothing is taken until the expected message comes', async () => {
    const client = await fixture.attach()
    client.send(createEditMessage(updateTyping('3'), 3))
    expect(await client.waitForMessage('gap')).toEqual({ type: 'gap', expected: 2 })
    client.send(createEditMessage(updateTyping('2'), 2), createEditMessage(updateTyping('3'), 3))
    await waitUntil(() => client.received.some((one) => one.type === 'saved' && one.upTo === 3))
    expect(['23', '32']).toContain(await fixture.readStoredText())
  })

  test('a message that is not saved yet is acknowledged as received', async () => {
    const client = await fixture.attach()
    fixture.roomsFixture.store.hold()
    client.send(createEditMessage(updateTyping('held')))
    await waitForReceipt(client, 2)
    expect(client.received.some(({ type }) => type === 'saved')).toBe(false)
  })
})

describe('[S2] [S3] a session outlives its links', () => {
  test('what was not acknowledged is sent again on the next link, with what came in between', async () => {
    const client = await fixture.attach()
    client.send(createEditMessage(updateTyping('a')))
    await client.waitForMessage('saved')
    client.close()
    const bob = await fixture.openRoomWindow()
    await bob.type('b')
    const { next } = await fixture.resume(client, { received: 1 })
    await waitUntil(() => next.received.some(({ type }) => type === 'change'))
    const numbered = next.received.flatMap((one) =>
      'number' in one && 'channel' in one ? [[one.type, one.number]] : [],
    )
    expect(numbered).toEqual([['saved', 2], ['change', 3]]) // prettier-ignore
  })

  test('an edit is saved though its link is gone, and the next link brings saved', async () => {
    const client = await fixture.attach()
    fixture.roomsFixture.store.hold()
    client.send(createEditMessage(updateTyping('sent, then cut')))
    await waitForReceipt(client, 2)
    client.close()
    fixture.roomsFixture.store.release()
    const { next, welcome } = await fixture.resume(client)
    expect(welcome).toMatchObject({ resumed: true, received: 2 })
    expect(await next.waitForMessage('saved')).toMatchObject({ upTo: 2 })
    expect(await fixture.readStoredText()).toBe('sent, then cut')
  })

  test('an acknowledgement of a number that was never sent ends the link, not the session', async () => {
    const client = await fixture.attach()
    const { next } = await fixture.resume(client, { received: 99 })
    expect((await next.closed).code).toBe('bad-message')
    const again = await fixture.resume(client)
    expect(again.welcome.resumed).toBe(true)
  })

  test('without a link it is kept 2 min, and then forgotten', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    await fixture.restart()
    const client = await fixture.attach()
    client.close()
    await settle(30)
    vi.advanceTimersByTime(115_000)
    expect(fixture.sessions.count).toBe(1)
    vi.advanceTimersByTime(10_000)
    expect(fixture.sessions.count).toBe(0)
  })

  test('without a link it is forgotten when it would have to keep more than 4 MiB', async () => {
    const bob = await fixture.openRoomWindow()
    await bob.type('x'.repeat(5_000_000))
    const client = await fixture.attach()
    client.close()
    await waitUntil(() => fixture.sessions.count === 0)
    expect((await fixture.resume(client)).welcome.resumed).toBe(false)
  })
})

describe('[S4] a link that takes over', () => {
  test('proves itself first, then takes over, and the old one receives drained', async () => {
    const client = await fixture.attach()
    const { next } = await fixture.resume(client, { take: false })
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
    const client = await fixture.attach()
    const { next } = await fixture.resume(client, { received: 0 })
    await next.waitForMessage('attached')
    next.send({ type: 'take', received: 0 }, { type: 'take', received: 0 }, { type: 'ping', token: 1 })
    await next.waitForMessage('pong')
    await settle(30)
    expect(next.received.filter(({ type }) => type === 'attached')).toHaveLength(1)
  })
})

describe('[A6] limits', () => {
  test('more than 100 documents in one session are refused', async () => {
    const client = await fixture.openLink()
    client.send(helloMessage)
    for (let number = 1; number <= 101; number++)
      client.send({ ...createAttachMessage(newDocumentId()), number, channel: number })
    expect(await client.closed).toMatchObject({ code: 'bad-message', detail: expect.stringContaining('100') })
  })

  test('the same channel again is no further document', async () => {
    const client = await fixture.openLink()
    client.send(helloMessage)
    for (let number = 1; number <= 300; number++)
      client.send({ ...createAttachMessage(fixture.id), number, channel: 1 })
    client.send({ type: 'ping', token: 1 })
    await client.waitForMessage('pong')
  })
})

describe('draining', () => {
  test('waits until all accepted edits are answered, then closes all links for a retry', async () => {
    const client = await fixture.attach()
    fixture.roomsFixture.store.hold()
    client.send(createEditMessage(updateTyping('last words')))
    await waitForReceipt(client, 2)
    const drained = fixture.sessions.drain()
    expect(fixture.sessions.draining).toBe(true)
    expect(await isPending(drained)).toBe(true)
    fixture.roomsFixture.store.release()
    await drained
    const reason = await client.closed
    expect(reason).toMatchObject({ code: 'going-away', retryAfterMs: expect.any(Number) })
    expect(client.received).toContainEqual(expect.objectContaining({ type: 'saved', upTo: 2 }))
    expect(await fixture.readStoredText()).toBe('last words')
  })

  test('[S8] spreads the retries of all clients within a second', async () => {
    const clients = await Promise.all(Array.from({ length: 60 }, () => fixture.attach()))
    await fixture.sessions.drain()
    const waits = (await Promise.all(clients.map(({ closed }) => closed))).map(
      ({ retryAfterMs }) => retryAfterMs ?? 0,
    )
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_000)
    expect(new Set(waits).size).toBeGreaterThan(30)
  })

  test('closes a link as well that was accepted just before', async () => {
    await fixture.sessions.drain()
    expect((await (await fixture.openLink()).closed).code).toBe('going-away')
  })
})

describe('[A6] a client cannot pile up work without limit', () => {
  test('the rest of a frame after a bye opens nothing', async () => {
    const join = vi.spyOn(fixture.roomsFixture.rooms, 'join')
    const client = await fixture.attach()
    client.send({ type: 'bye' }, { ...createAttachMessage(fixture.id), number: 2, channel: 2 })
    expect((await client.closed).code).toBe('done')
    expect(join).toHaveBeenCalledOnce()
    expect(fixture.sessions.count).toBe(0)
  })

  test('a link without a hello is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const client = await fixture.openLink()
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await client.closed).code).toBe('timeout')
  })
})
