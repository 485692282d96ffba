/** What the contract cannot ask of a real server: doors that break, hold back or answer wrongly. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HeadReader } from '../protocol/link-key.ts'
import { encodeControl, encodeRecords } from '../protocol/records.ts'
import { createDecoder, readNumber } from '../protocol/wire.ts'
import { ANSWERS, type Answer, CUTS, Doors, GIVES, HOLDS_BACK, quiet, SEQUENCE } from './fixtures/doors.ts'
import { longPoll } from './long-poll.ts'
import { poll } from './poll.ts'

const frame = (byte: number): Uint8Array => Uint8Array.of(byte)
const octets = { 'content-type': 'application/octet-stream' }

describe.each([longPoll, poll])('$id at a door that', (transport) => {
  let doors: Doors
  beforeEach(async () => {
    doors = await Doors.open()
  })
  afterEach(() => doors.close())

  const open = (next?: Answer) => {
    if (next) doors.answers['next'] = next
    return doors.link(transport, { streamedBody: false })
  }

  /** Cursor and patience of each poll so far. */
  const polls = () =>
    (doors.asked['next'] ?? []).map(({ body }) => {
      const decoder = createDecoder(new HeadReader().push(new Uint8Array(body))!.rest)
      return [readNumber(decoder), readNumber(decoder)]
    })

  test.each([
    ['is full', ANSWERS(503, { 'retry-after': '3' }), { code: 'overloaded', retryAfterMs: 3000 }],
    ['knows nobody', ANSWERS(401), { code: 'sign-in' }],
    ['is somebody else’s', ANSWERS(201, {}, '<html>'), { code: 'refused' }],
    ['names no link', ANSWERS(201, {}, '{"id":"a.1"}'), { code: 'refused' }],
    ['cuts', CUTS, { code: 'refused' }],
  ] as const)('[T1] [T3] %s: one knock, one reason', async (_what, answer, reason) => {
    doors.answers['open'] = answer
    await expect(open()).rejects.toMatchObject({ reason })
    await quiet()
    expect(doors.knocks).toEqual(['open'])
  })

  test('[T2] gives frames: the next poll counts them, a poll answered by nothing changes no count', async () => {
    const { heard } = await open(
      SEQUENCE(GIVES(frame(1), frame(2)), ANSWERS(204), GIVES(frame(3)), HOLDS_BACK),
    )
    await heard.frameCount(3)
    await expect.poll(() => doors.count('next')).toBe(4)
    expect(heard.frames).toEqual([frame(1), frame(2), frame(3)])
    const patience = transport.id === 'poll' ? 0 : 25_000
    await expect.poll(polls).toEqual([0, 2, 2, 3].map((cursor) => [cursor, patience]))
  })

  test.each([
    ['cuts a poll', CUTS, 'lost'],
    ['answers a poll with 502', ANSWERS(502), 'refused'],
    ['does not know the link', ANSWERS(404, {}, '{"error":{"code":"lost","message":"m"}}'), 'lost'],
    ['gives rubbish', ANSWERS(200, octets, new Uint8Array(9).fill(0xff)), 'bad-frame'],
    [
      'gives a frame cut short',
      ANSWERS(200, octets, encodeRecords([new Uint8Array(9)]).subarray(0, -1)),
      'bad-frame',
    ],
  ])('[T1] [T3] %s: the link closes, and nobody polls again', async (_what, answer, code) => {
    const { heard } = await open(SEQUENCE(GIVES(frame(1)), answer))
    expect(await heard.closed).toMatchObject({ code })
    await quiet()
    expect(doors.count('next')).toBe(2)
    expect(heard.frames).toEqual([frame(1)])
  })

  test('[T2] cuts an answer in its middle: nothing of it is heard', async () => {
    const half: Answer = (response) => {
      response.writeHead(200, { ...octets, 'content-length': 100 }).write(encodeRecords([frame(2)]))
      setTimeout(() => response.destroy(), 20)
    }
    const { heard } = await open(SEQUENCE(GIVES(frame(1)), half))
    expect((await heard.closed).code).toBe('lost')
    expect(heard.frames).toEqual([frame(1)])
  })

  test('[T1] closes in the answer: what stands before it is heard, and nobody polls again', async () => {
    const after = encodeControl({ type: 'close', reason: { code: 'going-away', retryAfterMs: 7 } })
    const { heard } = await open(ANSWERS(200, octets, encodeRecords([frame(1)], { after })))
    expect(await heard.closed).toEqual({ code: 'going-away', retryAfterMs: 7 })
    await quiet()
    expect(heard).toMatchObject({ frames: [frame(1)], late: 0 })
    expect(doors.knocks).toEqual(['open', 'next'])
  })

  test('[T1] keeps a poll waiting: a close here ends the poll, and tells the server', async () => {
    const { link } = await open()
    await expect.poll(() => doors.count('next')).toBe(1)
    link.close({ code: 'drained' })
    await expect.poll(() => doors.asked['up']?.at(-1)?.body.toString()).toContain('"number":6')
    await expect.poll(() => doors.last('next').closed).toBe(true)
  })
})

describe('the pace of poll', () => {
  test('is quick while somebody looks and something happened, slow otherwise', async () => {
    const doors = await Doors.open()
    let visible = true
    const net = { ...doors.net, visible: () => visible }
    doors.answers['next'] = (response) => void response.writeHead(204).end()
    await doors.link(poll, { net })
    const pollsIn = async (ms: number): Promise<number> => {
      const before = doors.count('next')
      await new Promise((resolve) => setTimeout(resolve, ms))
      return doors.count('next') - before
    }
    const lively = await pollsIn(2_000)
    visible = false
    await pollsIn(300)
    const hidden = await pollsIn(2_000)
    // No times: only that one is the quicker of the two, and neither stands still.
    expect(lively).toBeGreaterThan(hidden)
    expect(hidden).toBeGreaterThan(0)
    await doors.close()
  })
})
