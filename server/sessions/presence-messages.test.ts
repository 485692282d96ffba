import { describe, expect, test, vi } from 'vitest'
import { settle, waitUntil } from '../../lib/fixtures/wait.ts'
import { encodeClientMessage } from '../../lib/protocol/message.ts'
import { createEncoder, toBytes, writeNumber, writeString } from '../../lib/protocol/wire.ts'
import { openSessionsForEachTest, type SessionsFixture } from './fixtures/sessions-fixture.ts'

let fixture: SessionsFixture
openSessionsForEachTest((opened) => (fixture = opened))

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
    const bob = await fixture.openRoomWindow()
    const client = await fixture.attach()
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
    const client = await fixture.attach()
    const eve = await fixture.attach()
    eve.send({ type: 'presence', channel: 1, whole: false, update: presenceOf(9, { follows: 'eve' }) })
    await waitUntil(() => client.received.filter(({ type }) => type === 'presence').length === 2)
    client.close()
    const { next } = await fixture.resume(client, { received: 1 })
    const { whole, update } = await next.waitForMessage('presence')
    expect([whole, Buffer.from(update).toString()]).toEqual([true, expect.stringContaining('eve')])
  })

  test('[S6] of a burst in one frame is sent to the others up to 64 KiB, and then its end', async () => {
    const client = await fixture.attach()
    const eve = await fixture.attach()
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
