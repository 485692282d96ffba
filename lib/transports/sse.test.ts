/** What the contract cannot ask of a real server: doors that break, hold back or answer wrongly. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { upEvent, writePass } from '../protocol/http.ts'
import type { Net } from './net/net.ts'
import { createNet } from './net/node.ts'
import { openLink } from './recorder.ts'
import { sse } from './sse.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const PASS: Answer = (response) =>
  void response
    .writeHead(201)
    .end(JSON.stringify(writePass({ ticket: 't', key: { id: 'a.1', secret: new Uint8Array(16) } })))
/** A reader left alone comes back after 1 ms. */
const EVENTS: Answer = (response) =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry:1\n\n')
const CONFIRMS: Answer = (response) => (EVENTS(response, undefined!), void response.write(upEvent))
const TAKES: Answer = (response, request) =>
  void request.resume().on('end', () => response.writeHead(204).end())
const HOLDS_BACK: Answer = () => {}
const CUTS: Answer = (response) => void response.destroy()
const ANSWERS =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { connection: 'close', ...headers }).end()

describe('sse at a door that', () => {
  let server: Server
  let net: Net
  let doors: { ticket: Answer; events: Answer; up: Answer }
  let knocks: string[]
  let streams: ServerResponse[]

  beforeEach(async () => {
    doors = { ticket: PASS, events: EVENTS, up: TAKES }
    knocks = []
    streams = []
    net = createNet()
    server = createServer((request, response) => {
      const door =
        { '/sync/sse/ticket': 'ticket', '/sync/sse': 'events' }[request.url!.split('?')[0]!] ?? 'up'
      knocks.push(door)
      if (door === 'events') streams.push(response)
      doors[door as keyof typeof doors](response, request)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    net.dispose()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const open = () =>
    openLink({
      transport: sse,
      target: { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, net },
    })

  const posting = (): void => void (net = { ...net, canStreamBody: () => false })
  /** Many times the 1 ms after which an EventSource left alone would be back. */
  const quiet = () => new Promise((resolve) => setTimeout(resolve, 100))

  test('[T3] ends its events: the EventSource does not come back', async () => {
    posting()
    const { heard } = await open()
    streams[0]!.end()
    expect((await heard.closed).code).toBe('lost')
    await quiet()
    expect(knocks).toEqual(['ticket', 'events'])
  })

  test('[T3] cuts its events: the EventSource does not come back', async () => {
    posting()
    const { heard } = await open()
    streams[0]!.destroy()
    expect((await heard.closed).code).toBe('lost')
    await quiet()
    expect(knocks).toEqual(['ticket', 'events'])
  })

  test.each([
    ['ticket', ANSWERS(503, { 'retry-after': '3' }), { code: 'overloaded', retryAfterMs: 3000 }],
    ['ticket', ANSWERS(401), { code: 'sign-in' }],
    ['ticket', ANSWERS(201), { code: 'refused' }],
    ['ticket', CUTS, { code: 'refused' }],
    ['events', ANSWERS(502), { code: 'refused', detail: expect.stringContaining('502') as string }],
    ['events', ANSWERS(200, { 'content-type': 'text/html' }), { code: 'refused' }],
    ['events', CUTS, { code: 'refused' }],
  ] as const)('[T1] [T3] refuses the %s: one knock, one reason', async (door, answer, reason) => {
    posting()
    doors[door] = answer
    await expect(open()).rejects.toMatchObject({ reason })
    await quiet()
    expect(knocks.filter((knock) => knock === door).length).toBe(1)
  })

  test.each([
    ['answers a POST with 500', ANSWERS(500), 'refused'],
    ['does not know the link', ANSWERS(404), 'refused'],
    ['cuts a POST', CUTS, 'lost'],
  ] as const)('[T3] %s: the link closes, and the POST is not repeated', async (_what, answer, code) => {
    posting()
    doors.up = answer
    const { link, heard } = await open()
    for (let sent = 0; sent < 3; sent++) void link.send(Uint8Array.of(sent))
    expect(await heard.closed).toMatchObject({ code })
    await quiet()
    expect(knocks.filter((knock) => knock === 'up').length).toBe(1)
  })

  test('[S5] holds a streamed body back: the link goes up with POSTs within 2 s', async () => {
    doors.up = (response, request) =>
      (request.headers['content-length'] ? TAKES : HOLDS_BACK)(response, request)
    const { link } = await open()
    expect(link.info.up).toBe('batched posts')
    await link.send(Uint8Array.of(1))
    await expect.poll(() => knocks).toEqual(['ticket', 'events', 'up', 'up'])
  })

  test('[S5] refuses a streamed body: the link goes up with POSTs at once', async () => {
    doors.up = (response, request) =>
      (request.headers['content-length'] ? TAKES : ANSWERS(411))(response, request)
    expect((await open()).link.info.up).toBe('batched posts')
  })

  test('[T2] ends a confirmed streamed body: the link closes', async () => {
    doors.events = CONFIRMS
    let answer = (): void => {}
    doors.up = (response) => void (answer = () => ANSWERS(204)(response, undefined!))
    const { link, heard } = await open()
    expect(link.info.up).toBe('streamed body')
    await expect.poll(() => knocks).toContain('up')
    answer()
    expect((await heard.closed).code).toBe('lost')
    await quiet()
    expect(knocks.toSorted()).toEqual(['events', 'ticket', 'up'])
  })

  test('[A6] sends an event that is too large: the link closes and names the limit', async () => {
    posting()
    const { heard } = await open()
    streams[0]!.write(`data:${'AAAA'.repeat(90_000)}\n\n`)
    expect(await heard.closed).toMatchObject({
      code: 'too-large',
      detail: expect.stringContaining('MAX_FRAME_BYTES') as string,
    })
  })

  test('[S6] is slow: send waits once 64 KiB are on their way, until they are taken', async () => {
    posting()
    let take = (): void => {}
    doors.up = (response, request) => void (take = () => TAKES(response, request))
    const { link } = await open()
    void link.send(new Uint8Array(10))
    await expect.poll(() => knocks).toContain('up')
    let room = false
    void link.send(new Uint8Array(70_000)).then(() => (room = true))
    await quiet()
    expect(room).toBe(false)
    doors.up = TAKES
    take()
    await expect.poll(() => room).toBe(true)
  })
})
