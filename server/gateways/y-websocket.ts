/**
 * The door for stock Yjs clients: speaks the protocol of the y-websocket package at /yjs/{document}?token={link token}, and
 * shares text and presence with everybody else. There is no acknowledgement in that protocol; edits are committed all the same
 * before anybody else sees them. Knows rooms directly: a stock client has no session to resume.
 */
import { WebSocket, WebSocketServer } from 'ws'
import { describeClose, fateOf } from '../../lib/protocol/close.ts'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import {
  type Bytes,
  createDecoder,
  createEncoder,
  ProtocolError,
  readBytes,
  readNumber,
  toBytes,
  writeBytes,
  writeNumber,
} from '../../lib/protocol/wire.ts'
import { type DoorRequest, isRefusal, type Refusal } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { answerJson, pathOf } from '../answer.ts'
import { type Member, type Membership, RoomRefusal, type Rooms } from '../rooms/rooms.ts'
import type { Gateway, GatewayParts, GatewayRequest, GatewayResponse } from './gateway.ts'
import { linkDoors } from './link-doors.ts'
import { doorOf, drainingRefusal, failedRefusal, refuse, type Refused } from './refusals.ts'
import { createStockTickets, pickStockProtocol, stockCredentialsOf } from './stock-credentials.ts'
import { connectKnock, type Knock, upgradeKnock } from './web-socket-knock.ts'
import { AWARENESS, EMPTY_UPDATE, QUERY_AWARENESS, STEP_1, STEP_2, SYNC, UPDATE } from './y-numbers.ts'

const PATH = '/yjs/'
const TICKET = '/ticket'
/** Each lives for 30 s. */
const MAX_TICKETS = 10_000

/** The package gives a connection up after 30 s in which it heard nothing. */
const BEAT_MS = 15_000
const MAX_WAITING_BYTES = 4 * 1024 * 1024

/** The package stops for good on 4400 to 4499, and comes again after any other code. */
const STOP = { 'sign-in': 4401, forbidden: 4403, 'bad-update': 4422, 'bad-frame': 4400 } as const
const COME_AGAIN = 1013
/** RFC 6455 leaves that much of a close frame to the reason. */
const MAX_REASON_BYTES = 123

interface Caller {
  readonly document: string
  readonly token: string
  readonly principal: Principal
}

export function yWebsocketGateway({
  access,
  sessions,
  rooms,
  log,
}: GatewayParts & { rooms: Rooms }): Gateway {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: pickStockProtocol,
  })
  const tickets = createStockTickets()

  return {
    handleRequest(request, response, secure) {
      const path = pathOf(request)
      if (!path?.startsWith(PATH) || !path.endsWith(TICKET)) return false
      return linkDoors({ [path]: { method: 'POST', run: issue } }, log)(request, response, secure)
    },
    handleUpgrade(request, socket, head, secure) {
      if (!isOurs(request)) return false
      answer(upgradeKnock(server, request, socket, head), secure)
      return true
    },
    handleConnect(request, response) {
      if (!isOurs(request)) return false
      answer(connectKnock(server, request, response, pickStockProtocol), true)
      return true
    },
    close() {
      tickets.expireAll()
      for (const socket of server.clients) socket.close(COME_AGAIN, 'The server is restarting.')
    },
  }

  function answer(knock: Knock, secure: boolean): void {
    admit(knock, secure).catch((error: unknown) => {
      log.error({ err: error }, 'a stock client could not be admitted')
      knock.refuse(failedRefusal)
    })
  }

  async function issue(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void> {
    if (sessions.draining) return refuse(response, drainingRefusal)
    const principal = await access.admit(doorOf(request, secure))
    if (isRefusal(principal)) return refuse(response, principal)
    if (tickets.size >= MAX_TICKETS) return refuse(response, tooManyTickets)
    const document = pathOf(request)!.slice(PATH.length, -TICKET.length)
    answerJson(response, 201, { ticket: tickets.issue({ principal, document }) })
  }

  /** A page of ours fetched it, or a program: no other page may use it (A1). */
  function redeem(ticket: string, document: string, door: DoorRequest): Principal | Refusal {
    const holder = tickets.take(ticket)
    const isAllowed = door.headers.origin === undefined || access.originAllowed(door)
    return isAllowed && holder?.document === document ? holder.principal : badTicket
  }

  async function admit(knock: Knock, secure: boolean): Promise<void> {
    if (sessions.draining) return knock.refuse(drainingRefusal)
    const { request } = knock
    const { token, ticket } = stockCredentialsOf(request)
    const asked = { document: pathOf(request)!.slice(PATH.length), token }
    const principal =
      ticket === null
        ? await access.admit(doorWithToken(request, token, secure))
        : redeem(ticket, asked.document, doorOf(request, secure))
    if (isRefusal(principal) && request.headers.origin !== undefined) return knock.refuse(principal)
    knock.accept((webSocket) => {
      // A program of one's own takes a refused upgrade for a broken network and comes again for ever.
      if (isRefusal(principal)) closeWith(webSocket, STOP['sign-in'], principal.message)
      else new StockClient(webSocket, rooms, { ...asked, principal }).start()
    })
  }
}

const tooManyTickets: Refused = {
  status: 503,
  code: 'overloaded',
  message: 'Too many tickets wait to be used.',
}

const badTicket: Refusal = {
  status: 403,
  code: 'forbidden',
  message: 'This ticket is unknown, used, expired or another document’s.',
}

const isOurs = (request: GatewayRequest): boolean => pathOf(request)?.startsWith(PATH) ?? false

/** The package can send no header, so its token comes otherwise, and is moved where doors look. */
function doorWithToken(request: GatewayRequest, token: string, secure: boolean): DoorRequest {
  const door = doorOf(request, secure)
  return token ? { ...door, headers: { authorization: `Bearer ${token}`, ...door.headers } } : door
}

class StockClient {
  readonly #socket: WebSocket
  readonly #rooms: Rooms
  readonly #caller: Caller
  #membership: Membership | null = null
  #number = 0
  #alive = true
  /** It has told all that it had and we had not. */
  #caughtUp = false
  #maxWaiting = MAX_WAITING_BYTES
  /** Messages are taken one after the other; joining takes a moment, and presence follows at its heels. */
  #taking: Promise<void> = Promise.resolve()

  constructor(socket: WebSocket, rooms: Rooms, caller: Caller) {
    this.#socket = socket
    this.#rooms = rooms
    this.#caller = caller
  }

  start(): void {
    const beat = setInterval(() => this.#beat(), BEAT_MS)
    this.#socket.on('message', (data: Buffer) => {
      this.#taking = this.#taking.then(() => this.#take(data)).catch((error: unknown) => this.#refuse(error))
    })
    this.#socket.on('pong', () => {
      this.#alive = true
    })
    this.#socket.on('error', () => this.#socket.terminate())
    this.#socket.on('close', () => {
      clearInterval(beat)
      void this.#taking.then(() => this.#membership?.leave())
    })
  }

  async #take(data: Uint8Array): Promise<void> {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    const decoder = createDecoder(data)
    const kind = readNumber(decoder)
    if (kind === SYNC) return this.#sync(readNumber(decoder), readBytes(decoder))
    if (kind === QUERY_AWARENESS) return this.#membership?.repeatPresence()
    if (kind !== AWARENESS) throw new ProtocolError('bad-frame', `a message of kind ${kind}`)
    this.#membership?.presence(readBytes(decoder))
    this.#send(data) // the sender counts the seconds since it heard anything
  }

  async #sync(step: number, bytes: Bytes): Promise<void> {
    if (step === STEP_1) return this.#join(bytes)
    if (step !== STEP_2 && step !== UPDATE) throw new ProtocolError('bad-frame', `sync step ${step}`)
    if (!this.#membership) throw new ProtocolError('bad-message', 'an update before sync step 1')
    if (step === STEP_2) this.#caughtUp = true
    // Typed while it comes back, on top of what it typed offline: its step 2 brings both.
    if (!this.#caughtUp) return
    const committed = this.#membership.edit(bytes, ++this.#number)
    committed.catch((error: unknown) => {
      // A reader answers step 1 with all its deletions, as the package does; that is no attempt to write.
      const answered = step === STEP_2 && error instanceof RoomRefusal && error.reason.code === 'forbidden'
      if (!answered) this.#refuse(error)
    })
  }

  async #join(stateVector: Uint8Array): Promise<void> {
    if (this.#membership) return
    const session = 'y-websocket'
    this.#membership = await this.#rooms.join(
      { ...this.#caller, part: 'body', session, stateVector },
      this.#member(),
    )
    if (this.#socket.readyState !== WebSocket.OPEN) this.#membership.leave()
  }

  #member(): Member {
    return {
      onState: ({ updates, stateVector }) => {
        // A large document on a slow line is no fault of its reader.
        this.#maxWaiting += updates.reduce((sum, { length }) => sum + length, 0)
        // With step 2 the package takes itself for synced, so that comes last.
        for (const update of updates.slice(0, -1)) this.#send(syncMessage(UPDATE, update))
        this.#send(syncMessage(STEP_2, updates.at(-1) ?? EMPTY_UPDATE))
        this.#send(syncMessage(STEP_1, stateVector))
      },
      onChange: ({ updates }) => {
        for (const update of updates) this.#send(syncMessage(UPDATE, update))
        return true
      },
      onCaughtUp: () => {}, // one that lags is sent away
      onPresence: (update) => this.#send(awarenessMessage(update)),
      onRole: () => {},
      onStore: () => {},
      onEvicted: (reason) => this.#refuse(new RoomRefusal(reason)),
    }
  }

  #beat(): void {
    if (!this.#alive) return this.#socket.terminate()
    this.#alive = false
    this.#socket.ping()
    this.#membership?.repeatPresence()
  }

  #send(message: Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    this.#socket.send(message)
    if (this.#socket.bufferedAmount > this.#maxWaiting)
      closeWith(this.#socket, COME_AGAIN, 'This client reads too slowly.')
  }

  #refuse(error: unknown): void {
    const reason = error instanceof RoomRefusal || error instanceof ProtocolError ? error.reason : null
    const code = reason?.code
    if (reason && fateOf(reason) === 'retry')
      return closeWith(this.#socket, COME_AGAIN, describeClose(reason))
    const stop = code === 'forbidden' || code === 'bad-update' ? code : 'bad-frame'
    closeWith(this.#socket, STOP[stop], reason ? describeClose(reason) : 'A message could not be decoded.')
  }
}

function closeWith(socket: WebSocket, code: number, sentence: string): void {
  let reason = sentence
  while (Buffer.byteLength(reason) > MAX_REASON_BYTES) reason = reason.slice(0, -1)
  socket.close(code, reason)
}

function syncMessage(step: number, payload: Uint8Array): Bytes {
  const encoder = createEncoder()
  writeNumber(encoder, SYNC)
  writeNumber(encoder, step)
  writeBytes(encoder, payload)
  return toBytes(encoder)
}

function awarenessMessage(update: Uint8Array): Bytes {
  const encoder = createEncoder()
  writeNumber(encoder, AWARENESS)
  writeBytes(encoder, update)
  return toBytes(encoder)
}
