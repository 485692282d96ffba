import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { MAX_FRAME_BYTES } from '../../lib/protocol/limits.ts'
import { nextTurn } from '../rooms/run-steps.ts'
import { MAX_TAKEN_A_TURN } from '../turn-limit.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'
import { sendUntilStalled } from './fixtures/gateway-harness.ts'
import { READ_ITEM_BYTES } from './web-socket-reader.ts'

const path = '/sync/websocket'
const token = { authorization: 'Bearer a' }

describe('the WebSocket endpoint', () => {
  let server: GatewayTestServer
  beforeEach(async () => {
    server = await GatewayTestServer.start()
  })
  afterEach(() => server.close())

  async function openSocket() {
    const socket = new WebSocket(server.http.replace('http', 'ws') + path, { headers: token })
    await once(socket, 'open')
    return { socket, end: await server.acceptor.next() }
  }

  interface SentFrames {
    readonly frames: number
    readonly end: Awaited<ReturnType<typeof openSocket>>['end']
    readonly signal: AbortSignal
  }

  /** Waits until all frames are received. Returns how many came at most in one turn of the event loop. */
  async function countMostInATurn({ frames, end, signal }: SentFrames): Promise<number> {
    let received = 0
    let most = 0
    while (received < frames && !signal.aborted) {
      await nextTurn()
      const count = end.received.frames.length
      most = Math.max(most, count - received)
      received = count
    }
    return most
  }

  const waitForClose = async (socket: WebSocket): Promise<{ code: number; reason: string }> => {
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
    return { code, reason: reason.toString() }
  }

  /** Status and answer of a refused upgrade. */
  async function readRefusal(headers: Record<string, string>) {
    const socket = new WebSocket(server.http.replace('http', 'ws') + path, { headers })
    socket.on('error', () => {})
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
    const body = Buffer.concat(await response.toArray()).toString()
    return {
      status: response.statusCode,
      headers: response.headers,
      error: (JSON.parse(body) as { error: unknown }).error,
    }
  }

  async function expectStillServing(): Promise<void> {
    const { socket, end } = await openSocket()
    socket.send(Uint8Array.of(1))
    await end.received.waitForFrames(1)
    socket.terminate()
  }

  test('[A1] a foreign origin is refused, with a cookie or a token', async () => {
    for (const headers of [token, { cookie: 'session=1' }]) {
      const answer = await readRefusal({ ...headers, origin: 'https://evil.example' })
      expect(answer).toMatchObject({ status: 403, error: { code: 'origin' } })
    }
    expect(server.acceptor.links).toEqual([])
  })

  test('[A1] a cookie without an origin is refused', async () => {
    expect(await readRefusal({ cookie: 'session=1' })).toMatchObject({
      status: 403,
      error: { code: 'origin' },
    })
  })

  test('[A2] a client without credentials is asked to sign in', async () => {
    expect(await readRefusal({})).toMatchObject({ status: 401, error: { code: 'sign-in' } })
  })

  test('[S8] while draining it gets a retry time', async () => {
    server.draining = true
    expect(await readRefusal(token)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      error: { code: 'going-away' },
    })
  })

  test('[A6] of a client that sends megabytes at once a part is read in each turn, and all of it in the end', async ({
    signal,
  }) => {
    const { socket, end } = await openSocket()
    const frames = 128
    for (let sent = 0; sent < frames; sent++) socket.send(new Uint8Array(32 * 1024))
    const most = await countMostInATurn({ frames, end, signal })
    expect(most * 32 * 1024).toBeLessThanOrEqual(MAX_TAKEN_A_TURN * READ_ITEM_BYTES)
    socket.terminate()
  })

  test('[A6] of a client that sends thousands of empty frames at once so many are received in each turn, and its close after all of them', async ({
    signal,
  }) => {
    const { socket, end } = await openSocket()
    const frames = 4_000
    for (let sent = 0; sent < frames; sent++) socket.send(new Uint8Array(1))
    socket.close()
    const most = await countMostInATurn({ frames, end, signal })
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(MAX_TAKEN_A_TURN)
    await end.received.closed
    expect(end.received.frames.length).toBe(frames)
  })

  test('[A6] a text frame closes the link with bad-frame, at both ends', async () => {
    const { socket, end } = await openSocket()
    socket.send('{"hello":1}')
    expect((await waitForClose(socket)).code).toBe(4060)
    expect(end.received).toMatchObject({ frames: [], closes: [{ code: 'bad-frame' }] })
    await expectStillServing()
  })

  test('[T6] a frame over the limit closes the link with too-large and the limit named', async () => {
    const { socket, end } = await openSocket()
    socket.send(new Uint8Array(MAX_FRAME_BYTES + 1))
    expect((await waitForClose(socket)).code).toBe(1009)
    expect(await end.received.closed).toMatchObject({
      code: 'too-large',
      detail: expect.stringContaining('262144') as string,
    })
    await expectStillServing()
  })

  test('[A6] bytes that are no WebSocket frame close the link with bad-frame', async () => {
    const { socket, end } = await openSocket()
    ;(socket as unknown as { _socket: Socket })._socket.write(Buffer.from('ffffffffffffffff', 'hex'))
    expect(await end.received.closed).toMatchObject({ code: 'bad-frame' })
    socket.terminate()
    await expectStillServing()
  })

  test.each(['GET', 'POST'])('[A6] a plain %s is answered with 426', async (method) => {
    const response = await fetch(server.http + path, { method, headers: token })
    expect(response.status).toBe(426)
    expect(response.headers.get('upgrade')).toBe('websocket')
  })

  test('[A6] an upgrade that is no WebSocket handshake is refused', async () => {
    const socket = connect(Number(new URL(server.http).port), '127.0.0.1')
    const lines = [
      `GET ${path} HTTP/1.1`,
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Authorization: Bearer a',
    ]
    socket.write(lines.join('\r\n') + '\r\n\r\n')
    expect(Buffer.concat(await socket.toArray()).toString()).toMatch(/^HTTP\/1.1 400 /)
    await expectStillServing()
  })

  test('[T6] frames of every length arrive whole, each with the shortest possible header', async () => {
    const { socket, end } = await openSocket()
    const stream = (socket as unknown as { _socket: Socket })._socket
    const before = stream.bytesRead
    const receivedLengths: number[] = []
    socket.on('message', (data: Buffer) => receivedLengths.push(data.length))
    const lengths = [1, 125, 126, 127, 65_535, 65_536, MAX_FRAME_BYTES]
    for (const length of lengths) await end.link.send(new Uint8Array(length))
    await expect.poll(() => receivedLengths.length).toBe(lengths.length)
    expect(receivedLengths).toEqual(lengths)
    const heads = lengths.map((length) => (length < 126 ? 2 : length < 65_536 ? 4 : 10))
    const sum = (all: number[]): number => all.reduce((total, one) => total + one)
    expect(stream.bytesRead - before).toBe(sum(lengths) + sum(heads))
    socket.terminate()
  })

  test.each([MAX_FRAME_BYTES, 16 * 1024])(
    '[S6] send waits for a reader that does not read frames of %i bytes, and goes on when it does',
    async (frameBytes) => {
      const { socket, end } = await openSocket()
      socket.pause()
      const sending = await sendUntilStalled(end.link, frameBytes)
      socket.resume()
      await sending.promise
      socket.terminate()
    },
  )
})
