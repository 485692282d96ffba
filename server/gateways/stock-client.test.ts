/** What a stock client may make the server hold: its door on a port of its own, before rooms that take edits when a test says so. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { SharedUpdates } from '../../lib/protocol/shared.ts'
import { HANDED } from '../../lib/transports/link.ts'
import { log } from '../access/fixture.ts'
import { type JoinRequest, type Member, type Membership, RoomRefusal, type Rooms } from '../rooms/rooms.ts'
import { createSessions } from '../sessions/create-sessions.ts'
import { Debts } from '../sessions/debts.ts'
import { PrincipalCount } from '../sessions/principal-count.ts'
import { until } from '../fixtures/real-server.ts'
import { syncFrame } from './stock-messages.ts'
import { TestServer } from './test-server.ts'
import { yWebsocketGateway } from './y-websocket.ts'

const MIB = 1024 * 1024
const EDIT_BYTES = 64 * 1024
const EDITS = 300

const edit = (index: number): Uint8Array => {
  const update = new Uint8Array(EDIT_BYTES)
  new DataView(update.buffer).setUint32(0, index)
  return syncFrame(2, update).subarray(10) // without the head of a frame
}
const stepOne = Uint8Array.of(0, 0, 1, 0)
const stepTwo = Uint8Array.of(0, 1, 2, 0, 0)

class SlowRooms implements Pick<Rooms, 'join'> {
  /** Of edits, in the order they came. */
  readonly taken: number[] = []
  readonly members: Member[] = []
  uncommitted = 0
  mostUncommitted = 0
  /** How often a client was told who is here. */
  repeated = 0
  /** Each edit builds on text that nobody has. */
  isBehind = false
  readonly #join = Promise.withResolvers<void>()
  readonly #disk = Promise.withResolvers<void>()

  admitAll(): void {
    this.#join.resolve()
  }

  commitAll(): void {
    this.#disk.resolve()
  }

  async join(_request: JoinRequest, member: Member): Promise<Membership> {
    await this.#join.promise
    this.members.push(member)
    return {
      edit: async (update: Uint8Array) => {
        if (update.length < EDIT_BYTES) return
        if (this.isBehind) throw new RoomRefusal({ code: 'behind' })
        this.taken.push(new DataView(update.buffer, update.byteOffset).getUint32(0))
        this.uncommitted += update.length
        this.mostUncommitted = Math.max(this.mostUncommitted, this.uncommitted)
        await this.#disk.promise
        this.uncommitted -= update.length
      },
      repeatPresence: () => void (this.repeated += 1),
      presence: () => {
        throw new RoomRefusal({ code: 'bad-frame' })
      },
      leave: () => {},
    } as unknown as Membership
  }
}

describe('[A6] a stock client', () => {
  let server: TestServer
  let rooms: SlowRooms
  const debts = new Debts({ principalBytes: 8 * MIB })
  const open: WebSocket[] = []
  beforeEach(async () => {
    rooms = new SlowRooms()
    server = await TestServer.start((parts) => [
      yWebsocketGateway({
        ...parts,
        rooms: rooms as unknown as Rooms,
        debts,
        connections: new PrincipalCount({ person: 4 }),
        answerMs: 50,
      }),
    ])
  })
  afterEach(async () => {
    for (const socket of open.splice(0)) socket.terminate()
    await server.close()
  })

  async function stock(token = 'a', at = server): Promise<WebSocket> {
    const socket = new WebSocket(`${at.http.replace('http', 'ws')}/yjs/x?token=${token}`)
    open.push(socket)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    return socket
  }

  /** Time enough for the server to read what it would: others come and go meanwhile. */
  async function passTurns(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      const other = await stock('b')
      const closed = new Promise((resolve) => other.once('close', resolve))
      other.close()
      await closed
    }
  }

  test('is not read while many of its edits wait for the disk', async () => {
    rooms.admitAll()
    const socket = await stock()
    for (const one of [stepOne, stepTwo]) socket.send(one)
    for (let index = 0; index < EDITS; index++) socket.send(edit(index))
    await until(() => rooms.uncommitted > 1024 * 1024)
    await passTurns()
    expect(rooms.mostUncommitted).toBeLessThanOrEqual(1024 * 1024 + 2 * EDIT_BYTES)
    expect(socket.bufferedAmount).toBeGreaterThan(0)
    rooms.commitAll()
    await until(() => rooms.taken.length === EDITS)
    expect(rooms.taken).toEqual(Array.from({ length: EDITS }, (_, index) => index))
  })

  test('is not read while it joins, and loses nothing by it', async () => {
    rooms.commitAll()
    const socket = await stock()
    for (const one of [stepOne, stepTwo]) socket.send(one)
    for (let index = 0; index < EDITS; index++) socket.send(edit(index))
    await passTurns()
    expect(socket.bufferedAmount).toBeGreaterThan(0)
    rooms.admitAll()
    await until(() => rooms.taken.length === EDITS)
    expect(rooms.taken).toEqual(Array.from({ length: EDITS }, (_, index) => index))
  })

  test('that says nothing but edits is not read any more once 4 MiB of them wait, and loses nothing by it', async () => {
    rooms.commitAll()
    const socket = await stock()
    for (let index = 0; index < EDITS; index++) socket.send(edit(index))
    await passTurns()
    expect(socket.bufferedAmount).toBeGreaterThan(0)
    rooms.admitAll()
    await until(() => rooms.taken.length === EDITS)
    expect(rooms.taken).toEqual(Array.from({ length: EDITS }, (_, index) => index))
  })

  test('whose edits build on what it never brings is sent away once 4 MiB of them wait', async () => {
    rooms.admitAll()
    rooms.isBehind = true
    const socket = await stock()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.send(stepOne)
    for (let index = 0; index < EDITS; index++) socket.send(edit(index))
    expect(await closed).toBe(1013)
  })

  test('that does not read 4 MiB of changes is sent away', async () => {
    rooms.admitAll()
    const socket = await stock()
    const closed = new Promise<[number, string]>((resolve) =>
      socket.once('close', (code, reason) => resolve([code, reason.toString()])),
    )
    socket.send(stepOne)
    await until(() => rooms.members.length === 1)
    socket.pause()
    rooms.members[0]!.onChange(SharedUpdates.of([new Uint8Array(5 * 1024 * 1024)]))
    socket.resume()
    expect(await closed).toEqual([1013, 'This client reads too slowly.'])
  })

  test('that reads nothing is charged for what waits, and sent away when its person’s budget is spent', async () => {
    rooms.admitAll()
    const closes: [number, string][] = []
    for (let count = 0; count < 4; count++) {
      const socket = await stock()
      socket.once('close', (code, reason) => closes.push([code, reason.toString()]))
      socket.send(stepOne)
      await until(() => rooms.members.length === count + 1)
      socket.pause()
    }
    const state = { role: 'editor', updates: [new Uint8Array(12_000_000)], stateVector: Uint8Array.of(0) } as const
    rooms.members[0]!.onState(state)
    expect(debts.bytesOf('test:Bearer a')).toBeGreaterThan(8 * 1024 * 1024 - EDIT_BYTES)
    for (const socket of open) socket.resume()
    await until(() => closes.length === 1)
    expect(closes).toEqual([[1013, expect.stringContaining('wait for your windows') as string]])
    await until(() => debts.bytesOf('test:Bearer a') === 0)
  })

  /** Of those that are ended. */
  async function closesOf(sockets: readonly WebSocket[], many: number): Promise<[number, string][]> {
    const closes: [number, string][] = []
    for (const socket of sockets)
      socket.once('close', (code, reason) => closes.push([code, reason.toString()]))
    await until(() => closes.length === many)
    return closes
  }

  const sentAway = [1013, expect.stringContaining('wait for your windows')]

  test('that never ends its messages is charged for the pieces, and sent away', async () => {
    const sockets = [await stock(), await stock(), await stock()]
    const closes = closesOf(sockets, 1)
    for (const socket of sockets)
      for (let count = 0; count < 50; count++) socket.send(new Uint8Array(EDIT_BYTES), { fin: false })
    expect(await closes).toEqual([sentAway])
    expect(debts.bytesOf('test:Bearer a')).toBeGreaterThan(4 * MIB)
  })

  test('is charged for no message that has ended, and for no ping', async () => {
    rooms.admitAll()
    rooms.commitAll()
    const socket = await stock()
    for (const one of [stepOne, stepTwo]) socket.send(one)
    for (let index = 0; index < 20; index++) {
      socket.send(edit(index))
      const answered = new Promise((resolve) => socket.once('pong', resolve))
      socket.ping('still there')
      await answered
    }
    await until(() => rooms.taken.length === 20)
    await until(() => debts.bytesOf('test:Bearer a') === 0)
  })

  test('whose edits build on what it never sends is charged for them, and sent away', async () => {
    rooms.isBehind = true
    rooms.admitAll()
    const sockets = [await stock(), await stock(), await stock()]
    const closes = closesOf(sockets, 1)
    for (const socket of sockets) {
      socket.send(stepOne)
      for (let index = 0; index < 50; index++) socket.send(edit(index))
    }
    expect(await closes).toEqual([sentAway])
  })

  test('that asks without end who is here is told now and then', async () => {
    rooms.admitAll()
    const socket = await stock()
    socket.send(stepOne)
    for (let count = 0; count < 500; count++) socket.send(Uint8Array.of(3))
    const answered = new Promise((resolve) => socket.once('pong', resolve))
    socket.ping()
    await answered
    await until(() => rooms.members.length === 1)
    expect(rooms.repeated).toBeGreaterThan(0)
    expect(rooms.repeated).toBeLessThan(100)
  })

  test('hears no presence again that is refused', async () => {
    rooms.admitAll()
    const socket = await stock()
    let heard = 0
    socket.on('message', () => (heard += 1))
    socket.send(stepOne)
    await until(() => rooms.members.length === 1)
    const closes = closesOf([socket], 1)
    socket.send(Uint8Array.of(1, 3, 200, 200, 200))
    expect(await closes).toEqual([[4400, expect.any(String)]])
    expect(heard).toBe(0)
  })

  test('shares one count of connections with the windows of its person', async () => {
    const connections = new PrincipalCount({ person: 1 })
    const shares = await TestServer.start((parts) => [
      yWebsocketGateway({ ...parts, rooms: rooms as unknown as Rooms, connections }),
    ])
    const sessions = createSessions({ rooms: rooms as unknown as Rooms, log, connections })
    const principal = { id: 'test:Bearer a', name: 'Test', credential: 'a' }
    const window = sessions.accept({ info: null!, send: () => HANDED, close: () => {} }, principal)
    const refused = await stock('a', shares)
    expect(await closesOf([refused], 1)).toEqual([[1013, expect.stringContaining('more than 1 connections')]])
    window.onClosed({ code: 'done' })
    const admitted = await stock('a', shares)
    rooms.admitAll()
    admitted.send(stepOne)
    await until(() => rooms.members.length === 1)
    await sessions.drain()
    await shares.close()
  })

  test('gets no ticket for a name that is no document’s: names of any length would wait with it', async () => {
    const url = `${server.http}/yjs/${'x'.repeat(8_000)}/ticket`
    const { status } = await fetch(url, { method: 'POST', headers: { authorization: 'Bearer a' } })
    expect(status).toBe(404)
  })

  test('comes too many times, and is told to come again', async () => {
    for (let count = 0; count < 4; count++) await stock()
    const fifth = await stock()
    const closed = new Promise<[number, string]>((resolve) =>
      fifth.once('close', (code, reason) => resolve([code, reason.toString()])),
    )
    expect(await closed).toEqual([1013, expect.stringContaining('more than 4 connections') as string])
    await stock('b') // somebody else is let in
    const first = open[0]!
    const gone = new Promise((resolve) => first.once('close', resolve))
    first.close()
    await gone
    const again = await stock()
    again.send(stepOne)
    rooms.admitAll()
    await until(() => rooms.members.length === 1)
  })
}) // prettier-ignore
