/**
 * One connection of a stock Yjs client.
 *
 *   open ──step 1──▶ joining ──▶ joined, first state told ──its step 2──▶ caught up
 *     └── 5 s after a message that waits ──▲          └── 5 s ──▶ taken as it comes
 *
 * What it says before it has joined waits. So does what it typed before it answers our step 1, because that may build on text which
 * its answer brings. Both are bounded by bytes, and the socket is not read while it joins or while many of its edits wait for the disk.
 * Whatever the server holds for it, of either direction, is charged to its principal.
 */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { describeClose, fateOf } from '../../lib/protocol/close.ts'
import type { SharedUpdates } from '../../lib/protocol/shared.ts'
import { type Bytes, ProtocolError } from '../../lib/protocol/wire.ts'
import { realClock } from '../../lib/session/clock.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { type Rate, RateLimit } from '../rate-limit.ts'
import { type Member, type Membership, RoomRefusal, type Rooms } from '../rooms/rooms.ts'
import type { Debt, Debts } from '../sessions/debts.ts'
import { LateCork } from './cork.ts'
import {
  changeFrames,
  presenceFrame,
  readStockMessage,
  type StockMessage,
  syncFrame,
} from './stock-messages.ts'
import { binaryFrame } from './web-socket-frame.ts'
import { EMPTY_UPDATE, STEP_1, STEP_2, UPDATE } from './y-numbers.ts'

/** The package gives a connection up after 30 s in which it heard nothing. */
const BEAT_MS = 15_000
/** Beside the first state. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024
const ANSWER_MS = 5_000
/** Of what waits for either. */
const MAX_EARLY_BYTES = 4 * 1024 * 1024
/** What a message that waits, or a piece of one, costs beside its bytes. */
const MESSAGE_COST_BYTES = 128
/** What a client's ping or pong has beside its payload. */
const CONTROL_HEAD_BYTES = 6
/** Of its edits that wait for the disk. Past it the socket is not read. */
const MAX_UNCOMMITTED_BYTES = 1024 * 1024

/** It is told who is here every 15 s without asking; an answer may be 256 KiB, and a question has two bytes. */
const MAX_QUERIES: Rate = { atOnce: 20, perSecond: 1 }

const EMPTY_STATE_VECTOR = Uint8Array.of(0)

/** The package stops for good on 4400 to 4499, and comes again after any other code. */
export const STOP = {
  'sign-in': 4401,
  forbidden: 4403,
  taken: 4409,
  'bad-update': 4422,
  'bad-frame': 4400,
} as const
export const COME_AGAIN = 1013
/** RFC 6455 leaves that much of a close frame to the reason. */
const MAX_REASON_BYTES = 123

export interface Caller {
  readonly document: string
  readonly token: string
  readonly principal: Principal
}

export interface StockClientParts {
  readonly socket: WebSocket
  /** What carries the socket: frames are written to it as they are, since nothing is compressed. */
  readonly stream: Duplex
  readonly rooms: Rooms
  readonly debts: Debts
  readonly caller: Caller
  /** How long its edits wait for its step 1, and then for its answer to ours: less than it is, in tests. */
  readonly answerMs?: number
}

/** Messages or edits that wait, and how much they hold. */
class Waiting<Item> {
  #items: Item[] = []
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  get isTooMuch(): boolean {
    return this.#bytes > MAX_EARLY_BYTES
  }

  add(item: Item, bytes: number): void {
    this.#items.push(item)
    this.#bytes += bytes + MESSAGE_COST_BYTES
  }

  take(): Item[] {
    const items = this.#items
    this.#items = []
    this.#bytes = 0
    return items
  }
}

export class StockClient implements Member {
  readonly #socket: WebSocket
  readonly #stream: Duplex
  readonly #cork: LateCork
  readonly #rooms: Rooms
  readonly #caller: Caller
  readonly #debt: Debt
  readonly #answerMs: number
  readonly #queries = new RateLimit(MAX_QUERIES, realClock)
  #membership: Membership | null = null
  #isJoining = false
  #isClosed = false
  #isRefused = false
  #number = 0
  #alive = true
  #maxUnread = MAX_UNREAD_BYTES
  /** Before it has joined. */
  readonly #messages = new Waiting<StockMessage>()
  /** Before it answers our step 1. */
  readonly #edits = new Waiting<Bytes>()
  /** It has told all that it had and we had not. */
  #isCaughtUp = false
  /** It took too long to answer, so its edits are tried as they come. */
  #isLate = false
  #uncommitted = 0
  /** What the network has not taken. */
  #unread = 0
  /** Of a message whose end has not come, with the cost of its pieces. */
  #partial = 0
  /** The cost of the latest piece, until a ping or pong in it has taken that back. */
  #pieceCost = 0
  #cancelTimer = (): void => {}

  constructor({ socket, stream, rooms, debts, caller, answerMs = ANSWER_MS }: StockClientParts) {
    this.#socket = socket
    this.#stream = stream
    this.#cork = new LateCork(stream)
    this.#rooms = rooms
    this.#caller = caller
    this.#answerMs = answerMs
    this.#debt = debts.open(caller.principal.id, (reason) => this.#refuse(new RoomRefusal(reason)))
  }

  start(): void {
    const beat = setInterval(() => this.#beat(), BEAT_MS)
    // Before ws reads it: with the end of a message nothing of it is partial any more.
    this.#stream.prependListener('data', (piece: Uint8Array) => this.#onPiece(piece))
    this.#socket.on('message', (data: Buffer) => this.#onMessage(data))
    this.#socket.on('ping', (payload: Buffer) => this.#onControl(payload))
    this.#socket.on('pong', (payload: Buffer) => {
      this.#alive = true
      this.#onControl(payload)
    })
    this.#stream.on('drain', () => this.#onDrain())
    this.#socket.on('close', () => {
      clearInterval(beat)
      this.#onClose()
    })
  }

  // What it says

  #onPiece({ length }: Uint8Array): void {
    this.#pieceCost = MESSAGE_COST_BYTES
    this.#partial += length + MESSAGE_COST_BYTES
    this.#charge()
  }

  /** A ping or pong is no part of a message, though it may come between two pieces of one. */
  #onControl({ length }: Uint8Array): void {
    this.#partial = Math.max(0, this.#partial - length - CONTROL_HEAD_BYTES - this.#pieceCost)
    this.#pieceCost = 0
    this.#charge()
  }

  #onMessage(data: Uint8Array): void {
    this.#partial = 0
    if (this.#socket.readyState !== WebSocket.OPEN) return
    try {
      const message = readStockMessage(data)
      this.#take(message)
      if (message.type === 'presence') this.#send(binaryFrame(data)) // the sender counts the seconds since it heard anything
    } catch (error) {
      this.#refuse(error)
    }
    this.#charge()
  }

  #take(message: StockMessage): void {
    if (message.type === 'step 1') return this.#join(message.bytes)
    if (!this.#membership) return this.#keepMessage(message)
    if (message.type === 'query') this.#answerQuery(this.#membership)
    else if (message.type === 'presence') this.#membership.presence(message.bytes)
    else this.#takeEdit(message.type, message.bytes)
  }

  #answerQuery(membership: Membership): void {
    if (this.#queries.take()) membership.repeatPresence()
  }

  #keepMessage(message: StockMessage): void {
    const own = message.type === 'query' ? message : { ...message, bytes: message.bytes.slice() }
    this.#messages.add(own, own.type === 'query' ? 0 : own.bytes.length)
    if (this.#isJoining) return // the socket is not read meanwhile, so only little follows
    if (this.#messages.isTooMuch) this.#join(EMPTY_STATE_VECTOR)
    else this.#startTimer(() => this.#join(EMPTY_STATE_VECTOR))
  }

  #takeEdit(type: 'step 2' | 'update', bytes: Bytes): void {
    if (type === 'step 2') {
      this.#cancelTimer()
      this.#isCaughtUp = true
      this.#commit(bytes, true)
      // Typed while it came back, on top of what it typed offline, which step 2 brought.
      for (const edit of this.#edits.take()) this.#commit(edit)
    } else if (this.#isCaughtUp || this.#isLate) this.#commit(bytes)
    else this.#keepEdit(bytes)
  }

  #keepEdit(bytes: Uint8Array): void {
    this.#edits.add(new Uint8Array(bytes), bytes.length)
    this.#charge()
    if (!this.#edits.isTooMuch) return
    if (this.#isLate) this.#refuse(new RoomRefusal({ code: 'behind', detail: strings.stockDoor.muchWaits }))
    else this.#takeUnanswered()
  }

  /** Those that build on what only its answer would bring go on waiting for that. */
  #takeUnanswered(): void {
    this.#isLate = true
    for (const edit of this.#edits.take()) this.#commit(edit)
  }

  #commit(bytes: Bytes, isStep2 = false): void {
    if (!this.#membership || this.#isRefused) return
    this.#uncommitted += bytes.length
    this.#charge()
    this.#readOn()
    this.#membership
      .edit(bytes, ++this.#number)
      .catch((error: unknown) => this.#onEditRefused(error, bytes, isStep2))
      .finally(() => {
        this.#uncommitted -= bytes.length
        this.#charge()
        this.#readOn()
      })
  }

  #onEditRefused(error: unknown, bytes: Bytes, isStep2: boolean): void {
    const code = error instanceof RoomRefusal ? error.reason.code : null
    // A reader answers step 1 with all its deletions, as the package does; that is no attempt to write.
    if (isStep2 && code === 'forbidden') return
    if (code === 'behind' && !this.#isCaughtUp && !this.#isClosed) this.#keepEdit(bytes)
    else this.#refuse(error)
  }

  /** Back-pressure: whoever writes faster than the disk takes it waits at the other end of the network. */
  #readOn(): void {
    const waits = this.#isJoining || this.#uncommitted > MAX_UNCOMMITTED_BYTES
    if (waits === this.#socket.isPaused) return
    if (waits) this.#socket.pause()
    else this.#socket.resume()
  }

  // Joining and leaving

  #join(stateVector: Uint8Array): void {
    if (this.#membership || this.#isJoining) return
    this.#cancelTimer()
    this.#isJoining = true
    this.#readOn()
    const request = {
      ...this.#caller,
      part: 'body',
      session: 'y-websocket',
      stateVector,
      isStock: true,
    } as const
    this.#rooms.join(request, this).then(
      (membership) => this.#onJoined(membership),
      (error: unknown) => this.#refuse(error),
    )
  }

  #onJoined(membership: Membership): void {
    this.#membership = membership
    this.#isJoining = false
    try {
      for (const message of this.#messages.take()) this.#take(message)
    } catch (error) {
      this.#refuse(error)
    }
    if (this.#isClosed) this.#leave()
    else this.#readOn()
  }

  #onClose(): void {
    this.#isClosed = true
    this.#cancelTimer()
    this.#debt.close()
    if (this.#membership) this.#leave()
  }

  /** It may have gone before it answered: what it typed is taken even so. */
  #leave(): void {
    this.#takeUnanswered()
    this.#membership?.leave()
    this.#membership = null
  }

  #startTimer(run: () => void): void {
    this.#cancelTimer()
    const timer = setTimeout(run, this.#answerMs)
    this.#cancelTimer = () => clearTimeout(timer)
  }

  // What the room tells

  onState({ updates, stateVector }: Parameters<Member['onState']>[0]): void {
    // A large document on a slow line is no fault of its reader.
    this.#maxUnread += updates.reduce((sum, { length }) => sum + length, 0)
    // With step 2 the package takes itself for synced, so that comes last.
    for (const update of updates.slice(0, -1)) this.#send(syncFrame(UPDATE, update))
    this.#send(syncFrame(STEP_2, updates.at(-1) ?? EMPTY_UPDATE))
    this.#send(syncFrame(STEP_1, stateVector))
    if (!this.#isCaughtUp && !this.#isClosed) this.#startTimer(() => this.#takeUnanswered())
  }

  onChange(updates: SharedUpdates): boolean {
    this.#send(changeFrames(updates))
    return true
  }

  /** Never: one that lags is sent away. */
  onCaughtUp(): void {}

  onPresence(update: Uint8Array): void {
    this.#send(presenceFrame(update))
  }

  onWholePresence(updates: readonly Uint8Array[]): void {
    for (const update of updates) this.#send(presenceFrame(update))
  }

  onRole(): void {}

  onStore(): void {}

  onEvicted(reason: ConstructorParameters<typeof RoomRefusal>[0]): void {
    this.#refuse(new RoomRefusal(reason))
  }

  /** @param frames One frame or several, heads included. */
  #send(frames: Buffer): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    this.#cork.gather(frames.length)
    if (this.#stream.write(frames)) return
    this.#unread = this.#stream.writableLength
    this.#charge()
    if (this.#unread > this.#maxUnread) closeWith(this.#socket, COME_AGAIN, strings.stockDoor.slowReader)
  }

  #onDrain(): void {
    this.#unread = this.#stream.writableLength
    this.#charge()
  }

  /** All that the server holds for it. */
  #charge(): void {
    const waiting = this.#messages.bytes + this.#edits.bytes + this.#uncommitted
    this.#debt.set(this.#unread + this.#partial + waiting)
  }

  #beat(): void {
    // Its pong may stand behind what we do not read.
    if (!this.#alive && !this.#socket.isPaused) return this.#socket.terminate()
    this.#alive = false
    this.#socket.ping()
    this.#membership?.repeatPresence()
  }

  #refuse(error: unknown): void {
    this.#isRefused = true
    this.#messages.take()
    this.#edits.take()
    this.#charge()
    const reason = error instanceof RoomRefusal || error instanceof ProtocolError ? error.reason : null
    const code = reason?.code
    if (reason && fateOf(reason) === 'retry')
      return closeWith(this.#socket, COME_AGAIN, describeClose(reason))
    const stop = code === 'forbidden' || code === 'bad-update' || code === 'taken' ? code : 'bad-frame'
    closeWith(this.#socket, STOP[stop], reason ? describeClose(reason) : strings.stockDoor.undecodable)
  }
}

export function closeWith(socket: WebSocket, code: number, sentence: string): void {
  let reason = sentence
  while (Buffer.byteLength(reason) > MAX_REASON_BYTES) reason = reason.slice(0, -1)
  socket.resume() // for its answer
  socket.close(code, reason)
}
