/** The way up at doors that break, hold back or answer wrongly. The way down is a stream, which says `up` when a test lets it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HeadReader } from '../protocol/link-key.ts'
import type { Control } from '../protocol/records.ts'
import { encodeControl, RecordDecoder } from '../protocol/records.ts'
import { ANSWERS, BY_BODY, CUTS, Doors, HOLDS_BACK, quiet, TAKES } from './fixtures/doors.ts'
import { stream } from './stream.ts'

const up = encodeControl({ type: 'up' })
const frame = (byte: number): Uint8Array => Uint8Array.of(byte)

describe('the way up', () => {
  let doors: Doors
  beforeEach(async () => {
    doors = await Doors.open()
  })
  afterEach(() => doors.close())

  const open = (streamedBody = true) => doors.link(stream, { streamedBody })

  /** What came in each body so far: `s` for a streamed one, the first byte of each frame, closes by their code. */
  const bodies = (): string[] =>
    (doors.asked['up'] ?? []).map(({ request, body }) => {
      const said: (number | string)[] = []
      const head = new HeadReader().push(new Uint8Array(body))
      const onControl = (control: Control): void =>
        void said.push(control.type === 'close' ? control.reason.code : control.type)
      if (head) new RecordDecoder({ onFrame: (one) => void said.push(one[0]!), onControl }).push(head.rest)
      return `${request.headers['content-length'] === undefined ? 's' : 'p'}:${said.join(',')}`
    })

  test('[S5] begins with POSTs at once, and goes over to the streamed body when that is confirmed', async () => {
    doors.answers['up'] = BY_BODY(TAKES, HOLDS_BACK)
    const { link } = await open()
    expect(link.info.up).toBe('batched posts')
    await link.send(frame(1))
    await expect.poll(bodies).toEqual(['s:', 'p:1'])
    doors.last('stream').write(up)
    await expect.poll(() => link.info.up).toBe('streamed body')
    for (const byte of [2, 3]) void link.send(frame(byte))
    await expect.poll(bodies).toEqual(['s:2,3', 'p:1'])
  })

  test('[T2] what a POST has on its way arrives before what the streamed body takes over', async () => {
    let take = (): void => {}
    doors.answers['up'] = BY_BODY(
      (response, request) => void (take = () => TAKES(response, request)),
      HOLDS_BACK,
    )
    const { link } = await open()
    void link.send(frame(1))
    await expect.poll(bodies).toEqual(['s:', 'p:1'])
    doors.last('stream').write(up)
    void link.send(frame(2))
    await quiet()
    expect(link.info.up).toBe('batched posts')
    expect(bodies()).toEqual(['s:', 'p:1'])
    take()
    await expect.poll(bodies).toEqual(['s:2', 'p:1'])
  })

  test('[S5] a streamed body that is not confirmed is given up, and the POSTs go on', async () => {
    doors.answers['up'] = BY_BODY(TAKES, HOLDS_BACK)
    const { link, heard } = await open()
    await expect.poll(() => doors.last('up').closed, { timeout: 10_000 }).toBe(true)
    doors.last('stream').write(up) // too late
    await link.send(frame(1))
    await expect.poll(bodies).toEqual(['s:', 'p:1'])
    expect(link.info.up).toBe('batched posts')
    expect(heard.closes).toEqual([])
  })

  test('[S5] a streamed body that is refused leaves the POSTs alone', async () => {
    doors.answers['up'] = BY_BODY(TAKES, ANSWERS(411))
    const { link, heard } = await open()
    await expect.poll(() => doors.count('up')).toBe(1)
    await link.send(frame(1))
    await expect.poll(bodies).toEqual(['s:', 'p:1'])
    expect(heard.closes).toEqual([])
  })

  test('without leave there is no streamed body', async () => {
    const { link } = await open(false)
    await link.send(frame(1))
    await expect.poll(bodies).toEqual(['p:1'])
  })

  test.each([
    ['ends', ANSWERS(204), 'lost'],
    ['refuses', ANSWERS(403, {}, '{"error":{"code":"forbidden","message":"m"}}'), 'forbidden'],
    ['cuts', CUTS, 'lost'],
  ])('[T2] a door that %s a confirmed streamed body ends the link', async (_what, answer, code) => {
    doors.answers['up'] = BY_BODY(TAKES, HOLDS_BACK)
    const { link, heard } = await open()
    await expect.poll(() => doors.count('up')).toBe(1)
    doors.last('stream').write(up)
    await expect.poll(() => link.info.up).toBe('streamed body')
    const { response, request } = doors.asked['up']![0]!
    answer(response, request)
    expect(await heard.closed).toMatchObject({ code })
    await quiet()
    expect(doors.knocks).toEqual(['stream', 'up'])
  })

  test.each([
    ['answers a POST with 500', ANSWERS(500), 'refused'],
    ['does not know the link', ANSWERS(404), 'refused'],
    ['cuts a POST', CUTS, 'lost'],
  ] as const)(
    '[T3] a door that %s: the link closes, and the POST is not repeated',
    async (_what, answer, code) => {
      doors.answers['up'] = answer
      const { link, heard } = await open(false)
      for (let sent = 0; sent < 3; sent++) void link.send(frame(sent))
      expect(await heard.closed).toMatchObject({ code })
      await quiet()
      expect(doors.count('up')).toBe(1)
    },
  )

  test('[S6] send waits once 64 KiB are on their way, until they are taken', async () => {
    let take = (): void => {}
    doors.answers['up'] = (response, request) => void (take = () => TAKES(response, request))
    const { link } = await open(false)
    void link.send(new Uint8Array(10))
    await expect.poll(() => doors.count('up')).toBe(1)
    let room = false
    void link.send(new Uint8Array(70_000)).then(() => (room = true))
    await quiet()
    expect(room).toBe(false)
    doors.answers['up'] = TAKES
    take()
    await expect.poll(() => room).toBe(true)
  })

  describe('[S9] tells the server why it closes', () => {
    test('by the last record of the streamed body', async () => {
      doors.answers['up'] = BY_BODY(TAKES, HOLDS_BACK)
      const { link } = await open()
      await expect.poll(() => doors.count('up')).toBe(1)
      doors.last('stream').write(up)
      await expect.poll(() => link.info.up).toBe('streamed body')
      void link.send(frame(1))
      await expect.poll(bodies).toEqual(['s:1'])
      link.close({ code: 'drained' })
      await expect.poll(bodies).toEqual(['s:1,drained'])
    })

    test('by a POST of its own, after the one on its way', async () => {
      let take = (): void => {}
      doors.answers['up'] = (response, request) => void (take = () => TAKES(response, request))
      const { link } = await open(false)
      void link.send(frame(1))
      await expect.poll(() => doors.count('up')).toBe(1)
      link.close({ code: 'drained' })
      await quiet()
      expect(bodies()).toEqual(['p:1'])
      doors.answers['up'] = TAKES
      take()
      await expect.poll(bodies).toEqual(['p:1', 'p:drained'])
      await expect.poll(() => doors.last('stream').closed).toBe(true)
    })

    test('as well as it can: where nobody answers it lets go of everything', async () => {
      doors.answers['up'] = HOLDS_BACK
      const { link } = await open(false)
      void link.send(frame(1))
      await expect.poll(() => doors.count('up')).toBe(1)
      link.close({ code: 'drained' })
      await expect.poll(() => doors.last('stream').closed, { timeout: 10_000 }).toBe(true)
      expect(bodies()).toEqual(['p:1', 'p:drained'])
    })
  })
})
