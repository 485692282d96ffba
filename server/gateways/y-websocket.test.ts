/** The door for stock Yjs clients, with the very package, beside our own client on each transport of the real server. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import type { OpenDocument } from '../../lib/client.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { createEncoder, toBytes, writeBytes, writeNumber } from '../../lib/protocol/wire.ts'
import { clients } from '../fixtures/clients.ts'
import { forgedStruct, GC } from '../fixtures/forged.ts'
import { embedOf, nested } from '../rooms/fixtures/update-writer.ts'
import { RealServer, type Scheme, type SharedDocument, until, ways } from '../fixtures/real-server.ts'

let server: RealServer
let shared: SharedDocument
const open: { destroy(): void }[] = []

beforeAll(async () => {
  server = await RealServer.start()
})
afterEach(() => {
  for (const one of open.splice(0)) one.destroy()
  vi.useRealTimers()
})
afterAll(() => server[Symbol.asyncDispose]())

/** The tests' certificate is nobody's. */
class TrustingWebSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols, { rejectUnauthorized: false })
  }
}

interface StockOptions {
  readonly scheme?: Scheme
  readonly at?: RealServer
  readonly token?: string | null
  readonly doc?: Y.Doc
  readonly protocols?: string[]
}

function stock(
  document: string,
  {
    scheme = 'https',
    at = server,
    token = shared.tokens.editor,
    doc = new Y.Doc(),
    protocols = [],
  }: StockOptions = {},
) {
  const provider = new WebsocketProvider(`${at.origin(scheme).replace('http', 'ws')}/yjs`, document, doc, {
    params: token === null ? {} : { token },
    protocols,
    WebSocketPolyfill: TrustingWebSocket as unknown as typeof globalThis.WebSocket,
    disableBc: true,
  })
  open.push(provider)
  return provider
}

const synced = (provider: WebsocketProvider): Promise<void> => until(() => provider.synced)
const textOf = (doc: Y.Doc): Y.Text => doc.getText('trace')
const textsAgree = (...docs: Y.Doc[]): Promise<void> =>
  until(() => new Set(docs.map((doc) => textOf(doc).toJSON())).size === 1)

describe.each(ways)('a stock client beside ours by $transport over $scheme', (way) => {
  test('text and presence go both ways', async () => {
    shared = await server.newDocument()
    const ours = server.open(shared, way)
    await ours.whenSynced
    textOf(ours.doc).insert(0, 'ours ')
    const provider = stock(shared.id, { scheme: way.scheme })
    await synced(provider)
    expect(textOf(provider.doc).toJSON()).toBe('ours ')
    textOf(provider.doc).insert(5, 'theirs ')
    await until(() => textOf(ours.doc).toJSON() === 'ours theirs ')
    textOf(ours.doc).delete(0, 5)
    await until(() => textOf(provider.doc).toJSON() === 'theirs ')

    const nameOf = (by: Pick<OpenDocument, 'awareness'>, { clientID }: Y.Doc): unknown =>
      (by.awareness.getStates().get(clientID) as { user?: { name?: unknown } } | undefined)?.user?.name
    provider.awareness.setLocalState({ user: { name: 'Stock' } })
    ours.awareness.setLocalState({ user: { name: 'Ours' } })
    await until(() => nameOf(ours, provider.doc) === 'Stock')
    await until(() => nameOf(provider, ours.doc) === 'Ours')
    provider.destroy()
    await until(() => !ours.awareness.getStates().has(provider.doc.clientID))
    await ours.close()
  })
})

describe('[A3] who a stock client is', () => {
  const address = (scheme: Scheme, query = '') =>
    `${server.origin(scheme).replace('http', 'ws')}/yjs/${shared.id}${query}`

  /** The subprotocol that was picked, and the code that ended it, if any did. */
  async function knock(url: string, protocols: string[] = [], headers: Record<string, string> = {}) {
    const socket = new WebSocket(url, protocols, { rejectUnauthorized: false, headers })
    open.push({ destroy: () => socket.terminate() })
    const ended = new Promise<number>((resolve) => socket.once('close', resolve).once('error', () => {}))
    const answered = new Promise<'answered'>((resolve) => socket.once('message', () => resolve('answered')))
    socket.once('open', () => socket.send(Uint8Array.of(0, 0, 1, 0)))
    return { outcome: await Promise.race([answered, ended]), protocol: socket.protocol }
  }

  const ticketFor = async (id: string, token = shared.tokens.editor): Promise<string> => {
    const headers = { authorization: `Bearer ${token}` }
    const origins = { http: server.origin('http'), https: server.origin('https') }
    const { status, body } = await clients.h2(origins, `/yjs/${id}/ticket`, { method: 'POST', headers })
    expect(status).toBe(201)
    return (JSON.parse(String(body)) as { ticket: string }).ticket
  }

  beforeAll(async () => {
    shared = await server.newDocument()
  })

  test.each(['http', 'https'] as const)('a token as a subprotocol over %s', async (scheme) => {
    const carrier = `diptych.token.${shared.tokens.editor}`
    expect(await knock(address(scheme), [carrier])).toEqual({ outcome: 'answered', protocol: carrier })
    expect(await knock(address(scheme), ['diptych.yjs', carrier])).toEqual({
      outcome: 'answered',
      protocol: 'diptych.yjs',
    })
    expect(await knock(address(scheme), ['diptych.token.nope'])).toMatchObject({ outcome: 4401 })
  })

  test('the package itself brings it so, and comes again with it', async () => {
    const provider = stock(shared.id, { token: null, protocols: [`diptych.token.${shared.tokens.editor}`] })
    await synced(provider)
    provider.ws?.close()
    await until(() => !provider.synced)
    await synced(provider)
  })

  test('a ticket is good once, and for its document', async () => {
    const ticket = await ticketFor(shared.id)
    expect(await knock(address('https', `?ticket=${ticket}`))).toMatchObject({ outcome: 'answered' })
    expect(await knock(address('https', `?ticket=${ticket}`))).toMatchObject({ outcome: 4401 })
    const other = await server.newDocument()
    const elsewhere = await ticketFor(other.id)
    expect(await knock(address('https', `?ticket=${elsewhere}`))).toMatchObject({ outcome: 4401 })
  })

  test('[A1] a page elsewhere cannot use one', async () => {
    const url = address('https', `?ticket=${await ticketFor(shared.id)}`)
    expect(await knock(url, [], { origin: 'https://evil.example' })).toMatchObject({ outcome: 1006 })
  })
})

describe('reading alone', () => {
  test('[A4] a viewer’s token reads, and its first write ends its connection for good', async () => {
    shared = await server.newDocument()
    const writer = stock(shared.id)
    await synced(writer)
    textOf(writer.doc).insert(0, 'read me')
    const reader = stock(shared.id, { token: shared.tokens.viewer })
    await synced(reader)
    await textsAgree(reader.doc, writer.doc)
    textOf(writer.doc).insert(7, ' twice')
    await textsAgree(reader.doc, writer.doc)

    const before = server.storedBytes(shared.id)
    const closed = whenClosed(reader)
    textOf(reader.doc).insert(0, 'scribble')
    expect(await closed).toMatchObject({ code: 4403, reason: expect.stringContaining('only view') })
    expect([reader.shouldConnect, server.storedBytes(shared.id)]).toEqual([false, before])
    expect(textOf(writer.doc).toJSON()).toBe('read me twice')
  })

  test('a viewer that comes with deletions of others is no writer', async () => {
    shared = await server.newDocument()
    const writer = stock(shared.id)
    await synced(writer)
    textOf(writer.doc).insert(0, 'abc')
    textOf(writer.doc).delete(1, 1)
    const doc = new Y.Doc()
    const reader = stock(shared.id, { token: shared.tokens.viewer, doc })
    await textsAgree(doc, writer.doc)
    reader.disconnect()
    reader.connect()
    await synced(reader)
    textOf(writer.doc).insert(0, '!')
    await textsAgree(doc, writer.doc)
  })
})

test('[A5] structs under somebody else’s client id end the connection for good, and nothing is stored', async () => {
  shared = await server.newDocument()
  const [alice, mallory] = [stock(shared.id), stock(shared.id, { token: shared.tokens.other })]
  await Promise.all([synced(alice), synced(mallory)])
  textOf(alice.doc).insert(0, 'hello')
  await textsAgree(alice.doc, mallory.doc)
  const before = server.storedBytes(shared.id)
  const closed = whenClosed(mallory)
  Y.applyUpdate(mallory.doc, forgedStruct(alice.doc.clientID, 5, GC, 100_000))
  expect(await closed).toMatchObject({ code: 4409, reason: expect.stringContaining('somebody else') })
  expect([mallory.shouldConnect, server.storedBytes(shared.id)]).toEqual([false, before])
  const reader = stock(shared.id, { token: shared.tokens.viewer })
  textOf(alice.doc).insert(5, ' world, typed later')
  await until(() => textOf(reader.doc).toJSON() === 'hello world, typed later')
})

test('[A5] a stock client’s id is its own once its presence has shown it', async () => {
  shared = await server.newDocument()
  const [alice, mallory] = [stock(shared.id), stock(shared.id, { token: shared.tokens.other })]
  await Promise.all([synced(alice), synced(mallory)])
  const { clientID } = alice.doc
  await until(() => mallory.awareness.getStates().has(clientID))
  const closed = whenClosed(mallory)
  Y.applyUpdate(mallory.doc, forgedStruct(clientID, 0, GC, 1))
  expect(await closed).toMatchObject({ code: 4409 })
  textOf(alice.doc).insert(0, 'mine')
  const reader = stock(shared.id, { token: shared.tokens.viewer })
  await until(() => textOf(reader.doc).toJSON() === 'mine')
})

describe('coming back', () => {
  test('after a restart, with what was typed meanwhile and what is typed at that very moment', async () => {
    shared = await server.newDocument()
    const provider = stock(shared.id)
    const ours = server.open(shared, { transport: 'websocket', scheme: 'https' })
    await Promise.all([synced(provider), ours.whenSynced])
    textOf(provider.doc).insert(0, 'a')
    await textsAgree(ours.doc, provider.doc)
    await server.stop()
    await until(() => !provider.wsconnected)
    textOf(provider.doc).insert(1, 'b')
    // Between its step 1 and the server's: it builds on what the server has not heard yet.
    provider.on('status', ({ status }) => {
      if (status === 'connected') queueMicrotask(() => textOf(provider.doc).insert(2, 'c'))
    })
    await server.start()
    await synced(provider)
    await until(() => textOf(ours.doc).toJSON() === 'abc')
    textOf(provider.doc).insert(3, 'd')
    await until(() => textOf(ours.doc).toJSON() === 'abcd')
    await ours.close()
  })

  test('a document larger than what may wait for a slow reader', async () => {
    shared = await server.newDocument()
    const ours = server.open(shared, { transport: 'websocket', scheme: 'http' })
    await ours.whenSynced
    for (let count = 0; count < 10; count++) textOf(ours.doc).insert(0, 'x'.repeat(1_000_000))
    await ours.whenSaved()
    const provider = stock(shared.id)
    await synced(provider)
    expect(textOf(provider.doc).length).toBe(10_000_000)
    await ours.close()
  })
})

describe('who says nothing', () => {
  test('hears something at least every 30 s, for that is when the package gives a connection up', async () => {
    shared = await server.newDocument()
    // The package counts by these, and so does the door.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const provider = stock(shared.id)
    provider.awareness.setLocalState(null)
    await synced(provider)
    const connection = provider.ws
    let heard = 0
    connection?.addEventListener('message', () => void (heard += 1))
    for (let seconds = 0; seconds < 120; seconds += 15) {
      const [beat, answer] = [heard + 1, heard + 2]
      vi.advanceTimersByTime(15_000)
      await until(() => heard === beat)
      connection?.send(Uint8Array.of(3)) // its pong comes before the answer to this
      await until(() => heard === answer)
    }
    expect(provider.ws === connection).toBe(true)
  })

  test('one that comes within HTTP/2, as a browser’s does, is answered', async () => {
    shared = await server.newDocument()
    const net = createNet({ insecure: true, webSocketOverHttp2: true })
    const socket = net.webSocket(urlOf(`${shared.id}?token=${shared.tokens.editor}`), {}, [])
    const heard = Promise.withResolvers<Uint8Array>()
    socket.onmessage = ({ data }: { data: ArrayBuffer }) => heard.resolve(new Uint8Array(data))
    socket.onopen = () => socket.send(Uint8Array.of(0, 0, 1, 0))
    expect([...(await heard.promise).subarray(0, 2)]).toEqual([0, 1])
    net.dispose()
  })

  test('one that does not answer a ping is cut', async () => {
    shared = await server.newDocument()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const socket = await rawStock()
    socket.pause()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    vi.advanceTimersByTime(15_000)
    vi.advanceTimersByTime(15_000)
    socket.resume()
    expect(await closed).toBe(1006)
  })
})

const whenClosed = (provider: WebsocketProvider) =>
  new Promise<{ code: number; reason: string }>((resolve) => provider.once('closed', resolve))

const urlOf = (path: string, at = server): string => `${at.origin('https').replace('http', 'ws')}/yjs/${path}`

/** One that says whatever a test wants. */
async function rawStock(
  headers: Record<string, string> = {},
  { id, tokens }: SharedDocument = shared,
  at = server,
): Promise<WebSocket> {
  const socket = new WebSocket(urlOf(`${id}?token=${tokens.editor}`, at), {
    rejectUnauthorized: false,
    headers,
  })
  open.push({ destroy: () => socket.terminate() })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return socket
}

const message = (...numbers: number[]): Uint8Array => Uint8Array.from(numbers)
const syncMessage = (step: number, bytes: Uint8Array): Uint8Array => {
  const encoder = createEncoder()
  for (const number of [0, step]) writeNumber(encoder, number)
  writeBytes(encoder, bytes)
  return toBytes(encoder)
}
const update = (bytes: Uint8Array): Uint8Array => syncMessage(2, bytes)
const stepOne = message(0, 0, 1, 0)
const stepTwo = message(0, 1, 2, 0, 0)

describe('what is said before step 1 is answered', () => {
  /** What was typed at first, and what was typed on top of it. */
  const typed = (): { whole: Uint8Array; first: Uint8Array; second: Uint8Array } => {
    const doc = new Y.Doc()
    textOf(doc).insert(0, 'ab')
    const [first, before] = [Y.encodeStateAsUpdate(doc), Y.encodeStateVector(doc)]
    textOf(doc).insert(2, 'c')
    return { whole: Y.encodeStateAsUpdate(doc), first, second: Y.encodeStateAsUpdate(doc, before) }
  }

  const heardBy = async (say: (socket: WebSocket) => void | Promise<void>): Promise<void> => {
    shared = await server.newDocument()
    const neighbour = stock(shared.id)
    await synced(neighbour)
    await say(await rawStock())
    await until(() => textOf(neighbour.doc).toJSON() === 'abc')
  }

  test('it is kept, and taken behind the answer that it builds on', () =>
    heardBy((socket) => {
      const { first, second } = typed()
      for (const one of [stepOne, update(second), syncMessage(1, first)]) socket.send(one)
    }))

  test('after a while it is taken by itself: where no answer comes, and where step 1 does not even come', async () => {
    await using hasty = await RealServer.start({ stockAnswerMs: 50 })
    const come = async () => {
      const document = await hasty.newDocument()
      const neighbour = stock(document.id, { at: hasty, token: document.tokens.editor })
      await synced(neighbour)
      const socket = await rawStock({}, document, hasty)
      const isTold = (text: string) => until(() => textOf(neighbour.doc).toJSON() === text)
      return { socket, isTold, text: () => textOf(neighbour.doc).toJSON() }
    }
    const { whole, first, second } = typed()
    const unanswered = async (): Promise<void> => {
      const { socket, isTold } = await come()
      for (const one of [stepOne, update(first), update(second)]) socket.send(one)
      await isTold('abc')
      expect(socket.readyState).toBe(WebSocket.OPEN)
    }
    const unasked = async (): Promise<void> => {
      const { socket, isTold } = await come()
      socket.send(update(whole))
      await isTold('abc')
    }
    /** What builds on an answer that is late waits for it. */
    const late = async (): Promise<void> => {
      const { socket, isTold, text } = await come()
      const other = new Y.Doc()
      textOf(other).insert(0, '.')
      for (const one of [stepOne, update(second), update(Y.encodeStateAsUpdate(other))]) socket.send(one)
      await isTold('.')
      socket.send(syncMessage(1, first))
      await until(() => text().replace('.', '') === 'abc')
      expect(socket.readyState).toBe(WebSocket.OPEN)
    }
    await Promise.all([unanswered(), unasked(), late()])
    for (const one of open.splice(0)) one.destroy()
  })

  test('it is taken where its writer leaves without an answer', () =>
    heardBy(async (socket) => {
      const told = new Promise((resolve) => socket.once('message', resolve))
      for (const one of [stepOne, update(typed().whole)]) socket.send(one)
      await told
      socket.close()
    }))

  test('presence is kept, too', async () => {
    shared = await server.newDocument()
    const neighbour = stock(shared.id)
    await synced(neighbour)
    const socket = await rawStock()
    const awareness = new Awareness(new Y.Doc())
    awareness.setLocalState({ name: 'Early' })
    const id = awareness.clientID
    const encoder = createEncoder()
    writeNumber(encoder, 1)
    writeBytes(encoder, encodeAwarenessUpdate(awareness, [id]))
    for (const one of [toBytes(encoder), stepOne]) socket.send(one)
    await until(() => neighbour.awareness.getStates().has(id))
    awareness.destroy()
  })
})

describe('[A6] what is refused so that the package stops', () => {
  test.each([
    ['no token', () => stock(shared.id, { token: null }), 4401],
    ['a token nobody has', () => stock(shared.id, { token: 'A'.repeat(22) }), 4401],
    ['a document the token does not open', () => stock('AAAAAAAAAAAAAAAAAAAAAA'), 4403],
    ['a document id that is not one', () => stock('nonsense'), 4400],
  ])('%s', async (_what, come, code) => {
    shared = await server.newDocument()
    const provider = come()
    const closed = await whenClosed(provider)
    expect(closed).toMatchObject({ code, reason: expect.stringMatching(/./) })
    expect(provider.shouldConnect).toBe(false)
  })

  const orphan = (): Uint8Array => {
    const doc = new Y.Doc()
    textOf(doc).insert(0, 'never sent')
    const before = Y.encodeStateVector(doc)
    textOf(doc).insert(0, 'sent')
    return Y.encodeStateAsUpdate(doc, before)
  }

  const sixteenNested = (): Uint8Array[] =>
    Array.from({ length: 16 }, (_, index) => embedOf(nested(9_000), 1_000 + index))

  test.each<[string, Uint8Array[], number]>([
    ['an empty message', [new Uint8Array()], 4400],
    ['a message of no known kind', [message(77)], 4400],
    ['a sync step of no known kind', [message(0, 9, 0)], 4400],
    ['a length beyond the message', [message(0, 0, 0xff, 0x7f, 0)], 4400],
    ['a state vector that is none', [message(0, 0, 2, 9, 9)], 4400],
    ['presence of random bytes', [stepOne, message(1, 3, 200, 200, 200)], 4400],
    ['an update of random bytes', [stepOne, stepTwo, update(Uint8Array.of(1, 2, 3, 4))], 4422],
    ['a V2 update', [stepOne, stepTwo, update(Y.encodeStateAsUpdateV2(new Y.Doc()))], 4422],
    ['embeds of 9,000 nested brackets', [stepOne, stepTwo, ...sixteenNested().map(update)], 4422],
    // Not this one: it comes again, and the exchange of state vectors brings what was missing.
    ['an update on text nobody has', [stepOne, stepTwo, update(orphan())], 1013],
  ])('%s', async (_what, messages, code) => {
    shared = await server.newDocument()
    const neighbour = stock(shared.id)
    await synced(neighbour)
    textOf(neighbour.doc).insert(0, 'before')
    const written = Buffer.from('before').toString('hex').toUpperCase()
    await until(() => server.storedBytes(shared.id).includes(written))
    const before = server.storedBytes(shared.id)
    const socket = await rawStock()
    const closed = new Promise<[number, string]>((resolve) =>
      socket.once('close', (number, reason) => resolve([number, reason.toString()])),
    )
    for (const one of messages) socket.send(one)
    expect(await closed).toEqual([code, expect.stringMatching(/./)])
    expect(server.storedBytes(shared.id)).toBe(before)
    textOf(neighbour.doc).insert(0, 'and after, ')
    await until(() => server.storedBytes(shared.id) !== before)
    expect(neighbour.wsconnected).toBe(true)
  })

  test('[A1] a page of another origin does not even get a connection', async () => {
    shared = await server.newDocument()
    const coming = rawStock({ origin: 'https://evil.example' })
    await expect(coming).rejects.toThrow('403')
  })

  test('while the server drains, it is told to come again', async () => {
    shared = await server.newDocument()
    const socket = await rawStock()
    socket.send(stepOne)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await server.stop()
    expect(await closed).toBe(1013)
    await server.start()
  })
})
