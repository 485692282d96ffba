/** What the contract cannot test with a real server: endpoints that break, hold back or answer wrongly. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { encodeControl, encodeRecords } from '../protocol/records.ts'
import {
  ANSWERS,
  CUTS,
  FakeEndpoints,
  NEVER_ANSWERS,
  key,
  waitForSilence,
} from './fixtures/fake-endpoints.ts'
import { stream } from './stream.ts'

const octets = { 'content-type': 'application/octet-stream' }

describe('stream at an endpoint that', () => {
  let endpoints: FakeEndpoints
  beforeEach(async () => {
    endpoints = await FakeEndpoints.open()
  })
  afterEach(() => endpoints.close())

  const open = () => endpoints.openLink(stream, { streamedBody: false })

  test.each(['end', 'destroy'] as const)(
    '[T3] %ss its answer: the link closes, and no request follows',
    async (how) => {
      const { received } = await open()
      endpoints.latestResponse('stream')[how]()
      expect((await received.closed).code).toBe('lost')
      await waitForSilence()
      expect(endpoints.requestedNames).toEqual(['stream'])
    },
  )

  test.each([
    ['is full', ANSWERS(503, { 'retry-after': '3' }), { code: 'overloaded', retryAfterMs: 3000 }],
    ['knows nobody', ANSWERS(401), { code: 'sign-in' }],
    ['is somebody else’s', ANSWERS(200, { 'content-type': 'text/html' }, '<html>'), { code: 'refused' }],
    ['names no link', ANSWERS(200, octets, encodeRecords([Uint8Array.of(1)])), { code: 'lost' }],
    ['sends invalid bytes', ANSWERS(200, octets, new Uint8Array(9).fill(0xff)), { code: 'bad-frame' }],
    ['cuts', CUTS, { code: 'refused' }],
  ] as const)('[T1] [T3] %s: one request, one reason', async (_what, answer, reason) => {
    endpoints.answers['stream'] = answer
    await expect(open()).rejects.toMatchObject({ reason })
    await waitForSilence()
    expect(endpoints.requestedNames).toEqual(['stream'])
  })

  test('[T2] cuts its answer within a record: whole records are delivered, and the link closes', async () => {
    const { received } = await open()
    const records = encodeRecords([Uint8Array.of(1), new Uint8Array(100)])
    endpoints.latestResponse('stream').write(records.subarray(0, -1))
    await received.waitForFrames(1)
    endpoints.latestResponse('stream').end()
    expect((await received.closed).code).toBe('lost')
    expect(received.frames).toEqual([Uint8Array.of(1)])
  })

  test('[A6] sends a frame that is too large or invalid: the link closes, and the server receives the reason', async () => {
    const { received } = await open()
    endpoints.latestResponse('stream').write(Uint8Array.of(0x82, 0x80, 0x20))
    expect(await received.closed).toMatchObject({
      code: 'too-large',
      detail: expect.stringContaining('MAX_FRAME_BYTES') as string,
    })
    await expect.poll(() => endpoints.requests['up']?.at(-1)?.body.toString()).toContain('"number":64')
  })

  test('[T2] names its link twice, like a network that repeats: there is one upstream, in order', async () => {
    const { link } = await open()
    endpoints.answers['up'] = NEVER_ANSWERS
    void link.send(Uint8Array.of(1))
    await expect.poll(() => endpoints.count('up')).toBe(1)
    endpoints.latestResponse('stream').write(encodeControl({ type: 'link', key }))
    await waitForSilence()
    void link.send(Uint8Array.of(2))
    await waitForSilence()
    expect(endpoints.count('up')).toBe(1)
    link.close({ code: 'done' })
  })

  test('[T1] sends more after its close: nothing after the close is delivered', async () => {
    const { received } = await open()
    const close = encodeControl({ type: 'close', reason: { code: 'going-away', retryAfterMs: 7 } })
    endpoints
      .latestResponse('stream')
      .write(Buffer.concat([close, encodeRecords([Uint8Array.of(1)]), encodeControl({ type: 'link', key })]))
    expect(await received.closed).toEqual({ code: 'going-away', retryAfterMs: 7 })
    await waitForSilence()
    expect(received).toMatchObject({ frames: [], late: 0 })
  })
})
