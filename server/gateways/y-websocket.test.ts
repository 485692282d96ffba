/** The stock gateway with the real package, beside our own client on each transport of the real server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { OpenDocument } from '../../lib/client.ts'
import { createEncoder, toBytes, writeBytes, writeNumber } from '../../lib/protocol/wire.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { forgeStruct, GC } from '../fixtures/forged-struct.ts'
import { httpClients } from '../fixtures/http-clients.ts'
import { stateVectorOf } from '../fixtures/long-state-vector.ts'
import { mainRoutes, RealServer } from '../fixtures/real-server.ts'
import { embedUpdateOf, nestedArrays } from '../rooms/fixtures/update-writer.ts'
import { StockClients, textOf, waitForClose, waitForSameText, waitForSync } from './fixtures/stock-clients.ts'
import { stepOneMessage, stepTwoMessage, syncStepMessage, updateMessage } from './fixtures/stock-frames.ts'
import { QUERY_AWARENESS } from './y-protocol-numbers.ts'
import { triesAll } from '../../lib/fixtures/runs.ts'

const nameSeenBy = (by: Pick<OpenDocument, 'awareness'>, client: number): unknown =>
  (by.awareness.getStates().get(client) as { user?: { name?: unknown } } | undefined)?.user?.name

let server: RealServer
let clients: StockClients

beforeAll(async () => {
  server = await RealServer.start()
})
beforeEach(async () => {
  clients = await StockClients.open(server)
})
afterEach(() => {
  clients[Symbol.dispose]()
  vi.useRealTimers()
})
afterAll(() => server[Symbol.asyncDispose]())

describe.each(mainRoutes)('a stock client beside ours by $transport over $scheme', (way) => {
  test('text and presence go both ways', async () => {
    const ownWindow = server.openDocument(clients.shared, way)
    await ownWindow.whenSynced
    textOf(ownWindow.doc).insert(0, 'ours ')
    const provider = clients.openProvider({ scheme: way.scheme })
    await waitForSync(provider)
    expect(textOf(provider.doc).toJSON()).toBe('ours ')
    textOf(provider.doc).insert(5, 'theirs ')
    await waitUntil(() => textOf(ownWindow.doc).toJSON() === 'ours theirs ')
    textOf(ownWindow.doc).delete(0, 5)
    await waitUntil(() => textOf(provider.doc).toJSON() === 'theirs ')

    provider.awareness.setLocalState({ user: { name: 'Stock' } })
    ownWindow.awareness.setLocalState({ user: { name: 'Ours' } })
    await waitUntil(() => nameSeenBy(ownWindow, provider.doc.clientID) === 'Stock')
    await waitUntil(() => nameSeenBy(provider, ownWindow.doc.clientID) === 'Ours')
    provider.destroy()
    await waitUntil(() => !ownWindow.awareness.getStates().has(provider.doc.clientID))
    await ownWindow.close()
  })
})

describe('[A3] the credentials of a stock client', () => {
  /** Returns the subprotocol that was picked, and the code of the close, unless it was answered. */
  async function tryToOpen(options: Parameters<StockClients['createSocket']>[0]) {
    const socket = clients.createSocket(options)
    const ended = new Promise<number>((resolve) => socket.once('close', resolve).once('error', () => {}))
    const answered = new Promise<'answered'>((resolve) => socket.once('message', () => resolve('answered')))
    socket.once('open', () => socket.send(stepOneMessage))
    return { outcome: await Promise.race([answered, ended]), protocol: socket.protocol }
  }

  const ticketFor = async (id: string, token = clients.shared.tokens.editor): Promise<string> => {
    const headers = { authorization: `Bearer ${token}` }
    const origins = { http: server.origin('http'), https: server.origin('https') }
    const { status, body } = await httpClients.h2(origins, `/yjs/${id}/ticket`, { method: 'POST', headers })
    expect(status).toBe(201)
    return (JSON.parse(String(body)) as { ticket: string }).ticket
  }

  test.each(['http', 'https'] as const)('a token as a subprotocol over %s', async (scheme) => {
    const tokenProtocol = `diptych.token.${clients.shared.tokens.editor}`
    const tryProtocols = (...protocols: string[]) => tryToOpen({ scheme, query: '', protocols })
    expect(await tryProtocols(tokenProtocol)).toEqual({ outcome: 'answered', protocol: tokenProtocol })
    expect(await tryProtocols('diptych.yjs', tokenProtocol)).toEqual({
      outcome: 'answered',
      protocol: 'diptych.yjs',
    })
    expect(await tryProtocols('diptych.token.nope')).toMatchObject({ outcome: 4401 })
  })

  test('the package itself sends the token so, and reconnects with it', async () => {
    const provider = await clients.openSyncedProvider({
      token: null,
      protocols: [`diptych.token.${clients.shared.tokens.editor}`],
    })
    // Where docs/CLIENT.md says that the text is.
    expect(provider.doc.getXmlFragment('default').toJSON()).toBe('<paragraph></paragraph>')
    provider.ws?.close()
    await waitUntil(() => !provider.synced)
    await waitForSync(provider)
  })

  test('a ticket is good once, and for its document', async () => {
    const tryTicket = (ticket: string) => tryToOpen({ query: `?ticket=${ticket}` })
    const ticket = await ticketFor(clients.shared.id)
    expect(await tryTicket(ticket)).toMatchObject({ outcome: 'answered' })
    expect(await tryTicket(ticket)).toMatchObject({ outcome: 4401 })
    const other = await server.createDocument()
    expect(await tryTicket(await ticketFor(other.id))).toMatchObject({ outcome: 4401 })
  })

  test('[A1] a page of another origin cannot use a ticket', async () => {
    const query = `?ticket=${await ticketFor(clients.shared.id)}`
    expect(await tryToOpen({ query, headers: { origin: 'https://evil.example' } })).toMatchObject({
      outcome: 1006,
    })
  })
})

describe('reading only', () => {
  test('[A4] a viewer’s token reads, and its first write ends its connection for good', async () => {
    const writer = await clients.openSyncedProvider()
    textOf(writer.doc).insert(0, 'read me')
    const reader = clients.openProvider({ token: clients.shared.tokens.viewer })
    await waitForSync(reader)
    await waitForSameText(reader.doc, writer.doc)
    textOf(writer.doc).insert(7, ' twice')
    await waitForSameText(reader.doc, writer.doc)

    const before = server.storedBytes(clients.shared.id)
    const closed = waitForClose(reader)
    textOf(reader.doc).insert(0, 'scribble')
    expect(await closed).toMatchObject({ code: 4403, reason: expect.stringContaining('only view') })
    expect([reader.shouldConnect, server.storedBytes(clients.shared.id)]).toEqual([false, before])
    expect(textOf(writer.doc).toJSON()).toBe('read me twice')
  })

  test('a viewer that sends deletions of others is no writer', async () => {
    const writer = await clients.openSyncedProvider()
    textOf(writer.doc).insert(0, 'abc')
    textOf(writer.doc).delete(1, 1)
    const doc = new Y.Doc()
    const reader = clients.openProvider({ token: clients.shared.tokens.viewer, doc })
    await waitForSameText(doc, writer.doc)
    reader.disconnect()
    reader.connect()
    await waitForSync(reader)
    textOf(writer.doc).insert(0, '!')
    await waitForSameText(doc, writer.doc)
  })
})

test('[A5] structs under somebody else’s client id end the connection for good, and nothing is stored', async () => {
  const [alice, mallory] = [
    clients.openProvider(),
    clients.openProvider({ token: clients.shared.tokens.other }),
  ]
  await Promise.all([waitForSync(alice), waitForSync(mallory)])
  textOf(alice.doc).insert(0, 'hello')
  await waitForSameText(alice.doc, mallory.doc)
  const before = server.storedBytes(clients.shared.id)
  const closed = waitForClose(mallory)
  Y.applyUpdate(mallory.doc, forgeStruct(alice.doc.clientID, 5, GC, 100_000))
  expect(await closed).toMatchObject({ code: 4409, reason: expect.stringContaining('somebody else') })
  expect([mallory.shouldConnect, server.storedBytes(clients.shared.id)]).toEqual([false, before])
  const reader = clients.openProvider({ token: clients.shared.tokens.viewer })
  textOf(alice.doc).insert(5, ' world, typed later')
  await waitUntil(() => textOf(reader.doc).toJSON() === 'hello world, typed later')
})

test('[A5] a stock client’s id is its own once its presence has shown it', async () => {
  const [alice, mallory] = [
    clients.openProvider(),
    clients.openProvider({ token: clients.shared.tokens.other }),
  ]
  await Promise.all([waitForSync(alice), waitForSync(mallory)])
  const { clientID } = alice.doc
  await waitUntil(() => mallory.awareness.getStates().has(clientID))
  const closed = waitForClose(mallory)
  Y.applyUpdate(mallory.doc, forgeStruct(clientID, 0, GC, 1))
  expect(await closed).toMatchObject({ code: 4409 })
  textOf(alice.doc).insert(0, 'mine')
  const reader = clients.openProvider({ token: clients.shared.tokens.viewer })
  await waitUntil(() => textOf(reader.doc).toJSON() === 'mine')
})

test('a caret costs one frame for each of the others: its sender and those who repeat it get none back', async () => {
  const providers = await Promise.all(Array.from({ length: 6 }, () => clients.openSyncedProvider()))
  for (const { awareness } of providers) awareness.setLocalStateField('user', { name: 'Stock' })
  const [writer, ...readers] = providers
  await waitUntil(() => providers.every(({ awareness }) => awareness.getStates().size === providers.length))
  const received = providers.map(() => 0)
  providers.forEach(({ ws }, index) =>
    ws!.addEventListener('message', ({ data }) => {
      if (new Uint8Array(data as ArrayBuffer)[0] === 1) received[index]! += 1
    }),
  )
  /** The answer comes behind all that the server sent before. */
  const askAll = async (): Promise<number[]> => {
    const before = [...received]
    for (const { ws } of providers) ws!.send(Uint8Array.of(QUERY_AWARENESS))
    await waitUntil(() => received.every((count, index) => count > before[index]!))
    return received.map((count) => count - 1)
  }
  await askAll()
  received.fill(0)
  writer!.awareness.setLocalStateField('user', { name: 'Moved' })
  const client = writer!.doc.clientID
  await waitUntil(() => readers.every((reader) => nameSeenBy(reader, client) === 'Moved'))
  expect(await askAll()).toEqual([0, 1, 1, 1, 1, 1])
})

describe('reconnecting', () => {
  test('after a restart, with what was typed meanwhile and what is typed at that very moment', async () => {
    const provider = clients.openProvider()
    const ownWindow = server.openDocument(clients.shared, { transport: 'websocket', scheme: 'https' })
    await Promise.all([waitForSync(provider), ownWindow.whenSynced])
    textOf(provider.doc).insert(0, 'a')
    await waitForSameText(ownWindow.doc, provider.doc)
    await server.stop()
    await waitUntil(() => !provider.wsconnected)
    textOf(provider.doc).insert(1, 'b')
    // Between its step 1 and the server's: it builds on text that the server does not have yet.
    provider.on('status', ({ status }) => {
      if (status === 'connected') queueMicrotask(() => textOf(provider.doc).insert(2, 'c'))
    })
    await server.start()
    await waitForSync(provider)
    await waitUntil(() => textOf(ownWindow.doc).toJSON() === 'abc')
    textOf(provider.doc).insert(3, 'd')
    await waitUntil(() => textOf(ownWindow.doc).toJSON() === 'abcd')
    await ownWindow.close()
  })

  test.runIf(triesAll)('a document larger than what may wait for a slow reader', async () => {
    const ownWindow = server.openDocument(clients.shared, { transport: 'websocket', scheme: 'http' })
    await ownWindow.whenSynced
    for (let count = 0; count < 10; count++) textOf(ownWindow.doc).insert(0, 'x'.repeat(1_000_000))
    await ownWindow.whenSaved()
    const provider = await clients.openSyncedProvider()
    expect(textOf(provider.doc).length).toBe(10_000_000)
    await ownWindow.close()
  })
})

describe('a client that sends nothing', () => {
  test('receives something at least every 30 s, for that is when the package gives a connection up', async () => {
    // The package counts by these, and so does the gateway.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const provider = clients.openProvider()
    provider.awareness.setLocalState(null)
    await waitForSync(provider)
    const connection = provider.ws
    let received = 0
    connection?.addEventListener('message', () => void (received += 1))
    for (let seconds = 0; seconds < 120; seconds += 15) {
      const [heartbeatCount, answer] = [received + 1, received + 2]
      vi.advanceTimersByTime(15_000)
      await waitUntil(() => received === heartbeatCount)
      connection?.send(Uint8Array.of(3)) // its pong comes before the answer to this
      await waitUntil(() => received === answer)
    }
    expect(provider.ws === connection).toBe(true)
  })

  test('is answered too if it comes within HTTP/2, as a browser’s does', async () => {
    const net = createNet({ insecure: true, webSocketOverHttp2: true })
    const socket = net.webSocket(clients.urlOf('https'), {}, [])
    const received = Promise.withResolvers<Uint8Array>()
    socket.onmessage = ({ data }: { data: ArrayBuffer }) => received.resolve(new Uint8Array(data))
    socket.onopen = () => socket.send(Uint8Array.of(0, 0, 1, 0))
    expect([...(await received.promise).subarray(0, 2)]).toEqual([0, 1])
    net.dispose()
  })

  test('is cut if it does not answer a ping', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const socket = await clients.openSocket()
    socket.pause()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    vi.advanceTimersByTime(15_000)
    vi.advanceTimersByTime(15_000)
    socket.resume()
    expect(await closed).toBe(1006)
  })
})

describe('edits before the answer to step 1', () => {
  /** What was typed at first, and what was typed on top of it. */
  const createTypedUpdates = (): { whole: Uint8Array; first: Uint8Array; second: Uint8Array } => {
    const doc = new Y.Doc()
    textOf(doc).insert(0, 'ab')
    const [first, before] = [Y.encodeStateAsUpdate(doc), Y.encodeStateVector(doc)]
    textOf(doc).insert(2, 'c')
    return { whole: Y.encodeStateAsUpdate(doc), first, second: Y.encodeStateAsUpdate(doc, before) }
  }

  const expectReceivedBy = async (send: (socket: WebSocket) => void | Promise<void>): Promise<void> => {
    const otherProvider = await clients.openSyncedProvider()
    await send(await clients.openSocket())
    await waitUntil(() => textOf(otherProvider.doc).toJSON() === 'abc')
  }

  test('wait, and are committed after the answer that they build on', () =>
    expectReceivedBy((socket) => {
      const { first, second } = createTypedUpdates()
      for (const one of [stepOneMessage, updateMessage(second), syncStepMessage(1, first)]) socket.send(one)
    }))

  test('are committed after a while if no answer comes, or not even step 1', async () => {
    await using shortTimeoutServer = await RealServer.start({ stockAnswerTimeoutMs: 50 })
    using stack = new DisposableStack()
    const openClient = async () => {
      const ownClients = stack.use(await StockClients.open(shortTimeoutServer))
      const otherProvider = await ownClients.openSyncedProvider()
      const socket = await ownClients.openSocket()
      const waitForText = (text: string) => waitUntil(() => textOf(otherProvider.doc).toJSON() === text)
      return { socket, waitForText, text: () => textOf(otherProvider.doc).toJSON() }
    }
    const { whole, first, second } = createTypedUpdates()
    const withoutAnswer = async (): Promise<void> => {
      const { socket, waitForText } = await openClient()
      for (const one of [stepOneMessage, updateMessage(first), updateMessage(second)]) socket.send(one)
      await waitForText('abc')
      expect(socket.readyState).toBe(WebSocket.OPEN)
    }
    const withoutStepOne = async (): Promise<void> => {
      const { socket, waitForText } = await openClient()
      socket.send(updateMessage(whole))
      await waitForText('abc')
    }
    /** They wait if they build on an answer that is late. */
    const withLateAnswer = async (): Promise<void> => {
      const { socket, waitForText, text } = await openClient()
      const other = new Y.Doc()
      textOf(other).insert(0, '.')
      for (const one of [stepOneMessage, updateMessage(second), updateMessage(Y.encodeStateAsUpdate(other))])
        socket.send(one)
      await waitForText('.')
      socket.send(syncStepMessage(1, first))
      await waitUntil(() => text().replace('.', '') === 'abc')
      expect(socket.readyState).toBe(WebSocket.OPEN)
    }
    await Promise.all([withoutAnswer(), withoutStepOne(), withLateAnswer()])
  })

  test('are committed if their writer leaves without an answer', () =>
    expectReceivedBy(async (socket) => {
      const received = new Promise((resolve) => socket.once('message', resolve))
      for (const one of [stepOneMessage, updateMessage(createTypedUpdates().whole)]) socket.send(one)
      await received
      socket.close()
    }))

  test('do not make presence lost', async () => {
    const otherProvider = await clients.openSyncedProvider()
    const socket = await clients.openSocket()
    const awareness = new Awareness(new Y.Doc())
    awareness.setLocalState({ name: 'Early' })
    const id = awareness.clientID
    const encoder = createEncoder()
    writeNumber(encoder, 1)
    writeBytes(encoder, encodeAwarenessUpdate(awareness, [id]))
    for (const one of [toBytes(encoder), stepOneMessage]) socket.send(one)
    await waitUntil(() => otherProvider.awareness.getStates().has(id))
    awareness.destroy()
  })
})

describe('[A6] refusals that make the package stop', () => {
  test.each([
    ['no token', () => clients.openProvider({ token: null }), 4401],
    ['a token nobody has', () => clients.openProvider({ token: 'A'.repeat(22) }), 4401],
    ['a document the token does not open', () => clients.openProvider({}, 'AAAAAAAAAAAAAAAAAAAAAA'), 4403],
    ['a document id that is not one', () => clients.openProvider({}, 'nonsense'), 4400],
  ])('%s', async (_what, openClient, code) => {
    const provider = openClient()
    const closed = await waitForClose(provider)
    expect(closed).toMatchObject({ code, reason: expect.stringMatching(/./) })
    expect(provider.shouldConnect).toBe(false)
  })

  const createOrphanUpdate = (): Uint8Array => {
    const doc = new Y.Doc()
    textOf(doc).insert(0, 'never sent')
    const before = Y.encodeStateVector(doc)
    textOf(doc).insert(0, 'sent')
    return Y.encodeStateAsUpdate(doc, before)
  }

  const sixteenNested = (): Uint8Array[] =>
    Array.from({ length: 16 }, (_, index) => embedUpdateOf(nestedArrays(9_000), 1_000 + index))

  test.each<[string, Uint8Array[], number, detail?: string]>([
    ['an empty message', [new Uint8Array()], 4400],
    ['a message of no known kind', [Uint8Array.of(77)], 4400],
    ['a sync step of no known kind', [Uint8Array.of(0, 9, 0)], 4400],
    ['a length beyond the message', [Uint8Array.of(0, 0, 0xff, 0x7f, 0)], 4400],
    ['a state vector that is none', [Uint8Array.of(0, 0, 2, 9, 9)], 4400],
    [
      'a state vector of 500,000 entries',
      [syncStepMessage(0, stateVectorOf(500_000))],
      4400,
      'MAX_UNKNOWN_CLIENTS',
    ],
    ['presence of random bytes', [stepOneMessage, Uint8Array.of(1, 3, 200, 200, 200)], 4400],
    [
      'an update of random bytes',
      [stepOneMessage, stepTwoMessage, updateMessage(Uint8Array.of(1, 2, 3, 4))],
      4422,
    ],
    [
      'a V2 update',
      [stepOneMessage, stepTwoMessage, updateMessage(Y.encodeStateAsUpdateV2(new Y.Doc()))],
      4422,
    ],
    [
      'embeds of 9,000 nested brackets',
      [stepOneMessage, stepTwoMessage, ...sixteenNested().map(updateMessage)],
      4422,
    ],
    // Not this one: it reconnects, and the exchange of state vectors brings what was missing.
    [
      'an update on text nobody has',
      [stepOneMessage, stepTwoMessage, updateMessage(createOrphanUpdate())],
      1013,
    ],
  ])('%s', async (_what, messages, code, detail = '') => {
    const otherProvider = await clients.openSyncedProvider()
    textOf(otherProvider.doc).insert(0, 'before')
    const written = Buffer.from('before').toString('hex').toUpperCase()
    await waitUntil(() => server.storedBytes(clients.shared.id).includes(written))
    const before = server.storedBytes(clients.shared.id)
    const socket = await clients.openSocket()
    const closed = new Promise<[number, string]>((resolve) =>
      socket.once('close', (number, reason) => resolve([number, reason.toString()])),
    )
    for (const one of messages) socket.send(one)
    expect(await closed).toEqual([code, expect.stringMatching(detail || /./)])
    expect(server.storedBytes(clients.shared.id)).toBe(before)
    textOf(otherProvider.doc).insert(0, 'and after, ')
    await waitUntil(() => server.storedBytes(clients.shared.id) !== before)
    expect(otherProvider.wsconnected).toBe(true)
  })

  test('[A1] a page of another origin does not even get a connection', async () => {
    const connecting = clients.openSocket({ headers: { origin: 'https://evil.example' } })
    await expect(connecting).rejects.toThrow('403')
  })

  test('while the server drains, it is refused with a retry', async () => {
    const socket = await clients.openSocket()
    socket.send(stepOneMessage)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await server.stop()
    expect(await closed).toBe(1013)
    await server.start()
  })
})
