/** Readers that read nothing, on real sockets: what they make the server hold, and that nobody else feels it. */
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { packFrames } from '../../lib/protocol/envelope.ts'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import type { ClientMessage } from '../../lib/protocol/message.ts'
import { encodeClientMessage } from '../../lib/protocol/message.ts'
import { emptyFrame, readHead, renumbered } from '../../lib/protocol/ride.ts'
import { log } from '../access/fixture.ts'
import type { Principal } from '../access/principal.ts'
import { attach, edit, hello, RawClient } from '../fixtures/raw-client.ts'
import { TestServer } from '../gateways/test-server.ts'
import { docOf, type House, openHouse, until } from '../rooms/fixtures/house.ts'
import { createSessions, type SessionsParts } from './create-sessions.ts'
import { Debts } from './debts.ts'
import { PrincipalCount } from './principal-count.ts'
import type { Sessions } from './sessions.ts'
import * as Y from 'yjs'

const MIB = 1024 * 1024

let house: House
let server: TestServer
let sessions: Sessions
let debts: Debts
let attacker: Principal
/** Why links ended, in their order. */
let ends: CloseReason[]
const open: WebSocket[] = []

async function start(parts: Partial<SessionsParts> = {}): Promise<void> {
  house = await openHouse()
  server = await TestServer.start()
  debts = parts.debts ?? new Debts()
  sessions = createSessions({ rooms: house.rooms, log, ...parts, debts })
  ;({ principal: attacker } = await house.person())
  serve(attacker)
  ends = []
}

/** Whose links come next. */
function serve(principal: Principal): void {
  server.accept = (link) => {
    const { onFrame, onClosed } = sessions.accept(link, principal)
    return {
      onFrame,
      onClosed(reason) {
        ends.push(reason)
        onClosed(reason)
      },
    }
  }
}

afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate()
  await sessions.drain()
  await server.close()
  await house[Symbol.asyncDispose]()
})

/** Does not compress well: a state travels packed. */
async function megabyte(owner: Principal): Promise<string> {
  const { id } = await house.document()
  await house.db.updateTable('documents').set({ owner: owner.id }).where('id', '=', id).execute()
  await house.rooms.edit(id, 'body', owner, (doc) =>
    doc.getText('trace').insert(0, randomBytes(750_000).toString('base64')),
  )
  return id
}

/** Reads nothing any more once it is open. */
async function deafSocket(): Promise<WebSocket> {
  const socket = new WebSocket(`${server.http.replace('http', 'ws')}/sync/websocket`, {
    headers: { authorization: 'Bearer a' },
  })
  socket.on('error', () => {})
  open.push(socket)
  await once(socket, 'open')
  socket.pause()
  return socket
}

function say(socket: WebSocket, ride: number, ...messages: ClientMessage[]): void {
  for (const frame of packFrames(messages.map(encodeClientMessage)))
    socket.send(renumbered(frame, readHead(frame), ride))
}

const attaching = (document: string, number: number): ClientMessage => ({
  ...attach(document),
  number,
  channel: number,
})

describe('[S6] on a socket that reads nothing', () => {
  test('60 attaches of a document on each of four rides cost no more than four', async () => {
    await start()
    const id = await megabyte(attacker)
    const socket = await deafSocket()
    for (let ride = 0; ride < 4; ride++)
      say(socket, ride, hello, ...Array.from({ length: 60 }, (_, index) => attaching(id, index + 1)))
    let most = 0
    const look = (): number => (most = Math.max(most, debts.bytes))
    await until(() => look() > 0)
    socket.resume()
    await until(() => look() > 0 && ends.length === 1)
    expect(ends).toMatchObject([{ code: 'bad-message' }])
    // What each of them was told at most, once in its session and once on the link.
    expect(most).toBeLessThan(4 * 2 * 1.1 * MIB)
    // Sessions outlive the link for a while, in case they are resumed, and keep what was not confirmed.
    expect(debts.bytes).toBeLessThan(sessions.count * 1.1 * MIB)
  })

  test('many documents on four rides are bounded by the budget; the reader is sent away, and others feel nothing', async () => {
    const budget = 16 * MIB
    await start({ debts: new Debts({ principalBytes: budget }) })
    const documents: string[] = []
    for (let count = 0; count < 30; count++) documents.push(await megabyte(attacker))
    const honest = await house.document()
    serve(honest.owner)
    using neighbour = await RawClient.open('websocket', server.http, 'b')
    neighbour.say(hello, attach(honest.id))
    await neighbour.hears('attached')

    serve(attacker)
    const socket = await deafSocket()
    const closed = once(socket, 'close')
    let most = 0
    for (let ride = 0; ride < 4; ride++)
      say(socket, ride, hello, ...documents.map((id, index) => attaching(id, index + 1)))
    await until(() => {
      most = Math.max(most, debts.bytesOf(attacker.id))
      return ends.length > 0
    })
    // The budget, what the sent-away link holds until it is closed, and one state that is told at the same moment.
    expect(most).toBeLessThan(2 * budget + 2 * MIB)
    expect(ends).toMatchObject([
      { code: 'overloaded', detail: expect.stringContaining(String(budget)) as string },
    ])
    socket.resume()
    expect((await closed)[0]).toBe(4004)
    await until(() => debts.bytesOf(attacker.id) === 0)

    neighbour.say(edit(Y.encodeStateAsUpdate(docOf('still here'))))
    await neighbour.hears('saved')
    expect(sessions.count).toBe(1)

    // It may come again, and reads this time.
    using again = await RawClient.open('websocket', server.http, 'a')
    again.say(hello, attach(documents[0]!))
    await again.hears('attached')
    again.say({ type: 'received', number: 1 })
    await until(() => debts.bytesOf(attacker.id) === 0)
  })

  test('a session that is left behind with more than 4 MiB ends with its link; one with less is kept', async () => {
    await start()
    const documents: string[] = []
    // A state has 0.72 MiB where it travels packed, so that seven are over the limit either way.
    for (let count = 0; count < 7; count++) documents.push(await megabyte(attacker))
    const socket = await deafSocket()
    say(socket, 0, hello, ...documents.map((id, index) => attaching(id, index + 1)))
    say(socket, 1, hello, attaching(documents[0]!, 1))
    // No more than the sessions owe by themselves: how much of it the network's buffers take as well is the kernel's affair.
    await until(() => debts.bytes > 5.5 * MIB)
    socket.terminate()
    await until(() => ends.length === 1 && sessions.count === 1)
    await until(() => debts.bytes < 1.1 * MIB)
    expect(sessions.count).toBe(1)
  })

  test('pieces of messages that are never finished are charged as well', async () => {
    await start({ debts: new Debts({ principalBytes: 4 * MIB }) })
    const sockets = await Promise.all([deafSocket(), deafSocket()])
    const piece = emptyFrame(true, 200_000)
    for (const socket of sockets) for (let count = 0; count < 15; count++) socket.send(piece)
    await until(() => ends.length > 0)
    expect(ends[0]).toMatchObject({ code: 'overloaded' })
    await until(() => debts.bytesOf(attacker.id) <= 4 * MIB)
  })
})

test('[S6] changes that a reader does not confirm are charged until it does', async () => {
  await start()
  const { id, owner } = await house.document()
  serve(owner)
  using client = await RawClient.open('websocket', server.http, 'a')
  client.say(hello, attach(id))
  await client.hears('attached')
  await house.rooms.edit(id, 'body', owner, (doc) => doc.getText('trace').insert(0, 'x'.repeat(100_000)))
  const { number } = await client.hears('change')
  expect(debts.bytesOf(owner.id)).toBeGreaterThan(100_000)
  client.say({ type: 'received', number })
  await until(() => debts.bytesOf(owner.id) === 0)
})

describe('[A6] one person', () => {
  beforeEach(() => start({ connections: new PrincipalCount({ person: 3 }), maxOfPerson: 3 }))

  const come = (): Promise<RawClient> => RawClient.open('websocket', server.http, 'a')

  test('has so many links at most', async () => {
    const links = [await come(), await come(), await come()]
    using fourth = await come()
    expect(await fourth.closed).toMatchObject({ code: 'overloaded' })
    const { principal } = await house.person()
    serve(principal)
    using other = await come()
    other.say(hello)
    await other.hears('welcome')
    for (const link of links) link[Symbol.dispose]()
  })

  test('has so many windows at most, on rides too; what nobody came back to gives way', async () => {
    const socket = await deafSocket()
    for (let ride = 0; ride < 4; ride++) say(socket, ride, hello)
    await until(() => sessions.count === 3)
    say(socket, 0, { type: 'ping', token: 1 })
    socket.terminate()
    await until(() => ends.length === 1)
    expect(sessions.count).toBe(3) // they may still come back
    using next = await come()
    next.say(hello)
    await next.hears('welcome')
    expect(sessions.count).toBe(3)
  })
})

test('[A6] a document is open once in a session, and again once it was left', async () => {
  await start()
  const { id, owner } = await house.document()
  serve(owner)
  using client = await RawClient.open('websocket', server.http, 'a')
  client.say(hello, attaching(id, 1), { type: 'detach', number: 2, channel: 1 }, attaching(id, 3))
  await until(() => client.heard.some((message) => message.type === 'attached' && message.channel === 3))
  client.say({ ...attaching(id, 4), part: 'comments' } as ClientMessage)
  await until(() => client.heard.some((message) => message.type === 'attached' && message.channel === 4))
  client.say(attaching(newDocumentId(), 5), attaching(id, 6))
  expect(await client.closed).toMatchObject({ code: 'bad-message', detail: expect.stringContaining('another channel') as string })
}) // prettier-ignore
