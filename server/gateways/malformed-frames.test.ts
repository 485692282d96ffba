/**
 * Every malformed frame of RFC 6455 on every WebSocket door, by every way there is to it, after every refusal and after
 * acceptance. The server is this process: what it does not survive is heard here.
 */
import { once } from 'node:events'
import type { ClientHttp2Session } from 'node:http2'
import { connect as connectHttp2, constants } from 'node:http2'
import { connect as connectTcp, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAX_FRAME_BYTES, MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import type { Refusal } from '../access/access.ts'
import { type Program, ready, startProgram } from '../fixtures/program.ts'
import { makeDocument, RealServer, type SharedDocument } from '../fixtures/real-server.ts'
import { temporaryFolder } from '../fixtures/running.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { linkLimit } from './link-limit.ts'
import { opensLink, transportGateways } from './registry.ts'
import { TestServer } from './test-server.ts'
import { yWebsocketGateway } from './y-websocket.ts'

// Frames

interface Shape {
  readonly first: number
  readonly payload?: Uint8Array
  readonly masked?: boolean
  /** As it is written; by itself the payload's. */
  readonly length?: bigint
}

/** A client's frame, with an empty mask. */
function frame({ first, payload = new Uint8Array(), masked = true, length }: Shape): Buffer {
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
const close = (code: number, text: Uint8Array | string = ''): Buffer =>
  frame({
    first: FINAL | CLOSE,
    payload: Buffer.concat([Buffer.of(code >> 8, code & 0xff), Buffer.from(text)]),
  })

const malformed: readonly (readonly [string, Buffer])[] = [
  ['an unmasked text frame', Buffer.of(0x81, 0)],
  ['an unmasked binary frame', frame({ first: FINAL | BINARY, payload: Uint8Array.of(1), masked: false })],
  ['an unmasked close', frame({ first: FINAL | CLOSE, masked: false })],
  ['an unmasked ping', frame({ first: FINAL | PING, masked: false })],
  ...[0x40, 0x20, 0x10].map(
    (bit) => [`reserved bit ${bit}`, frame({ first: FINAL | bit | BINARY })] as const,
  ),
  ...[CONTINUATION, CLOSE, PING, PONG].map(
    (opcode) => [`the bit of deflate on opcode ${opcode}`, frame({ first: FINAL | 0x40 | opcode })] as const,
  ),
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map(
    (opcode) => [`reserved opcode ${opcode}`, frame({ first: FINAL | opcode })] as const,
  ),
  ...[CLOSE, PING, PONG].map((opcode) => [`a fragment of opcode ${opcode}`, frame({ first: opcode })] as const),
  ...[CLOSE, PING, PONG].map(
    (opcode) =>
      [`opcode ${opcode} with 126 bytes`, frame({ first: FINAL | opcode, length: 126n, payload: new Uint8Array(126) })] as const,
  ),
  ['a close of one byte', frame({ first: FINAL | CLOSE, payload: Uint8Array.of(3) })],
  ...[0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535].map(
    (code) => [`a close with code ${code}`, close(code)] as const,
  ),
  ['a close whose reason is no UTF-8', close(1000, badUtf8)],
  ['a continuation of nothing', frame({ first: FINAL | CONTINUATION, payload: Uint8Array.of(1) })],
  ['a message within a message', Buffer.concat([frame({ first: BINARY }), frame({ first: FINAL | BINARY })])],
  ['a text that is no UTF-8', frame({ first: FINAL | TEXT, payload: badUtf8 })],
  ['a text cut within a letter', Buffer.concat([frame({ first: TEXT, payload: badUtf8 }), frame({ first: FINAL })])],
  ['a text', frame({ first: FINAL | TEXT, payload: Buffer.from('{}') })],
  ['an empty binary frame', frame({ first: FINAL | BINARY })],
  ['random bytes', frame({ first: FINAL | BINARY, payload: Buffer.from('not a message of anybody') })],
  ['a length with the top bit', frame({ first: FINAL | BINARY, length: 1n << 63n })],
  ['a length of all bits', frame({ first: FINAL | BINARY, length: (1n << 64n) - 1n })],
  ['a length of 2⁵³', frame({ first: FINAL | BINARY, length: 1n << 53n })],
  ['a frame over the limit of a frame', frame({ first: FINAL | BINARY, length: BigInt(MAX_FRAME_BYTES) + 1n })],
  ['a frame over the limit of a message', frame({ first: FINAL | BINARY, length: BigInt(MAX_MESSAGE_BYTES) + 1n })],
  ['20,000 fragments of nothing', Buffer.concat(Array.from({ length: 20_000 }, () => frame({ first: CONTINUATION })).with(0, frame({ first: BINARY })))],
  ['two closes, and more behind them', Buffer.concat([close(1000), close(1000), Buffer.of(0x81, 0)])],
  ['half a head', Buffer.of(0x82)],
  ['half a length', Buffer.of(0x82, 0xff, 0, 0)],
  ['half a mask', Buffer.of(0x82, 0x81, 0)],
  ['half a payload', frame({ first: FINAL | BINARY, length: 100n, payload: Uint8Array.of(1) })],
] // prettier-ignore

// Ways in

interface Door {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** A connection to a door that has answered, whatever it said. */
interface Opened {
  readonly stream: Duplex
  /** Not an end: what a network does, or a client that is killed. */
  reset(): void
}

/** @param wire What carries the socket, where that is not the socket itself. */
async function overHttp1({ path, headers }: Door, socket: Socket, wire = socket): Promise<Opened> {
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  for (const one of new Set([socket, wire])) one.on('error', () => {})
  const answered = new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await answered
  return { stream: socket, reset: () => void wire.resetAndDestroy() }
}

async function overHttp2({ path, headers }: Door, session: ClientHttp2Session): Promise<Opened> {
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

const ways = ['TCP', 'TLS', 'extended CONNECT'] as const
type Way = (typeof ways)[number]

interface Origins {
  readonly http: string
  readonly https: string
}

const portOf = (origin: string): number => Number(new URL(origin).port)

class Ways {
  readonly #origins: Origins
  #session: ClientHttp2Session | undefined

  constructor(origins: Origins) {
    this.#origins = origins
  }

  async open(way: Way, door: Door): Promise<Opened> {
    const { http, https } = this.#origins
    if (way === 'TCP') return overHttp1(door, connectTcp(portOf(http), '127.0.0.1'))
    if (way === 'TLS') {
      const wire = connectTcp(portOf(https), '127.0.0.1')
      return overHttp1(door, connectTls({ socket: wire, rejectUnauthorized: false }), wire)
    }
    this.#session ??= await this.#connect(https)
    return overHttp2(door, this.#session)
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

const leave: readonly ((opened: Opened) => void)[] = [
  ({ stream }) => stream.end(),
  ({ stream }) => stream.destroy(),
  ({ reset }) => reset(),
]

/** Says it, and then leaves in these of the ways in which a client may. */
async function attack(open: () => Promise<Opened>, bytes: Buffer, goings = leave): Promise<void> {
  await Promise.all(
    goings.map(async (go) => {
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

/** What this process does not survive, heard before the runner ends the test by it. */
const uncaught: unknown[] = []
const onUncaught = (error: unknown): void => void uncaught.push(error)
beforeEach(() => {
  uncaught.length = 0
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught)
})
afterEach(() => {
  process.off('uncaughtException', onUncaught).off('unhandledRejection', onUncaught)
})

/** Over TLS a connection costs more than all the rest, so there each frame is followed by one way of leaving alone. */
async function attackAll(way: Way, open: () => Promise<Opened>): Promise<void> {
  for (const [index, [what, bytes]] of malformed.entries()) {
    await attack(open, bytes, way === 'TLS' ? [leave[index % leave.length]!] : leave)
    expect(uncaught, what).toEqual([])
  }
  await new Promise((resolve) => setImmediate(resolve))
  expect(uncaught).toEqual([])
}

describe('[A6] malformed frames at a door of the real server', () => {
  let server: RealServer
  let shared: SharedDocument
  let opened: Ways
  beforeAll(async () => {
    server = await RealServer.start()
    shared = await server.newDocument()
    opened = new Ways({ http: server.origin('http'), https: server.origin('https') })
  })
  afterAll(async () => {
    opened.close()
    await server[Symbol.asyncDispose]()
  })

  const foreign = { origin: 'https://evil.example' }
  const nobody = 'A'.repeat(22)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const doors: readonly (readonly [string, () => Door])[] = [
    ['links: no credentials', () => ({ path: '/sync/websocket', headers: {} })],
    ['links: a token nobody has', () => ({ path: '/sync/websocket', headers: bearer(nobody) })],
    ['links: a foreign origin', () => ({ path: '/sync/websocket', headers: { ...bearer(shared.tokens.editor), ...foreign } })],
    ['links: a cookie without an origin', () => ({ path: '/sync/websocket', headers: { cookie: 'session=a' } })],
    ['links: accepted', () => ({ path: '/sync/websocket', headers: bearer(shared.tokens.editor) })],
    ['stock clients: no credentials', () => ({ path: '/yjs/x', headers: {} })],
    ['stock clients: a token nobody has', () => ({ path: `/yjs/${shared.id}?token=${nobody}`, headers: {} })],
    ['stock clients: a foreign origin', () => ({ path: `/yjs/${shared.id}?token=${shared.tokens.editor}`, headers: foreign })],
    ['stock clients: no such document', () => ({ path: `/yjs/nonsense?token=${shared.tokens.editor}`, headers: {} })],
    ['stock clients: accepted', () => ({ path: `/yjs/${shared.id}?token=${shared.tokens.editor}`, headers: {} })],
    ['no door', () => ({ path: '/nowhere', headers: {} })],
  ] // prettier-ignore

  describe.each(ways)('by %s', (way) => {
    test.each(doors)('%s', async (_what, door) => {
      await attackAll(way, () => opened.open(way, door()))
      expect((await fetch(`${server.origin('http')}/healthz`)).status).toBe(200)
    })
  })
})

describe('[A6] malformed frames at a door that is closed for everybody', () => {
  let server: TestServer
  let opened: Ways
  beforeEach(async () => {
    server = await TestServer.start((parts) => [
      ...transportGateways(parts, { offers: ['poll'] }),
      yWebsocketGateway({ ...parts, rooms: undefined as unknown as Rooms, log: pino({ level: 'silent' }) }),
    ])
    opened = new Ways(server)
  })
  afterEach(async () => {
    opened.close()
    await server.close()
  })

  describe.each(ways)('by %s', (way) => {
    test('it is not offered', async () => {
      await attackAll(way, () => opened.open(way, { path: '/sync/websocket', headers: {} }))
    })

    test('the server drains', async () => {
      server.draining = true
      await attackAll(way, () => opened.open(way, { path: '/yjs/x', headers: {} }))
    })
  })
})

describe('[A6] malformed frames at a door that was asked too often', () => {
  const tooMany: Refusal = { status: 429, code: 'too-many', message: 'Come again.', retryAfterS: 10 }
  let server: TestServer
  let opened: Ways
  beforeEach(async () => {
    server = await TestServer.start((parts) => [
      linkLimit({ link: () => tooMany }, opensLink),
      ...transportGateways(parts),
    ])
    opened = new Ways(server)
  })
  afterEach(async () => {
    opened.close()
    await server.close()
  })

  test.each(ways)('a page that is told when to come again, by %s', async (way) => {
    const headers = { origin: way === 'TCP' ? server.http : server.https }
    await attackAll(way, () => opened.open(way, { path: '/sync/websocket', headers }))
  })
})

describe('[A6] malformed frames while the server drains', () => {
  let server: TestServer
  let opened: Ways
  beforeEach(async () => {
    server = await TestServer.start()
    server.draining = true
    opened = new Ways(server)
  })
  afterEach(async () => {
    opened.close()
    await server.close()
  })

  test.each(ways)('at the door of links, by %s', async (way) => {
    await attackAll(way, () => opened.open(way, { path: '/sync/websocket', headers: {} }))
  })
})

describe('a server of its own', () => {
  test.each(ways)('[A6] lives when a stranger says 81 00 at the stock door, by %s', async (way) => {
    await using folder = await temporaryFolder()
    await using program: Program = startProgram({ DATA_DIR: folder.path })
    const origins = await ready(program)
    const opened = new Ways(origins)
    await attack(() => opened.open(way, { path: '/yjs/x', headers: {} }), Buffer.of(0x81, 0))
    await makeDocument(origins.http)
    opened.close()
    expect(program.process.exitCode).toBe(null)
  })
})
