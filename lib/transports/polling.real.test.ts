/** What the contract cannot test with a real server: endpoints that break, hold back or answer wrongly. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LinkHeadReader } from '../protocol/link-key.ts'
import { encodeControl, encodeRecords } from '../protocol/records.ts'
import { createDecoder, readNumber } from '../protocol/wire.ts'
import {
  ANSWERS,
  type FakeAnswer,
  CUTS,
  FakeEndpoints,
  GIVES,
  NEVER_ANSWERS,
  waitForSilence,
  ANSWERS_IN_TURN,
} from './fixtures/fake-endpoints.ts'
import { longPoll } from './long-poll.ts'
import { poll } from './poll.ts'

const frame = (byte: number): Uint8Array => Uint8Array.of(byte)
const octets = { 'content-type': 'application/octet-stream' }

describe.each([longPoll, poll])('$id at an endpoint that', (transport) => {
  let endpoints: FakeEndpoints
  beforeEach(async () => {
    endpoints = await FakeEndpoints.open()
  })
  afterEach(() => endpoints.close())

  const open = (next?: FakeAnswer) => {
    if (next) endpoints.answers['next'] = next
    return endpoints.openLink(transport, { streamedBody: false })
  }

  /** Cursor and hold time of each poll so far. */
  const readPolls = () =>
    (endpoints.requests['next'] ?? []).map(({ body }) => {
      const decoder = createDecoder(new LinkHeadReader().push(new Uint8Array(body))!.rest)
      return [readNumber(decoder), readNumber(decoder)]
    })

  test.each([
    ['is full', ANSWERS(503, { 'retry-after': '3' }), { code: 'overloaded', retryAfterMs: 3000 }],
    ['knows nobody', ANSWERS(401), { code: 'sign-in' }],
    ['is somebody else’s', ANSWERS(201, {}, '<html>'), { code: 'refused' }],
    ['names no link', ANSWERS(201, {}, '{"id":"a.1"}'), { code: 'refused' }],
    ['cuts', CUTS, { code: 'refused' }],
  ] as const)('[T1] [T3] %s: one request, one reason', async (_what, answer, reason) => {
    endpoints.answers['open'] = answer
    await expect(open()).rejects.toMatchObject({ reason })
    await waitForSilence()
    expect(endpoints.requestedNames).toEqual(['open'])
  })

  test('[T2] gives frames: the next poll counts them, and an empty answer changes no count', async () => {
    const { received } = await open(
      ANSWERS_IN_TURN(GIVES(frame(1), frame(2)), ANSWERS(204), GIVES(frame(3)), NEVER_ANSWERS),
    )
    await received.waitForFrames(3)
    await expect.poll(() => endpoints.count('next')).toBe(4)
    expect(received.frames).toEqual([frame(1), frame(2), frame(3)])
    const holdMs = transport.id === 'poll' ? 0 : 25_000
    await expect.poll(readPolls).toEqual([0, 2, 2, 3].map((cursor) => [cursor, holdMs]))
  })

  test.each([
    ['cuts a poll', CUTS, 'lost'],
    ['answers a poll with 502', ANSWERS(502), 'refused'],
    ['does not know the link', ANSWERS(404, {}, '{"error":{"code":"lost","message":"m"}}'), 'lost'],
    ['gives invalid bytes', ANSWERS(200, octets, new Uint8Array(9).fill(0xff)), 'bad-frame'],
    [
      'gives a frame cut short',
      ANSWERS(200, octets, encodeRecords([new Uint8Array(9)]).subarray(0, -1)),
      'bad-frame',
    ],
  ])('[T1] [T3] %s: the link closes, and nobody polls again', async (_what, answer, code) => {
    const { received } = await open(ANSWERS_IN_TURN(GIVES(frame(1)), answer))
    expect(await received.closed).toMatchObject({ code })
    await waitForSilence()
    expect(endpoints.count('next')).toBe(2)
    expect(received.frames).toEqual([frame(1)])
  })

  test('[T2] cuts an answer in its middle: nothing of it is delivered', async () => {
    const cutAnswer: FakeAnswer = (response) => {
      response.writeHead(200, { ...octets, 'content-length': 100 }).write(encodeRecords([frame(2)]))
      setTimeout(() => response.destroy(), 20)
    }
    const { received } = await open(ANSWERS_IN_TURN(GIVES(frame(1)), cutAnswer))
    expect((await received.closed).code).toBe('lost')
    expect(received.frames).toEqual([frame(1)])
  })

  test('[T1] closes in the answer: the frames before it are delivered, and nobody polls again', async () => {
    const after = encodeControl({ type: 'close', reason: { code: 'going-away', retryAfterMs: 7 } })
    const { received } = await open(ANSWERS(200, octets, encodeRecords([frame(1)], { after })))
    expect(await received.closed).toEqual({ code: 'going-away', retryAfterMs: 7 })
    await waitForSilence()
    expect(received).toMatchObject({ frames: [frame(1)], late: 0 })
    expect(endpoints.requestedNames).toEqual(['open', 'next'])
  })

  test('[T1] keeps a poll waiting: a close on this side ends the poll, and the server receives the reason', async () => {
    const { link } = await open()
    await expect.poll(() => endpoints.count('next')).toBe(1)
    link.close({ code: 'drained' })
    await expect.poll(() => endpoints.requests['up']?.at(-1)?.body.toString()).toContain('"number":6')
    await expect.poll(() => endpoints.latestResponse('next').closed).toBe(true)
  })
})

describe('the interval of poll', () => {
  test('is quick while somebody looks and something happened, slow otherwise', async () => {
    const endpoints = await FakeEndpoints.open()
    let visible = true
    const net = { ...endpoints.net, visible: () => visible }
    endpoints.answers['next'] = (response) => void response.writeHead(204).end()
    await endpoints.openLink(poll, { net })
    const pollsIn = async (ms: number): Promise<number> => {
      const before = endpoints.count('next')
      await new Promise((resolve) => setTimeout(resolve, ms))
      return endpoints.count('next') - before
    }
    const activePolls = await pollsIn(2_000)
    visible = false
    await pollsIn(300)
    const hiddenPolls = await pollsIn(2_000)
    // The test checks no times, only that one is the quicker of the two, and neither stops.
    expect(activePolls).toBeGreaterThan(hiddenPolls)
    expect(hiddenPolls).toBeGreaterThan(0)
    await endpoints.close()
  })
})
