/**
 * One connection of a stock Yjs client.
 *
 *   open ──step 1──▶ joining ──▶ joined, first state sent ──its step 2──▶ caught up
 *     └── 5 s queued ──▲                └── 5 s ──▶ edits are tried as they come
 *
 * Messages that come before it has joined wait. So do edits that come before its answer to our step 1, because they may build on text
 * that the answer brings. Both queues are limited in bytes, and the socket is not read while the client joins, or while many of its
 * edits wait for the disk. All that the server holds for it, in either direction, is charged to its principal.
 */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { SharedUpdates } from '../../lib/protocol/shared-change.ts'
import type { Bytes } from '../../lib/protocol/wire.ts'
import { randomId } from '../../lib/protocol/ids.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import type { Meter } from '../metering/meter.ts'
import { joinUnits, PRICES } from '../metering/prices.ts'
import { incrementCount, type ServerCounts } from '../metrics/server-counts.ts'
import type { Membership } from '../rooms/membership.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import { type RoomSubscriber, RoomRefusal, type StateCost } from '../rooms/rooms.ts'
import type { BufferAccount, BufferBudget } from '../sessions/buffer-budget.ts'
import { PartialMessage } from './partial-message.ts'
import { closeSocket, closeSocketOnError, stockCloseCodeOf, TRY_AGAIN_LATER } from './stock-close.ts'
import {
  changeFrames,
  presenceFrame,
  readStockMessage,
  type StockMessage,
  syncFrame,
} from './stock-messages.ts'
import { WaitingItems } from './waiting-items.ts'
import { encodeBinaryFrame } from './web-socket-frame.ts'
import { WebSocketReader } from './web-socket-reader.ts'
import { AfterFirstWriteCork } from './write-cork.ts'
import { EMPTY_UPDATE, STEP_1, STEP_2, UPDATE } from './y-protocol-numbers.ts'
import { startTimeout } from '../timeouts.ts'

/** The package gives up a connection on which it received nothing for 30 s. */
const HEARTBEAT_MS = 15_000
/** How much may wait to be sent, besides the first state. */
const MAX_SEND_BACKLOG_BYTES = 4 * 1024 * 1024
const ANSWER_TIMEOUT_MS = 5_000
/** The socket is not read while more bytes of its edits wait for the disk. */
const MAX_UNCOMMITTED_BYTES = 1024 * 1024

/** Messages are charged so many at a time, since to charge one costs as much as to read it. */
const CHARGED_MESSAGES = 64

const EMPTY_STATE_VECTOR = Uint8Array.of(0)

export interface StockCaller {
  readonly document: string
  readonly token: string
  readonly principal: Principal
}

export interface StockClientOptions {
  readonly socket: WebSocket
  /** The stream below the socket. Frames are written to it directly, since nothing is compressed. */
  readonly stream: Duplex
  readonly rooms: Rooms
  readonly bufferBudget: BufferBudget
  readonly meter: Meter
  readonly counts: Pick<ServerCounts, 'refusals'>
  readonly caller: StockCaller
  /** How long its edits wait for its step 1, and then for its answer to ours; tests make it shorter. */
  readonly answerTimeoutMs?: number
}

export class StockClient implements RoomSubscriber {
  readonly #id = randomId()
  readonly #socket: WebSocket
  readonly #reader: WebSocketReader
  readonly #stream: Duplex
  readonly #cork: AfterFirstWriteCork
  readonly #rooms: Rooms
  readonly #meter: Meter
  readonly #counts: Pick<ServerCounts, 'refusals'>
  readonly #caller: StockCaller
  readonly #bufferAccount: BufferAccount
  readonly #answerTimeoutMs: number
  #membership: Membership | null = null
  #isJoining = false
  #hasState = false
  #isClosed = false
  #isRefused = false
  #editNumber = 0
  #isAlive = true
  #maxSendBacklog = MAX_SEND_BACKLOG_BYTES
  /** Messages that came before it has joined. */
  readonly #earlyMessages = new WaitingItems<StockMessage>()
  /** Edits that came before its answer to our step 1. */
  readonly #earlyEdits = new WaitingItems<Bytes>()
  /** True when it has sent all that it had and the server lacked. */
  #isCaughtUp = false
  /** True when its answer took too long: its edits are then tried as they come. */
  #isAnswerOverdue = false
  #uncommittedBytes = 0
  #messages = 0
  /** True while its principal has caused too much work. */
  #hasToWait = false
  #cancelWait = (): void => {}
  /** How many bytes the network has not taken. */
  #sendBacklog = 0
  readonly #partialMessage = new PartialMessage()
  #cancelTimer = (): void => {}

  constructor({
    socket,
    stream,
    rooms,
    bufferBudget,
    meter,
    counts,
    caller,
    answerTimeoutMs = ANSWER_TIMEOUT_MS,
  }: StockClientOptions) {
    this.#socket = socket
    this.#reader = new WebSocketReader(socket, caller.principal.id)
    this.#stream = stream
    this.#cork = new AfterFirstWriteCork(stream)
    this.#rooms = rooms
    this.#meter = meter
    this.#counts = counts
    this.#caller = caller
    this.#answerTimeoutMs = answerTimeoutMs
    this.#bufferAccount = bufferBudget.openAccount(caller.principal.id, (reason) =>
      this.#refuse(new RoomRefusal(reason)),
    )
  }

  start(): void {
    const heartbeat = setInterval(() => this.#onHeartbeat(), HEARTBEAT_MS)
    // Prepended, to count a piece before ws reads it: at the end of a message nothing of it is partial any more.
    this.#stream.prependListener('data', (piece: Uint8Array) => this.#onPiece(piece))
    this.#socket.on('ping', (payload: Buffer) => this.#onControl(payload))
    this.#socket.on('pong', (payload: Buffer) => {
      this.#isAlive = true
      this.#onControl(payload)
    })
    this.#stream.on('drain', () => this.#onDrain())
    this.#reader.start({
      onMessage: (data) => this.#onMessage(data),
      onClosed: () => {
        clearInterval(heartbeat)
        this.#onClose()
      },
    })
  }

  // From the client

  #onPiece({ length }: Uint8Array): void {
    this.#partialMessage.addPiece(length)
    this.#updateBufferAccount()
  }

  #onControl({ length }: Uint8Array): void {
    this.#countMessage()
    this.#partialMessage.subtractControl(length)
    this.#updateBufferAccount()
  }

  #onMessage(data: Uint8Array): void {
    this.#countMessage()
    this.#partialMessage.end()
    if (this.#isRefused) return
    try {
      const message = readStockMessage(data)
      this.#handleMessage(message)
      // The package gives up a connection on which it receives nothing. Once it has its state, the heartbeat sends it something.
      if (message.type === 'presence' && !this.#hasState) this.#send(encodeBinaryFrame(data))
    } catch (error) {
      this.#refuse(error)
    }
    this.#updateBufferAccount()
  }

  /** Its socket is not read until its messages are paid for. */
  #countMessage(): void {
    if (++this.#messages % CHARGED_MESSAGES > 0 || this.#isClosed) return
    const { principal } = this.#caller
    this.#meter.charge(principal, CHARGED_MESSAGES * PRICES.stockMessage)
    const waitMs = this.#meter.waitMs(principal)
    if (waitMs === 0) return
    this.#hasToWait = true
    this.#holdOrResume()
    this.#cancelWait()
    this.#cancelWait = startTimeout(waitMs, () => {
      this.#hasToWait = false
      this.#holdOrResume()
    })
  }

  #handleMessage(message: StockMessage): void {
    if (message.type === 'step 1') return this.#joinRoom(message.bytes)
    if (!this.#membership) return this.#queueMessage(message)
    if (message.type === 'query') this.#membership.askForPresence()
    else if (message.type === 'presence') this.#membership.sendPresence(message.bytes)
    else this.#handleEdit(message.type, message.bytes)
  }

  #queueMessage(message: StockMessage): void {
    const copy = message.type === 'query' ? message : { ...message, bytes: message.bytes.slice() }
    this.#earlyMessages.add(copy, copy.type === 'query' ? 0 : copy.bytes.length)
    if (this.#isJoining) return // the socket is paused, so only little follows
    if (this.#earlyMessages.isOverLimit) this.#joinRoom(EMPTY_STATE_VECTOR)
    else this.#startTimer(() => this.#joinRoom(EMPTY_STATE_VECTOR))
  }

  #handleEdit(type: 'step 2' | 'update', bytes: Bytes): void {
    if (type === 'step 2') {
      this.#cancelTimer()
      this.#isCaughtUp = true
      this.#commitEdit(bytes, true)
      // These were typed while it reconnected, and build on what it typed offline, which step 2 brought.
      for (const edit of this.#earlyEdits.takeAll()) this.#commitEdit(edit)
    } else if (this.#isCaughtUp || this.#isAnswerOverdue) this.#commitEdit(bytes)
    else this.#queueEdit(bytes)
  }

  #queueEdit(bytes: Uint8Array): void {
    this.#earlyEdits.add(new Uint8Array(bytes), bytes.length)
    this.#updateBufferAccount()
    if (!this.#earlyEdits.isOverLimit) return
    if (this.#isAnswerOverdue)
      this.#refuse(
        new RoomRefusal({ code: 'behind', detail: serverRefusalsStrings.stockGateway.queueTooLarge }),
      )
    else this.#commitWithoutAnswer()
  }

  /** Edits that build on text which only its answer can bring wait on. */
  #commitWithoutAnswer(): void {
    this.#isAnswerOverdue = true
    for (const edit of this.#earlyEdits.takeAll()) this.#commitEdit(edit)
  }

  #commitEdit(bytes: Bytes, isStep2 = false): void {
    if (!this.#membership || this.#isRefused) return
    this.#uncommittedBytes += bytes.length
    this.#updateBufferAccount()
    this.#holdOrResume()
    this.#membership
      .sendEdit(bytes, ++this.#editNumber)
      .catch((error: unknown) => this.#onEditRefused(error, bytes, isStep2))
      .finally(() => {
        this.#uncommittedBytes -= bytes.length
        this.#updateBufferAccount()
        this.#holdOrResume()
      })
  }

  #onEditRefused(error: unknown, bytes: Bytes, isStep2: boolean): void {
    const code = error instanceof RoomRefusal ? error.reason.code : null
    // The package answers step 1 with all its deletions, even as a reader; that is no attempt to write.
    if (isStep2 && code === 'forbidden') return
    if (code === 'behind' && !this.#isCaughtUp && !this.#isClosed) this.#queueEdit(bytes)
    else this.#refuse(error)
  }

  /** Back-pressure: a client that writes faster than the disk has to wait, or more than is paid for. */
  #holdOrResume(): void {
    this.#reader.hold(this.#isJoining || this.#hasToWait || this.#uncommittedBytes > MAX_UNCOMMITTED_BYTES)
  }

  // Joining and leaving

  #joinRoom(stateVector: Uint8Array): void {
    if (this.#membership || this.#isJoining) return
    this.#cancelTimer()
    this.#isJoining = true
    this.#holdOrResume()
    this.#joinWhenPaid(stateVector).then(
      (membership) => this.#onJoined(membership),
      (error: unknown) => this.#refuse(error),
    )
  }

  /** The socket is not read meanwhile. @throws {RoomRefusal} */
  async #joinWhenPaid(stateVector: Uint8Array): Promise<Membership> {
    await this.#spend(joinUnits(stateVector.length), 'join', stateVector.length)
    const request = {
      ...this.#caller,
      part: 'body',
      session: 'y-websocket',
      stateVector,
      isStock: true,
      admit: ({ units }: StateCost) => this.#spend(units, 'state'),
    } as const
    return this.#rooms.join(request, this)
  }

  async #spend(units: number, kind: 'join' | 'state', heldBytes = 0): Promise<void> {
    const isWanted = () => !this.#isClosed
    await this.#meter.spend(this.#caller.principal, units, kind, { window: this.#id, heldBytes, isWanted })
    if (this.#isClosed) throw new RoomRefusal({ code: 'lost' })
  }

  #onJoined(membership: Membership): void {
    this.#membership = membership
    this.#isJoining = false
    try {
      for (const message of this.#earlyMessages.takeAll()) this.#handleMessage(message)
    } catch (error) {
      this.#refuse(error)
    }
    if (this.#isClosed) this.#leaveRoom()
    else this.#holdOrResume()
  }

  #onClose(): void {
    this.#isClosed = true
    this.#cancelTimer()
    this.#cancelWait()
    this.#bufferAccount.close()
    if (this.#membership) this.#leaveRoom()
  }

  /** Commits the waiting edits first, since the client may have left before its answer. */
  #leaveRoom(): void {
    this.#commitWithoutAnswer()
    this.#membership?.leave()
    this.#membership = null
  }

  #startTimer(run: () => void): void {
    this.#cancelTimer()
    this.#cancelTimer = startTimeout(this.#answerTimeoutMs, run)
  }

  // From the room

  onState({ updates, stateVector }: Parameters<RoomSubscriber['onState']>[0]): void {
    this.#hasState = true
    // A large document on a slow line is no fault of its reader.
    this.#maxSendBacklog += updates.reduce((sum, { length }) => sum + length, 0)
    // Step 2 comes last, because the package then counts as synced.
    for (const update of updates.slice(0, -1)) this.#send(syncFrame(UPDATE, update))
    this.#send(syncFrame(STEP_2, updates.at(-1) ?? EMPTY_UPDATE))
    this.#send(syncFrame(STEP_1, stateVector))
    if (!this.#isCaughtUp && !this.#isClosed) this.#startTimer(() => this.#commitWithoutAnswer())
  }

  onChange(updates: SharedUpdates): boolean {
    this.#send(changeFrames(updates))
    return true
  }

  /** Never called: a client that lags is refused. */
  onMissedEdits(): void {}

  onPresence(update: Uint8Array): void {
    this.#send(presenceFrame(update))
  }

  onWholePresence(updates: readonly Uint8Array[]): void {
    for (const update of updates) this.#send(presenceFrame(update))
  }

  onRole(): void {}

  onStoreStatus(): void {}

  onEvicted(reason: ConstructorParameters<typeof RoomRefusal>[0]): void {
    this.#refuse(new RoomRefusal(reason))
  }

  /** @param frames One frame or several, headers included. */
  #send(frames: Buffer): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    this.#cork.beforeWrite(frames.length)
    if (this.#stream.write(frames)) return
    this.#sendBacklog = this.#stream.writableLength
    this.#updateBufferAccount()
    if (this.#sendBacklog <= this.#maxSendBacklog) return
    incrementCount(this.#counts.refusals, 'overloaded')
    closeSocket(this.#socket, TRY_AGAIN_LATER, serverRefusalsStrings.stockGateway.slowReader)
  }

  #onDrain(): void {
    this.#sendBacklog = this.#stream.writableLength
    this.#updateBufferAccount()
  }

  /** Sets the account to all that the server holds for the client. */
  #updateBufferAccount(): void {
    const waiting = this.#earlyMessages.bytes + this.#earlyEdits.bytes + this.#uncommittedBytes
    this.#bufferAccount.setBytes(this.#sendBacklog + this.#partialMessage.bytes + waiting)
  }

  #onHeartbeat(): void {
    // While the socket is paused, the pong may be among the unread bytes.
    if (!this.#isAlive && !this.#socket.isPaused) return this.#socket.terminate()
    this.#isAlive = false
    this.#socket.ping()
    this.#membership?.resendPresence()
  }

  #refuse(error: unknown): void {
    if (!this.#isRefused && !this.#isClosed) incrementCount(this.#counts.refusals, stockCloseCodeOf(error))
    this.#isRefused = true
    this.#earlyMessages.takeAll()
    this.#earlyEdits.takeAll()
    this.#updateBufferAccount()
    closeSocketOnError(this.#socket, error)
  }
}
