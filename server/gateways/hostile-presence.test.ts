/** What a viewer may send as presence over each gateway, and what everybody else receives of it (W8). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import type { OpenDocument } from '../../lib/client.ts'
import { MAX_PRESENCE_MESSAGE_BYTES, MAX_ROOM_PRESENCE_BYTES } from '../../lib/protocol/limits.ts'
import { createEncoder, toBytes, writeBytes, writeNumber, writeString } from '../../lib/protocol/wire.ts'
import { RealServer, representativeRoutes } from '../fixtures/real-server.ts'
import type { SharedDocument } from '../fixtures/shared-document.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { AWARENESS, QUERY_AWARENESS, STEP_1, SYNC } from './y-protocol-numbers.ts'

let server: RealServer
const openWindows: { close(): unknown }[] = []

beforeAll(async () => {
  server = await RealServer.start()
})
afterEach(async () => {
  for (const one of openWindows.splice(0)) await one.close()
})
afterAll(() => server[Symbol.asyncDispose]())

const httpsRoute = { transport: 'websocket', scheme: 'https' } as const
const user = { id: expect.stringMatching(/^link:/) }

const hostile: readonly [what: string, state: object, received: object][] = [
  ['an empty cursor', { cursor: {} }, { user }],
  ['a cursor without places', { cursor: { anchor: {}, head: {} } }, { user }],
  ['a user that is none', { user: 7 }, { user }],
  ['a name that is no text', { user: { name: { toString: 1 } } }, { user }],
  ['fields that nobody knows', { constructor: 1, notes: ['x'], idle: true }, { user, idle: true }],
]

async function openOwnerWindow(shared: SharedDocument): Promise<OpenDocument> {
  const window = server.openDocument(shared, httpsRoute)
  openWindows.push(window)
  await window.whenSynced
  return window
}

/** A program at the stock gateway, which keeps what it received. */
async function openStockViewer({ id, tokens }: SharedDocument) {
  const url = `${server.origin('http').replace('http', 'ws')}/yjs/${id}?token=${tokens.viewer}`
  const socket = new WebSocket(url)
  const lengths: number[] = []
  socket.on('message', (data: Buffer) => lengths.push(data.length))
  openWindows.push(socket)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.send(Uint8Array.of(SYNC, STEP_1, 1, 0))
  await waitUntil(() => lengths.length > 1)
  return {
    socket,
    lengths,
    query: () => socket.send(Uint8Array.of(QUERY_AWARENESS)),
    sendPresence(...states: [client: number, state: string][]): void {
      const update = createEncoder()
      writeNumber(update, states.length)
      for (const [client, state] of states) {
        writeNumber(update, client)
        writeNumber(update, 1)
        writeString(update, state)
      }
      const message = createEncoder()
      writeNumber(message, AWARENESS)
      writeBytes(message, toBytes(update))
      socket.send(toBytes(message))
    },
  }
}

describe.each(representativeRoutes)('[W8] presence of a viewer by $transport over $scheme', (route) => {
  test('reaches others as far as it fits', async () => {
    const shared = await server.createDocument()
    const ada = await openOwnerWindow(shared)
    const eve = server.openDocument(shared, route, 'viewer')
    openWindows.push(eve)
    await eve.whenSynced
    for (const [, state, presenceState] of hostile) {
      eve.awareness.setLocalState({ ...state, follows: JSON.stringify(state) })
      const receivedState = () => ada.awareness.getStates().get(eve.doc.clientID)
      await waitUntil(() => receivedState()?.['follows'] === JSON.stringify(state))
      expect(receivedState()).toEqual({ ...presenceState, follows: JSON.stringify(state) })
    }
  })
})

test.each(hostile)(
  '[W8] presence of a stock client with %s reaches others as far as it fits',
  async (_what, state, presenceState) => {
    const shared = await server.createDocument()
    const ada = await openOwnerWindow(shared)
    const eve = await openStockViewer(shared)
    const awareness = new Awareness(new Y.Doc())
    clearInterval(awareness._checkInterval)
    awareness.setLocalState(state)
    const message = createEncoder()
    writeNumber(message, AWARENESS)
    writeBytes(message, encodeAwarenessUpdate(awareness, [awareness.clientID]))
    eve.socket.send(toBytes(message))
    await waitUntil(() => ada.awareness.getStates().has(awareness.clientID))
    expect(ada.awareness.getStates().get(awareness.clientID)).toEqual(presenceState)
  },
)

test('[W8] six viewers with 39 MB of presence lock nobody out, and everybody receives messages of limited size', async () => {
  const shared = await server.createDocument()
  const ada = await openOwnerWindow(shared)
  const viewers = await Promise.all(Array.from({ length: 6 }, () => openStockViewer(shared)))
  const reader = await openStockViewer(shared)
  const presenceState = (bytes: number) =>
    JSON.stringify({ window: { heard: Array.from({ length: bytes / 203 }, () => 'x'.repeat(200)) } })
  const [huge, large] = [presenceState(64_900), presenceState(4_000)]
  for (const [index, { sendPresence }] of viewers.entries()) {
    const client = (of: number) => 1 + 1_000 * index + of
    for (let of = 0; of < 100; of++) sendPresence([client(of), huge])
    for (let of = 0; of < 100; of++) sendPresence([client(of), large])
  }
  const visibleClientsOf = ({ awareness }: OpenDocument) =>
    [...awareness.getStates().keys()].filter((client) => client < 6_000).length
  await waitUntil(() => visibleClientsOf(ada) === 6 * 4)
  const late = await openOwnerWindow(shared)
  await waitUntil(() => visibleClientsOf(late) === 6 * 4)
  reader.query()
  ada.doc.getText('title').insert(0, 'still here')
  await ada.whenSaved()
  await waitUntil(() => late.doc.getText('title').toJSON() === 'still here')
  await waitUntil(() => reader.lengths.reduce((sum, length) => sum + length, 0) > 6 * 4 * large.length)
  expect(Math.max(...reader.lengths)).toBeLessThan(1.1 * MAX_PRESENCE_MESSAGE_BYTES)
  const total = [...late.awareness.getStates().values()].map((state) => JSON.stringify(state).length)
  expect(total.reduce((sum, length) => sum + length, 0)).toBeLessThan(MAX_ROOM_PRESENCE_BYTES)
})

test('[W8] a stock client that floods is refused, and nobody else is', async () => {
  const shared = await server.createDocument()
  const ada = await openOwnerWindow(shared)
  const [eve, bob] = [await openStockViewer(shared), await openStockViewer(shared)]
  const closed = new Promise<[number, string]>((resolve) =>
    eve.socket.once('close', (code, reason) => resolve([code, reason.toString()])),
  )
  for (let turn = 0; turn < 20_000; turn++)
    eve.sendPresence([1, `{"view":{"top":{"at":"AQI="},"n":${turn}}}`])
  expect(await closed).toEqual([4400, expect.stringContaining('presence messages a second')])
  bob.sendPresence([2, '{"idle":true}'])
  await waitUntil(() => ada.awareness.getStates().get(2)?.['idle'] === true)
  await waitUntil(() => !ada.awareness.getStates().has(1))
})

test('[W8] presence over the rate is broadcast late, as the newest state', async () => {
  const shared = await server.createDocument()
  const ada = await openOwnerWindow(shared)
  const eve = await openStockViewer(shared)
  const changes: unknown[] = []
  ada.awareness.on('change', () => changes.push(1))
  for (let turn = 1; turn <= 2_000; turn++)
    eve.sendPresence([1, `{"view":{"top":{"at":"AQI="},"n":${turn}}}`])
  const view = () => ada.awareness.getStates().get(1)?.['view'] as { n: number } | undefined
  await waitUntil(() => view()?.n === 2_000)
  expect(changes.length).toBeLessThan(2_000)
})
