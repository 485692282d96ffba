/** Limits of what the server holds for a stock client: its gateway on its own port, with rooms that commit when a test says so. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { SharedUpdates } from '../../lib/protocol/shared-change.ts'
import { SENT } from '../../lib/transports/link.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import type { Membership } from '../rooms/membership.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import { type JoinRequest, type RoomSubscriber, RoomRefusal } from '../rooms/rooms.ts'
import { nextTurn } from '../rooms/run-steps.ts'
import { createSessions } from '../sessions/create-sessions.ts'
import { Meter } from '../metering/meter.ts'
import { joinUnits, type WorkKind } from '../metering/prices.ts'
import { BufferBudget } from '../sessions/buffer-budget.ts'
import { PrincipalCount } from '../sessions/principal-count.ts'
import { MAX_TAKEN_A_TURN } from '../turn-limit.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { syncFrame } from './stock-messages.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'
import { stepOneMessage, stepTwoMessage, updateMessage } from './fixtures/stock-frames.ts'
import { QUERY_AWARENESS } from './y-protocol-numbers.ts'
import { createStockGateway } from './y-websocket.ts'

const MIB = 1024 * 1024
const EDIT_BYTES = 64 * 1024
const EDITS = 300

const editMessage = (index: number): Uint8Array => {
  const update = new Uint8Array(EDIT_BYTES)
  new DataView(update.buffer).setUint32(0, index)
  return syncFrame(2, update).subarray(10) // without the header of a frame
}

class HeldRooms implements Pick<Rooms, 'join'> {
  /** The indices of the edits, in the order of their arrival. */
  readonly committedIndices: number[] = []
  readonly members: RoomSubscriber[] = []
  /** Edits and questions. */
  received = 0
  receivedBeforeLeaving: number | null = null
  uncommitted = 0
  mostUncommitted = 0
  /** If true, each edit builds on text that nobody has. */
  isBehind = false
  readonly #join = Promise.withResolvers<void>()
  readonly #disk = Promise.withResolvers<void>()

  letAllJoin(): void {
    this.#join.resolve()
  }

  commitAll(): void {
    this.#disk.resolve()
  }

  async join(_request: JoinRequest, member: RoomSubscriber): Promise<Membership> {
    await this.#join.promise
    this.members.push(member)
    return {
      sendEdit: async (update: Uint8Array) => {
        this.received += 1
        if (update.length < EDIT_BYTES) return
        if (this.isBehind) throw new RoomRefusal({ code: 'behind' })
        this.committedIndices.push(new DataView(update.buffer, update.byteOffset).getUint32(0))
        this.uncommitted += update.length
        this.mostUncommitted = Math.max(this.mostUncommitted, this.uncommitted)
        await this.#disk.promise
        this.uncommitted -= update.length
      },
      askForPresence: () => (this.received += 1),
      resendPresence: () => {},
      sendPresence: () => {
        throw new RoomRefusal({ code: 'bad-frame' })
      },
      leave: () => (this.receivedBeforeLeaving = this.received),
    } as unknown as Membership
  }
}

describe('[A6] a stock client', () => {
  let server: GatewayTestServer
  let rooms: HeldRooms
  const bufferBudget = new BufferBudget({ principalBytes: 8 * MIB })
  const openSockets: WebSocket[] = []
  beforeEach(async () => {
    rooms = new HeldRooms()
    server = await GatewayTestServer.start((parts) => [
      createStockGateway({
        ...parts,
        rooms: rooms as unknown as Rooms,
        bufferBudget,
        connections: new PrincipalCount({ person: 4 }),
        answerTimeoutMs: 50,
      }),
    ])
  })
  afterEach(async () => {
    for (const socket of openSockets.splice(0)) socket.terminate()
    await server.close()
  })

  async function openStockSocket(token = 'a', at = server): Promise<WebSocket> {
    const socket = new WebSocket(`${at.http.replace('http', 'ws')}/yjs/x?token=${token}`)
    openSockets.push(socket)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    return socket
  }

  /** Gives the server time to read whatever it would read: other clients come and go meanwhile. */
  async function letServerRead(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      const other = await openStockSocket('b')
      const closed = waitForCloses([other], 1)
      other.close()
      await closed
    }
  }

  function sendEdits(socket: WebSocket, count = EDITS): void {
    for (let index = 0; index < count; index++) socket.send(editMessage(index))
  }

  async function expectAllCommitted(): Promise<void> {
    await waitUntil(() => rooms.committedIndices.length === EDITS)
    expect(rooms.committedIndices).toEqual(Array.from({ length: EDITS }, (_, index) => index))
  }

  /** Waits until so many of the sockets are closed, and returns their codes and reasons. */
  async function waitForCloses(sockets: readonly WebSocket[], count: number): Promise<[number, string][]> {
    const closes: [number, string][] = []
    for (const socket of sockets)
      socket.once('close', (code, reason) => closes.push([code, reason.toString()]))
    await waitUntil(() => closes.length === count)
    return closes
  }

  const evictedClose = [1013, expect.stringContaining('wait for your windows')]

  test('is not read while many of its edits wait for the disk', async () => {
    rooms.letAllJoin()
    const socket = await openStockSocket()
    socket.send(stepOneMessage)
    socket.send(stepTwoMessage)
    sendEdits(socket)
    await waitUntil(() => rooms.uncommitted > MIB)
    await letServerRead()
    expect(rooms.mostUncommitted).toBeLessThanOrEqual(MIB + 2 * EDIT_BYTES)
    expect(socket.bufferedAmount).toBeGreaterThan(0)
    rooms.commitAll()
    await expectAllCommitted()
  })

  test.each([
    ['edits', updateMessage(Uint8Array.of(0, 0))],
    ['questions', Uint8Array.of(QUERY_AWARENESS)],
  ])(
    'that sends thousands of %s has so many of them received in a turn, and all of them before it leaves',
    async (_what, message) => {
      rooms.letAllJoin()
      rooms.commitAll()
      const socket = await openStockSocket()
      socket.send(stepOneMessage)
      socket.send(stepTwoMessage)
      await waitUntil(() => rooms.received === 1)
      for (let sent = 0; sent < 4_000; sent++) socket.send(message)
      socket.close()
      let most = 0
      for (let before = 1; rooms.receivedBeforeLeaving === null; before = rooms.received) {
        await nextTurn()
        most = Math.max(most, rooms.received - before)
      }
      expect(most).toBeGreaterThan(1)
      expect(most).toBeLessThanOrEqual(MAX_TAKEN_A_TURN)
      expect(rooms.receivedBeforeLeaving).toBe(4_001)
    },
  )

  test('is not read while it joins, and loses nothing by it', async () => {
    rooms.commitAll()
    const socket = await openStockSocket()
    socket.send(stepOneMessage)
    socket.send(stepTwoMessage)
    sendEdits(socket)
    await letServerRead()
    expect(socket.bufferedAmount).toBeGreaterThan(0)
    rooms.letAllJoin()
    await expectAllCommitted()
  })

  test('is not read any more when it sends only edits and 4 MiB of them wait, and loses nothing by it', async () => {
    rooms.commitAll()
    const socket = await openStockSocket()
    sendEdits(socket)
    await letServerRead()
    expect(socket.bufferedAmount).toBeGreaterThan(0)
    rooms.letAllJoin()
    await expectAllCommitted()
  })

  test('is refused when 4 MiB of edits wait for text that it never brings', async () => {
    rooms.letAllJoin()
    rooms.isBehind = true
    const socket = await openStockSocket()
    const closes = waitForCloses([socket], 1)
    socket.send(stepOneMessage)
    sendEdits(socket)
    expect(await closes).toEqual([[1013, expect.any(String)]])
  })

  test('is refused when it does not read 4 MiB of changes', async () => {
    rooms.letAllJoin()
    const socket = await openStockSocket()
    const closes = waitForCloses([socket], 1)
    socket.send(stepOneMessage)
    await waitUntil(() => rooms.members.length === 1)
    socket.pause()
    rooms.members[0]!.onChange(SharedUpdates.of([new Uint8Array(5 * MIB)]))
    socket.resume()
    expect(await closes).toEqual([[1013, 'This client reads too slowly.']])
  })

  test('is charged for what waits if it reads nothing, and evicted when its person’s budget is spent', async () => {
    rooms.letAllJoin()
    const closes: [number, string][] = []
    for (let count = 0; count < 4; count++) {
      const socket = await openStockSocket()
      socket.once('close', (code, reason) => closes.push([code, reason.toString()]))
      socket.send(stepOneMessage)
      await waitUntil(() => rooms.members.length === count + 1)
      socket.pause()
    }
    const state = { role: 'editor', updates: [new Uint8Array(12_000_000)], stateVector: Uint8Array.of(0) } as const
    rooms.members[0]!.onState(state)
    expect(bufferBudget.bytesOf('test:Bearer a')).toBeGreaterThan(8 * MIB - EDIT_BYTES)
    for (const socket of openSockets) socket.resume()
    await waitUntil(() => closes.length === 1)
    expect(closes).toEqual([evictedClose])
    await waitUntil(() => bufferBudget.bytesOf('test:Bearer a') === 0)
  })

  test('is charged for the pieces of messages that never end, and evicted', async () => {
    const sockets = [await openStockSocket(), await openStockSocket(), await openStockSocket()]
    const closes = waitForCloses(sockets, 1)
    for (const socket of sockets)
      for (let count = 0; count < 50; count++) socket.send(new Uint8Array(EDIT_BYTES), { fin: false })
    expect(await closes).toEqual([evictedClose])
    expect(bufferBudget.bytesOf('test:Bearer a')).toBeGreaterThan(4 * MIB)
  })

  test('is charged for no message that has ended, and for no ping', async () => {
    rooms.letAllJoin()
    rooms.commitAll()
    const socket = await openStockSocket()
    socket.send(stepOneMessage)
    socket.send(stepTwoMessage)
    for (let index = 0; index < 20; index++) {
      socket.send(editMessage(index))
      const answered = new Promise((resolve) => socket.once('pong', resolve))
      socket.ping('still there')
      await answered
    }
    await waitUntil(() => rooms.committedIndices.length === 20)
    await waitUntil(() => bufferBudget.bytesOf('test:Bearer a') === 0)
  })

  test('is charged for edits that build on what it never sends, and evicted', async () => {
    rooms.isBehind = true
    rooms.letAllJoin()
    const sockets = [await openStockSocket(), await openStockSocket(), await openStockSocket()]
    const closes = waitForCloses(sockets, 1)
    for (const socket of sockets) {
      socket.send(stepOneMessage)
      sendEdits(socket, 50)
    }
    expect(await closes).toEqual([evictedClose])
  })

  test('that reconnects without end joins as often as its principal can pay for, and then waits', async () => {
    const refusals = new Map<WorkKind, number>()
    const rate = { atOnce: 10 * joinUnits(0), perSecond: 1 }
    const meter = new Meter({ rate, refusals, clock: { now: () => 0, after: () => () => {} } })
    const meteredServer = await GatewayTestServer.start((parts) => [
      createStockGateway({ ...parts, rooms: rooms as unknown as Rooms, meter }),
    ])
    onTestFinished(() => meteredServer.close())
    rooms.letAllJoin()
    while (!refusals.has('join') && rooms.members.length < 20) {
      const joined = rooms.members.length
      const socket = await openStockSocket('a', meteredServer)
      socket.send(stepOneMessage)
      await waitUntil(() => rooms.members.length > joined || refusals.has('join'))
      socket.terminate()
    }
    expect(rooms.members.length).toBe(8) // less than a thousand units are left then
    const other = await openStockSocket('b', meteredServer)
    other.send(stepOneMessage)
    await waitUntil(() => rooms.members.length === 9)
  })

  /** A gateway where a principal may cause so little that joining takes most of it. */
  async function openMeteredServer() {
    const rate = { atOnce: 10 * joinUnits(0), perSecond: 1 }
    const meter = new Meter({ rate, clock: { now: () => 0, after: () => () => {} } })
    const meteredServer = await GatewayTestServer.start((parts) => [
      createStockGateway({ ...parts, rooms: rooms as unknown as Rooms, meter }),
    ])
    onTestFinished(() => meteredServer.close())
    return meteredServer
  }

  test('is not read while its empty messages are not paid for, and somebody else is', async () => {
    rooms.letAllJoin()
    rooms.commitAll()
    const meteredServer = await openMeteredServer()
    const socket = await openStockSocket('a', meteredServer)
    socket.send(stepOneMessage)
    await waitUntil(() => rooms.members.length === 1)
    for (let count = 0; count < 4_000; count++) socket.send(stepOneMessage)
    socket.send(stepTwoMessage)
    socket.send(editMessage(1))
    const other = await openStockSocket('b', meteredServer)
    other.send(stepOneMessage)
    other.send(stepTwoMessage)
    other.send(editMessage(2))
    await waitUntil(() => rooms.committedIndices.length > 0)
    expect(rooms.committedIndices).toEqual([2])
  })

  test('gets as many tickets as it can pay for', async () => {
    const meteredServer = await openMeteredServer()
    const url = `${meteredServer.http}/yjs/AAAAAAAAAAAAAAAAAAAAAA/ticket`
    const statuses: number[] = []
    for (let count = 0; count < 12; count++)
      statuses.push((await fetch(url, { method: 'POST', headers: { authorization: 'Bearer a' } })).status)
    expect(statuses).toEqual([...Array(11).fill(201), 429])
  })

  test('receives no echo of presence that is refused', async () => {
    rooms.letAllJoin()
    const socket = await openStockSocket()
    let receivedCount = 0
    socket.on('message', () => (receivedCount += 1))
    socket.send(stepOneMessage)
    await waitUntil(() => rooms.members.length === 1)
    const closes = waitForCloses([socket], 1)
    socket.send(Uint8Array.of(1, 3, 200, 200, 200))
    expect(await closes).toEqual([[4400, expect.any(String)]])
    expect(receivedCount).toBe(0)
  })

  test('shares one count of connections with the windows of its person', async () => {
    const connections = new PrincipalCount({ person: 1 })
    const sharedCountServer = await GatewayTestServer.start((parts) => [
      createStockGateway({ ...parts, rooms: rooms as unknown as Rooms, connections }),
    ])
    const sessions = createSessions({ rooms: rooms as unknown as Rooms, log: silentLogger, connections })
    const principal = { id: 'test:Bearer a', name: 'Test', credential: 'a' }
    const windowSink = sessions.accept({ info: null!, send: () => SENT, close: () => {} }, principal)
    const refused = await openStockSocket('a', sharedCountServer)
    expect(await waitForCloses([refused], 1)).toEqual([[1013, expect.stringContaining('more than 1 connections')]])
    windowSink.onClosed({ code: 'done' })
    const admitted = await openStockSocket('a', sharedCountServer)
    rooms.letAllJoin()
    admitted.send(stepOneMessage)
    await waitUntil(() => rooms.members.length === 1)
    await sessions.drain()
    await sharedCountServer.close()
  })

  test('gets no ticket for a name that is no document id: names of any length would wait with it', async () => {
    const url = `${server.http}/yjs/${'x'.repeat(8_000)}/ticket`
    const { status } = await fetch(url, { method: 'POST', headers: { authorization: 'Bearer a' } })
    expect(status).toBe(404)
  })

  test('is refused after too many connections, with a retry', async () => {
    for (let count = 0; count < 4; count++) await openStockSocket()
    const fifth = await openStockSocket()
    expect(await waitForCloses([fifth], 1)).toEqual([[1013, expect.stringContaining('more than 4 connections')]])
    await openStockSocket('b') // somebody else is admitted
    const first = openSockets[0]!
    const gone = waitForCloses([first], 1)
    first.close()
    await gone
    const laterSocket = await openStockSocket()
    laterSocket.send(stepOneMessage)
    rooms.letAllJoin()
    await waitUntil(() => rooms.members.length === 1)
  })
}) // prettier-ignore
