/** The upstream at endpoints that break, hold back or answer wrongly. The downstream is a stream that sends `up` when a test wants. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LinkHeadReader } from '../protocol/link-key.ts'
import type { ControlRecord } from '../protocol/records.ts'
import { RecordDecoder } from '../protocol/record-decoder.ts'
import { encodeControl } from '../protocol/records.ts'
import {
  ANSWERS,
  BY_BODY,
  CUTS,
  FakeEndpoints,
  NEVER_ANSWERS,
  waitForSilence,
  TAKES,
} from './fixtures/fake-endpoints.ts'
import { stream } from './stream.ts'

const up = encodeControl({ type: 'up' })
const frame = (byte: number): Uint8Array => Uint8Array.of(byte)

describe('the upstream', () => {
  let endpoints: FakeEndpoints
  beforeEach(async () => {
    endpoints = await FakeEndpoints.open()
  })
  afterEach(() => endpoints.close())

  const open = (streamedBody = true) => endpoints.openLink(stream, { streamedBody })

  /** The content of each body so far: `s` for a streamed one, the first byte of each frame, closes by their code. */
  const bodies = (): string[] =>
    (endpoints.requests['up'] ?? []).map(({ request, body }) => {
      const entries: (number | string)[] = []
      const head = new LinkHeadReader().push(new Uint8Array(body))
      const onControl = (control: ControlRecord): void =>
        void entries.push(control.type === 'close' ? control.reason.code : control.type)
      if (head) new RecordDecoder({ onFrame: (one) => void entries.push(one[0]!), onControl }).push(head.rest)
      return `${request.headers['content-length'] === undefined ? 's' : 'p'}:${entries.join(',')}`
    })

  test('[S5] begins with POSTs at once, and changes to the streamed body when that is confirmed', async () => {
    endpoints.answers['up'] = BY_BODY(TAKES, NEVER_ANSWERS)
    const { link } = await open()
    expect(link.info.up).toBe('batched posts')
    await link.send(frame(1))
    await expect.poll(bodies).toEqual(['s:', 'p:1'])
    endpoints.latestResponse('stream').write(up)
    await expect.poll(() => link.info.up).toBe('streamed body')
    for (const byte of [2, 3]) void link.send(frame(byte))
    await expect.poll(bodies).toEqual(['s:2,3', 'p:1'])
  })

  test('[T2] frames of a POST on its way arrive before those of the streamed body', async () => {
    let acceptBody = (): void => {}
    endpoints.answers['up'] = BY_BODY(
      (response, request) => void (acceptBody = () => TAKES(response, request)),
      NEVER_ANSWERS,
    )
    const { link } = await open()
    void link.send(frame(1))
    await expect.poll(bodies).toEqual(['s:', 'p:1'])
    endpoints.latestResponse('stream').write(up)
    void link.send(frame(2))
    await waitForSilence()
    expect(link.info.up).toBe('batched posts')
    expect(bodies()).toEqual(['s:', 'p:1'])
    acceptBody()
    await expect.poll(bodies).toEqual(['s:2', 'p:1'])
  })

  test('[S5] a streamed body that is not confirmed is given up, and the POSTs continue', async () => {
    endpoints.answers['up'] = BY_BODY(TAKES, NEVER_ANSWERS)
    const { link, received } = await open()
    await expect.poll(() => endpoints.latestResponse('up').closed, { timeout: 10_000 }).toBe(true)
    endpoints.latestResponse('stream').write(up) // too late
    await link.send(frame(1))
    await expect.poll(bodies).toEqual(['s:', 'p:1'])
    expect(link.info.up).toBe('batched posts')
    expect(received.closes).toEqual([])
  })

  test('[S5] a refused streamed body does not affect the POSTs', async () => {
    endpoints.answers['up'] = BY_BODY(TAKES, ANSWERS(411))
    const { link, received } = await open()
    await expect.poll(() => endpoints.count('up')).toBe(1)
    await link.send(frame(1))
    await expect.poll(bodies).toEqual(['s:', 'p:1'])
    expect(received.closes).toEqual([])
  })

  test('without permission there is no streamed body', async () => {
    const { link } = await open(false)
    await link.send(frame(1))
    await expect.poll(bodies).toEqual(['p:1'])
  })

  test.each([
    ['ends', ANSWERS(204), 'lost'],
    ['refuses', ANSWERS(403, {}, '{"error":{"code":"forbidden","message":"m"}}'), 'forbidden'],
    ['cuts', CUTS, 'lost'],
  ])('[T2] an endpoint that %s a confirmed streamed body ends the link', async (_what, answer, code) => {
    endpoints.answers['up'] = BY_BODY(TAKES, NEVER_ANSWERS)
    const { link, received } = await open()
    await expect.poll(() => endpoints.count('up')).toBe(1)
    endpoints.latestResponse('stream').write(up)
    await expect.poll(() => link.info.up).toBe('streamed body')
    const { response, request } = endpoints.requests['up']![0]!
    answer(response, request)
    expect(await received.closed).toMatchObject({ code })
    await waitForSilence()
    expect(endpoints.requestedNames).toEqual(['stream', 'up'])
  })

  test.each([
    ['answers a POST with 500', ANSWERS(500), 'refused'],
    ['does not know the link', ANSWERS(404), 'refused'],
    ['cuts a POST', CUTS, 'lost'],
  ] as const)(
    '[T3] an endpoint that %s: the link closes, and the POST is not repeated',
    async (_what, answer, code) => {
      endpoints.answers['up'] = answer
      const { link, received } = await open(false)
      for (let sent = 0; sent < 3; sent++) void link.send(frame(sent))
      expect(await received.closed).toMatchObject({ code })
      await waitForSilence()
      expect(endpoints.count('up')).toBe(1)
    },
  )

  test('[S6] send waits once 64 KiB are on their way, until they are taken', async () => {
    let acceptBody = (): void => {}
    endpoints.answers['up'] = (response, request) => void (acceptBody = () => TAKES(response, request))
    const { link } = await open(false)
    void link.send(new Uint8Array(10))
    await expect.poll(() => endpoints.count('up')).toBe(1)
    let hasRoom = false
    void link.send(new Uint8Array(70_000)).then(() => (hasRoom = true))
    await waitForSilence()
    expect(hasRoom).toBe(false)
    endpoints.answers['up'] = TAKES
    acceptBody()
    await expect.poll(() => hasRoom).toBe(true)
  })

  describe('[S9] sends the server the close reason', () => {
    test('by the last record of the streamed body', async () => {
      endpoints.answers['up'] = BY_BODY(TAKES, NEVER_ANSWERS)
      const { link } = await open()
      await expect.poll(() => endpoints.count('up')).toBe(1)
      endpoints.latestResponse('stream').write(up)
      await expect.poll(() => link.info.up).toBe('streamed body')
      void link.send(frame(1))
      await expect.poll(bodies).toEqual(['s:1'])
      link.close({ code: 'drained' })
      await expect.poll(bodies).toEqual(['s:1,drained'])
    })

    test('by a POST of its own, after the one on its way', async () => {
      let acceptBody = (): void => {}
      endpoints.answers['up'] = (response, request) => void (acceptBody = () => TAKES(response, request))
      const { link } = await open(false)
      void link.send(frame(1))
      await expect.poll(() => endpoints.count('up')).toBe(1)
      link.close({ code: 'drained' })
      await waitForSilence()
      expect(bodies()).toEqual(['p:1'])
      endpoints.answers['up'] = TAKES
      acceptBody()
      await expect.poll(bodies).toEqual(['p:1', 'p:drained'])
      await expect.poll(() => endpoints.latestResponse('stream').closed).toBe(true)
    })

    test('as well as it can: if nobody answers, it releases everything', async () => {
      endpoints.answers['up'] = NEVER_ANSWERS
      const { link } = await open(false)
      void link.send(frame(1))
      await expect.poll(() => endpoints.count('up')).toBe(1)
      link.close({ code: 'drained' })
      await expect.poll(() => endpoints.latestResponse('stream').closed, { timeout: 10_000 }).toBe(true)
      expect(bodies()).toEqual(['p:1', 'p:drained'])
    })
  })
})
