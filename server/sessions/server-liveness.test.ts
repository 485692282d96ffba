import { describe, expect, test, vi } from 'vitest'
import { settle } from '../../lib/fixtures/wait.ts'
import type { RawClient } from '../fixtures/raw-client.ts'
import { openSessionsForEachTest, type SessionsFixture } from './fixtures/sessions-fixture.ts'

let fixture: SessionsFixture
openSessionsForEachTest((opened) => (fixture = opened))

describe('[S7] the server judges liveness by what it receives', () => {
  /** Controls the timers of the server, and a clock that a test can change. */
  async function openUnderClock(): Promise<{ client: RawClient; check(): void; sleep(ms: number): void }> {
    await fixture.sessions.drain()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const real = performance.now.bind(performance)
    let slept = 0
    vi.spyOn(performance, 'now').mockImplementation(() => real() + slept)
    await fixture.restart()
    const client = await fixture.attach()
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

  test('a machine that slept for five minutes pings before it gives up, and a pong is a sign of life', async () => {
    const { client, check, sleep } = await openUnderClock()
    let ended = false
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
    let ended = false
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
