/** Readers that read nothing, on real sockets: they limit what the server holds, and nobody else notices them. */
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { packFrames } from '../../lib/protocol/framing.ts'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import type { ClientMessage } from '../../lib/protocol/message.ts'
import { encodeClientMessage } from '../../lib/protocol/message.ts'
import { emptyFrame, readFrameHead, renumberFrame } from '../../lib/protocol/multiplexed-frame.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import type { Principal } from '../access/principal.ts'
import { createAttachMessage, createEditMessage, helloMessage, RawClient } from '../fixtures/raw-client.ts'
import { GatewayTestServer } from '../gateways/fixtures/gateway-test-server.ts'
import { docOf, type RoomsFixture, openRoomsFixture } from '../rooms/fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { createSessions, type SessionsOptions, type Sessions } from './create-sessions.ts'
import { BufferBudget } from './buffer-budget.ts'
import { PrincipalCount } from './principal-count.ts'
import { PrincipalSessions } from './principal-sessions.ts'
import * as Y from 'yjs'
import { triesAll } from '../../lib/fixtures/runs.ts'

const MIB = 1024 * 1024

let fixture: RoomsFixture
let server: GatewayTestServer
let sessions: Sessions
let bufferBudget: BufferBudget
let attacker: Principal
/** The reasons of ended links, in their order. */
let closeReasons: CloseReason[]
const openSockets: WebSocket[] = []

async function start(parts: Partial<SessionsOptions> = {}): Promise<void> {
  fixture = await openRoomsFixture()
  server = await GatewayTestServer.start()
  bufferBudget = parts.bufferBudget ?? new BufferBudget()
  sessions = createSessions({ rooms: fixture.rooms, log: silentLogger, ...parts, bufferBudget })
  ;({ principal: attacker } = await fixture.createPerson())
  acceptAs(attacker)
  closeReasons = []
}

/** The principal of the links that come next. */
function acceptAs(principal: Principal): void {
  server.accept = (link) => {
    const { onFrame, onClosed } = sessions.accept(link, principal)
    return {
      onFrame,
      onClosed(reason) {
        closeReasons.push(reason)
        onClosed(reason)
      },
    }
  }
}

afterEach(async () => {
  for (const socket of openSockets.splice(0)) socket.terminate()
  await sessions.drain()
  await server.close()
  await fixture[Symbol.asyncDispose]()
})

/** Random, since it should not compress well: a state is sent packed. */
async function createMegabyteDocument(owner: Principal): Promise<string> {
  const { id } = await fixture.document()
  await fixture.db.updateTable('documents').set({ owner: owner.id }).where('id', '=', id).execute()
  await fixture.rooms.edit(id, 'body', owner, (doc) =>
    doc.getText('trace').insert(0, randomBytes(750_000).toString('base64')),
  )
  return id
}

/** Stops reading once the socket is open. */
async function openUnreadSocket(): Promise<WebSocket> {
  const socket = new WebSocket(`${server.http.replace('http', 'ws')}/sync/websocket`, {
    headers: { authorization: 'Bearer a' },
  })
  socket.on('error', () => {})
  openSockets.push(socket)
  await once(socket, 'open')
  socket.pause()
  return socket
}

function sendOn(socket: WebSocket, subLink: number, ...messages: ClientMessage[]): void {
  for (const frame of packFrames(messages.map(encodeClientMessage)))
    socket.send(renumberFrame(frame, readFrameHead(frame), subLink))
}

const attachOn = (document: string, number: number): ClientMessage => ({
  ...createAttachMessage(document),
  number,
  channel: number,
})

describe('[S6] on a socket that reads nothing', () => {
  test('60 attaches of a document on each of four sub-links cost no more than four', async () => {
    await start()
    const id = await createMegabyteDocument(attacker)
    const socket = await openUnreadSocket()
    for (let subLink = 0; subLink < 4; subLink++)
      sendOn(
        socket,
        subLink,
        helloMessage,
        ...Array.from({ length: 60 }, (_, index) => attachOn(id, index + 1)),
      )
    let mostBytes = 0
    const measure = (): number => (mostBytes = Math.max(mostBytes, bufferBudget.bytes))
    await waitUntil(() => measure() > 0)
    socket.resume()
    await waitUntil(() => measure() > 0 && closeReasons.length === 1)
    expect(closeReasons).toMatchObject([{ code: 'bad-message' }])
    // The most that each of them was sent, once in its session and once on the link.
    expect(mostBytes).toBeLessThan(4 * 2 * 1.1 * MIB)
    // Sessions outlive the link for a while, in case they are resumed, and keep what was not acknowledged.
    expect(bufferBudget.bytes).toBeLessThan(sessions.count * 1.1 * MIB)
  })

  test.runIf(triesAll)(
    'many documents on four sub-links are limited by the budget; the reader is evicted, and others notice nothing',
    async () => {
      const budget = 16 * MIB
      await start({ bufferBudget: new BufferBudget({ principalBytes: budget }) })
      const documents: string[] = []
      for (let count = 0; count < 30; count++) documents.push(await createMegabyteDocument(attacker))
      const honest = await fixture.document()
      acceptAs(honest.owner)
      using neighbour = await RawClient.open('websocket', server.http, 'b')
      neighbour.send(helloMessage, createAttachMessage(honest.id))
      await neighbour.waitForMessage('attached')

      acceptAs(attacker)
      const socket = await openUnreadSocket()
      const closed = once(socket, 'close')
      let mostBytes = 0
      for (let subLink = 0; subLink < 4; subLink++)
        sendOn(socket, subLink, helloMessage, ...documents.map((id, index) => attachOn(id, index + 1)))
      await waitUntil(() => {
        mostBytes = Math.max(mostBytes, bufferBudget.bytesOf(attacker.id))
        return closeReasons.length > 0
      })
      // The budget, what the evicted link holds until it is closed, and one state that is sent at the same moment.
      expect(mostBytes).toBeLessThan(2 * budget + 2 * MIB)
      expect(closeReasons).toMatchObject([
        { code: 'overloaded', detail: expect.stringContaining(String(budget)) as string },
      ])
      socket.resume()
      expect((await closed)[0]).toBe(4004)
      await waitUntil(() => bufferBudget.bytesOf(attacker.id) === 0)

      neighbour.send(createEditMessage(Y.encodeStateAsUpdate(docOf('still here'))))
      await neighbour.waitForMessage('saved')
      await waitUntil(() => sessions.count === 1) // states that waited end those which have no link any more

      // It may reconnect, and this time it reads.
      using again = await RawClient.open('websocket', server.http, 'a')
      again.send(helloMessage, createAttachMessage(documents[0]!))
      await again.waitForMessage('attached')
      again.send({ type: 'received', number: 1 })
      await waitUntil(() => bufferBudget.bytesOf(attacker.id) === 0)
    },
  )

  test('a session without a link that holds more than 4 MiB ends with it; one that holds less is kept', async () => {
    await start()
    const documents: string[] = []
    // A packed state has 0.72 MiB, so that seven are over the limit either way.
    for (let count = 0; count < 7; count++) documents.push(await createMegabyteDocument(attacker))
    const socket = await openUnreadSocket()
    sendOn(socket, 0, helloMessage, ...documents.map((id, index) => attachOn(id, index + 1)))
    sendOn(socket, 1, helloMessage, attachOn(documents[0]!, 1))
    // No more than the sessions are charged for: how much the network's buffers hold besides is decided by the kernel.
    await waitUntil(() => bufferBudget.bytes > 5.5 * MIB)
    socket.terminate()
    await waitUntil(() => closeReasons.length === 1 && sessions.count === 1)
    await waitUntil(() => bufferBudget.bytes < 1.1 * MIB)
    expect(sessions.count).toBe(1)
  })

  test('pieces of messages that are never finished are charged as well', async () => {
    await start({ bufferBudget: new BufferBudget({ principalBytes: 4 * MIB }) })
    const sockets = await Promise.all([openUnreadSocket(), openUnreadSocket()])
    const piece = emptyFrame(true, 200_000)
    for (const socket of sockets) for (let count = 0; count < 15; count++) socket.send(piece)
    await waitUntil(() => closeReasons.length > 0)
    expect(closeReasons[0]).toMatchObject({ code: 'overloaded' })
    await waitUntil(() => bufferBudget.bytesOf(attacker.id) <= 4 * MIB)
  })
})

test('[S6] changes are charged until the reader acknowledges them', async () => {
  await start()
  const { id, owner } = await fixture.document()
  acceptAs(owner)
  using client = await RawClient.open('websocket', server.http, 'a')
  client.send(helloMessage, createAttachMessage(id))
  await client.waitForMessage('attached')
  await fixture.rooms.edit(id, 'body', owner, (doc) => doc.getText('trace').insert(0, 'x'.repeat(100_000)))
  const { number } = await client.waitForMessage('change')
  expect(bufferBudget.bytesOf(owner.id)).toBeGreaterThan(100_000)
  client.send({ type: 'received', number })
  await waitUntil(() => bufferBudget.bytesOf(owner.id) === 0)
})

describe('[A6] one person', () => {
  beforeEach(() =>
    start({ connections: new PrincipalCount({ person: 3 }), principalSessions: new PrincipalSessions(3) }),
  )

  const openClient = (): Promise<RawClient> => RawClient.open('websocket', server.http, 'a')

  test('has a limit of links', async () => {
    const links = [await openClient(), await openClient(), await openClient()]
    using fourth = await openClient()
    expect(await fourth.closed).toMatchObject({ code: 'overloaded' })
    const { principal } = await fixture.createPerson()
    acceptAs(principal)
    using other = await openClient()
    other.send(helloMessage)
    await other.waitForMessage('welcome')
    for (const link of links) link[Symbol.dispose]()
  })

  test('has a limit of windows, on sub-links too; a session without a window gives way', async () => {
    const socket = await openUnreadSocket()
    for (let subLink = 0; subLink < 4; subLink++) sendOn(socket, subLink, helloMessage)
    await waitUntil(() => sessions.count === 3)
    sendOn(socket, 0, { type: 'ping', token: 1 })
    socket.terminate()
    await waitUntil(() => closeReasons.length === 1)
    expect(sessions.count).toBe(3) // their windows may still come back
    using next = await openClient()
    next.send(helloMessage)
    await next.waitForMessage('welcome')
    expect(sessions.count).toBe(3)
  })
})

test('[A6] a document is open once in a session, and again once it was left', async () => {
  await start()
  const { id, owner } = await fixture.document()
  acceptAs(owner)
  using client = await RawClient.open('websocket', server.http, 'a')
  client.send(helloMessage, attachOn(id, 1), { type: 'detach', number: 2, channel: 1 }, attachOn(id, 3))
  await waitUntil(() => client.received.some((message) => message.type === 'attached' && message.channel === 3))
  client.send({ ...attachOn(id, 4), part: 'comments' } as ClientMessage)
  await waitUntil(() => client.received.some((message) => message.type === 'attached' && message.channel === 4))
  client.send(attachOn(newDocumentId(), 5), attachOn(id, 6))
  expect(await client.closed).toMatchObject({ code: 'bad-message', detail: expect.stringContaining('another channel') as string })
}) // prettier-ignore
