/**
 * Every malformed frame of RFC 6455 on every WebSocket endpoint, over every kind of connection, after every refusal and after
 * acceptance. The server is this process, so an error that would end it is noticed here.
 */
import { once } from 'node:events'
import type { ClientHttp2Session } from 'node:http2'
import { connect as connectHttp2, constants } from 'node:http2'
import { connect as connectTcp, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAX_FRAME_BYTES, MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import type { AccessRefusal } from '../access/access.ts'
import { type ServerProgram, waitUntilReady, startServerProgram } from '../fixtures/server-program.ts'
import { RealServer } from '../fixtures/real-server.ts'
import { createSharedDocument, type SharedDocument } from '../fixtures/shared-document.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import { createTransportGateways } from './transport-gateways.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'
import { createStockGateway } from './y-websocket.ts'
import { settle } from '../../lib/fixtures/wait.ts'

// Frames

interface FrameShape {
  readonly first: number
  readonly payload?: Uint8Array
  readonly masked?: boolean
  /** The length in the header; by default that of the payload. */
  readonly length?: bigint
}

/** A client's frame, with an empty mask. */
function encodeFrame({ first, payload = new Uint8Array(), masked = true, length }: FrameShape): Buffer {
  const mask = masked ? 0x80 : 0
  const written = length ?? BigInt(payload.length)
  let head: Buffer
  if (length === undefined && written < 126n) head = Buffer.of(first, mask | Number(written))
  else {
    head = Buffer.alloc(10)
    head[0] = first
    head[1] = mask | 127
    head.writeBigUInt64BE(written, 2)
  }
  return Buffer.concat([head, Buffer.alloc(masked ? 4 : 0), payload])
}

const [CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10] as const
const FINAL = 0x80
const badUtf8 = Uint8Array.of(0xc3, 0x28)
const encodeClose = (code: number, text: Uint8Array | string = ''): Buffer =>
  encodeFrame({
    first: FINAL | CLOSE,
    payload: Buffer.concat([Buffer.of(code >> 8, code & 0xff), Buffer.from(text)]),
  })

const malformed: readonly (readonly [string, Buffer])[] = [
  ['an unmasked text frame', Buffer.of(0x81, 0)],
  ['an unmasked binary frame', encodeFrame({ first: FINAL | BINARY, payload: Uint8Array.of(1), masked: false })],
  ['an unmasked close', encodeFrame({ first: FINAL | CLOSE, masked: false })],
  ['an unmasked ping', encodeFrame({ first: FINAL | PING, masked: false })],
  ...[0x40, 0x20, 0x10].map(
    (bit) => [`reserved bit ${bit}`, encodeFrame({ first: FINAL | bit | BINARY })] as const,
  ),
  ...[CONTINUATION, CLOSE, PING, PONG].map(
    (opcode) => [`the bit of deflate on opcode ${opcode}`, encodeFrame({ first: FINAL | 0x40 | opcode })] as const,
  ),
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map(
    (opcode) => [`reserved opcode ${opcode}`, encodeFrame({ first: FINAL | opcode })] as const,
  ),
  ...[CLOSE, PING, PONG].map((opcode) => [`a fragment of opcode ${opcode}`, encodeFrame({ first: opcode })] as const),
  ...[CLOSE, PING, PONG].map(
    (opcode) =>
      [`opcode ${opcode} with 126 bytes`, encodeFrame({ first: FINAL | opcode, length: 126n, payload: new Uint8Array(126) })] as const,
  ),
  ['a close of one byte', encodeFrame({ first: FINAL | CLOSE, payload: Uint8Array.of(3) })],
  ...[0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535].map(
    (code) => [`a close with code ${code}`, encodeClose(code)] as const,
  ),
  ['a close whose reason is no UTF-8', encodeClose(1000, badUtf8)],
  ['a continuation of nothing', encodeFrame({ first: FINAL | CONTINUATION, payload: Uint8Array.of(1) })],
  ['a message within a message', Buffer.concat([encodeFrame({ first: BINARY }), encodeFrame({ first: FINAL | BINARY })])],
  ['a text that is no UTF-8', encodeFrame({ first: FINAL | TEXT, payload: badUtf8 })],
  ['a text cut within a letter', Buffer.concat([encodeFrame({ first: TEXT, payload: badUtf8 }), encodeFrame({ first: FINAL })])],
  ['a text', encodeFrame({ first: FINAL | TEXT, payload: Buffer.from('{}') })],
  ['an empty binary frame', encodeFrame({ first: FINAL | BINARY })],
  ['random bytes', encodeFrame({ first: FINAL | BINARY, payload: Buffer.from('not a message of anybody') })],
  ['a length with the top bit', encodeFrame({ first: FINAL | BINARY, length: 1n << 63n })],
  ['a length of all bits', encodeFrame({ first: FINAL | BINARY, length: (1n << 64n) - 1n })],
  ['a length of 2⁵³', encodeFrame({ first: FINAL | BINARY, length: 1n << 53n })],
  ['a frame over the limit of a frame', encodeFrame({ first: FINAL | BINARY, length: BigInt(MAX_FRAME_BYTES) + 1n })],
  ['a frame over the limit of a message', encodeFrame({ first: FINAL | BINARY, length: BigInt(MAX_MESSAGE_BYTES) + 1n })],
  ['20,000 fragments of nothing', Buffer.concat(Array.from({ length: 20_000 }, () => encodeFrame({ first: CONTINUATION })).with(0, encodeFrame({ first: BINARY })))],
  ['two closes, and more behind them', Buffer.concat([encodeClose(1000), encodeClose(1000), Buffer.of(0x81, 0)])],
  ['half a head', Buffer.of(0x82)],
  ['half a length', Buffer.of(0x82, 0xff, 0, 0)],
  ['half a mask', Buffer.of(0x82, 0x81, 0)],
  ['half a payload', encodeFrame({ first: FINAL | BINARY, length: 100n, payload: Uint8Array.of(1) })],
] // prettier-ignore

// Connections

interface EndpointRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** A connection to an endpoint that has answered, whatever the answer. */
interface OpenedSocket {
  readonly stream: Duplex
  /** Ends the connection without order, as a network does, or a client that is killed. */
  reset(): void
}

/** @param transportSocket The connection below the socket, if that is not the socket itself. */
async function openOverHttp1(
  { path, headers }: EndpointRequest,
  socket: Socket,
  transportSocket = socket,
): Promise<OpenedSocket> {
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  for (const one of new Set([socket, transportSocket])) one.on('error', () => {})
  const answered = new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await answered
  return { stream: socket, reset: () => void transportSocket.resetAndDestroy() }
}

async function openOverHttp2(
  { path, headers }: EndpointRequest,
  session: ClientHttp2Session,
): Promise<OpenedSocket> {
  const stream = session.request({
    ':method': 'CONNECT',
    ':protocol': 'websocket',
    ':path': path,
    'sec-websocket-version': '13',
    ...headers,
  })
  stream.on('error', () => {})
  await new Promise((resolve) => stream.once('response', resolve).once('close', resolve))
  return { stream, reset: () => stream.close(constants.NGHTTP2_CANCEL) }
}

export type SocketRoute = 'TCP' | 'TLS' | 'extended CONNECT'

interface Origins {
  readonly http: string
  readonly https: string
}

const portOf = (origin: string): number => Number(new URL(origin).port)

class SocketOpener {
  readonly #origins: Origins
  #session: ClientHttp2Session | undefined

  constructor(origins: Origins) {
    this.#origins = origins
  }

  async openSocket(route: SocketRoute, endpoint: EndpointRequest): Promise<OpenedSocket> {
    const { http, https } = this.#origins
    if (route === 'TCP') return openOverHttp1(endpoint, connectTcp(portOf(http), '127.0.0.1'))
    if (route === 'TLS') {
      const transportSocket = connectTcp(portOf(https), '127.0.0.1')
      return openOverHttp1(
        endpoint,
        connectTls({ socket: transportSocket, rejectUnauthorized: false }),
        transportSocket,
      )
    }
    this.#session ??= await this.#connect(https)
    return openOverHttp2(endpoint, this.#session)
  }

  async #connect(origin: string): Promise<ClientHttp2Session> {
    const session = connectHttp2(origin.replace('localhost', '127.0.0.1'), { rejectUnauthorized: false })
    session.on('error', () => {})
    await once(session, 'remoteSettings')
    return session
  }

  close(): void {
    this.#session?.destroy()
  }
}

const leaveBy: readonly ((opened: OpenedSocket) => void)[] = [
  ({ stream }) => stream.end(),
  ({ stream }) => stream.destroy(),
  ({ reset }) => reset(),
]

/** Sends the frame, and then leaves in each of the ways in which a client may. */
async function sendAndLeave(
  open: () => Promise<OpenedSocket>,
  bytes: Buffer,
  leavings = leaveBy,
): Promise<void> {
  await Promise.all(
    leavings.map(async (go) => {
      const opened = await open()
      const { stream } = opened
      stream.resume()
      const gone = new Promise<void>((resolve) => (stream.closed ? resolve() : stream.once('close', resolve)))
      await Promise.race([gone, new Promise<void>((resolve) => stream.write(bytes, () => resolve()))])
      go(opened)
      await gone
    }),
  )
}

/** Collects errors that would end this process, before the test runner ends the test because of them. */
const uncaught: unknown[] = []
const onUncaught = (error: unknown): void => void uncaught.push(error)
/** Over TLS a connection costs more than all the rest, so there each frame is followed by only one way of leaving. */
async function sendAllMalformed(route: SocketRoute, open: () => Promise<OpenedSocket>): Promise<void> {
  for (const [index, [what, bytes]] of malformed.entries()) {
    await sendAndLeave(open, bytes, route === 'TLS' ? [leaveBy[index % leaveBy.length]!] : leaveBy)
    expect(uncaught, what).toEqual([])
  }
  await settle()
  expect(uncaught).toEqual([])
}

export function describeMalformedFrames(routes: readonly SocketRoute[]): void {
  beforeEach(() => {
    uncaught.length = 0
    process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught)
  })
  afterEach(() => {
    process.off('uncaughtException', onUncaught).off('unhandledRejection', onUncaught)
  })

  describe('[A6] malformed frames at an endpoint of the real server', () => {
    let server: RealServer
    let shared: SharedDocument
    let opened: SocketOpener
    beforeAll(async () => {
      server = await RealServer.start()
      shared = await server.createDocument()
      opened = new SocketOpener({ http: server.origin('http'), https: server.origin('https') })
    })
    afterAll(async () => {
      opened.close()
      await server[Symbol.asyncDispose]()
    })

    const foreign = { origin: 'https://evil.example' }
    const unknownToken = 'A'.repeat(22)
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    const endpoints: readonly (readonly [string, () => EndpointRequest])[] = [
    ['links: no credentials', () => ({ path: '/sync/websocket', headers: {} })],
    ['links: a token nobody has', () => ({ path: '/sync/websocket', headers: bearer(unknownToken) })],
    ['links: a foreign origin', () => ({ path: '/sync/websocket', headers: { ...bearer(shared.tokens.editor), ...foreign } })],
    ['links: a cookie without an origin', () => ({ path: '/sync/websocket', headers: { cookie: 'session=a' } })],
    ['links: accepted', () => ({ path: '/sync/websocket', headers: bearer(shared.tokens.editor) })],
    ['stock clients: no credentials', () => ({ path: '/yjs/x', headers: {} })],
    ['stock clients: a token nobody has', () => ({ path: `/yjs/${shared.id}?token=${unknownToken}`, headers: {} })],
    ['stock clients: a foreign origin', () => ({ path: `/yjs/${shared.id}?token=${shared.tokens.editor}`, headers: foreign })],
    ['stock clients: no such document', () => ({ path: `/yjs/nonsense?token=${shared.tokens.editor}`, headers: {} })],
    ['stock clients: accepted', () => ({ path: `/yjs/${shared.id}?token=${shared.tokens.editor}`, headers: {} })],
    ['no endpoint', () => ({ path: '/nowhere', headers: {} })],
  ] // prettier-ignore

    describe.each(routes)('by %s', (route) => {
      test.each(endpoints)('%s', async (_what, endpoint) => {
        await sendAllMalformed(route, () => opened.openSocket(route, endpoint()))
        expect((await fetch(`${server.origin('http')}/healthz`)).status).toBe(200)
      })
    })
  })

  describe('[A6] malformed frames at an endpoint that is closed for everybody', () => {
    let server: GatewayTestServer
    let opened: SocketOpener
    beforeEach(async () => {
      server = await GatewayTestServer.start((parts) => [
        ...createTransportGateways(parts, { offeredTransports: ['poll'] }),
        createStockGateway({ ...parts, rooms: undefined as unknown as Rooms }),
      ])
      opened = new SocketOpener(server)
    })
    afterEach(async () => {
      opened.close()
      await server.close()
    })

    describe.each(routes)('by %s', (route) => {
      test('the transport is not offered', async () => {
        await sendAllMalformed(route, () =>
          opened.openSocket(route, { path: '/sync/websocket', headers: {} }),
        )
      })

      test('the server drains', async () => {
        server.draining = true
        await sendAllMalformed(route, () => opened.openSocket(route, { path: '/yjs/x', headers: {} }))
      })
    })
  })

  describe('[A6] malformed frames at an endpoint over its rate', () => {
    const tooManyRefusal: AccessRefusal = {
      status: 429,
      code: 'too-many',
      message: 'Come again.',
      retryAfterS: 10,
    }
    let server: GatewayTestServer
    let opened: SocketOpener
    beforeEach(async () => {
      server = await GatewayTestServer.start(createTransportGateways, { takeLink: () => tooManyRefusal })
      opened = new SocketOpener(server)
    })
    afterEach(async () => {
      opened.close()
      await server.close()
    })

    test.each(routes)('a page that gets a retry time, by %s', async (route) => {
      const headers = { origin: route === 'TCP' ? server.http : server.https }
      await sendAllMalformed(route, () => opened.openSocket(route, { path: '/sync/websocket', headers }))
    })
  })

  describe('[A6] malformed frames while the server drains', () => {
    let server: GatewayTestServer
    let opened: SocketOpener
    beforeEach(async () => {
      server = await GatewayTestServer.start()
      server.draining = true
      opened = new SocketOpener(server)
    })
    afterEach(async () => {
      opened.close()
      await server.close()
    })

    test.each(routes)('at the endpoint of links, by %s', async (route) => {
      await sendAllMalformed(route, () => opened.openSocket(route, { path: '/sync/websocket', headers: {} }))
    })
  })

  describe('a server of its own', () => {
    test.each(routes)(
      '[A6] lives when a stranger sends 81 00 to the stock endpoint, by %s',
      async (route) => {
        await using folder = await temporaryFolder()
        await using program: ServerProgram = startServerProgram({ DATA_DIR: folder.path })
        const origins = await waitUntilReady(program)
        const opened = new SocketOpener(origins)
        await sendAndLeave(
          () => opened.openSocket(route, { path: '/yjs/x', headers: {} }),
          Buffer.of(0x81, 0),
        )
        await createSharedDocument(origins.http)
        opened.close()
        expect(program.process.exitCode).toBe(null)
      },
    )
  })
}
