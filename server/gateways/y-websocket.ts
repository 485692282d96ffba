/**
 * The door for stock Yjs clients: speaks the protocol of the y-websocket package at /yjs/{document}?token={link token}, and
 * shares text and presence with everybody else. There is no acknowledgement in that protocol; edits are committed all the same
 * before anybody else sees them. Knows rooms directly: a stock client has no session to resume.
 */
import { describeClose } from '../../lib/protocol/close.ts'
import { isDocumentId } from '../../lib/protocol/ids.ts'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { type DoorRequest, isRefusal, type Refusal } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { answerJson, pathOf } from '../answer.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { Debts } from '../sessions/debts.ts'
import { PrincipalCount } from '../sessions/principal-count.ts'
import type { Gateway, GatewayParts, GatewayRequest, GatewayResponse } from './gateway.ts'
import { linkDoors } from './link-doors.ts'
import { doorOf, drainingRefusal, failedRefusal, refuse, type Refused } from './refusals.ts'
import { closeWith, COME_AGAIN, StockClient, STOP } from './stock-client.ts'
import { pickStockProtocol, stockCredentialsOf } from './stock-credentials.ts'
import { StockTickets } from './stock-tickets.ts'
import { connectKnock, createWebSocketServer, type Knock, upgradeKnock } from './web-socket-knock.ts'

const PATH = '/yjs/'
const TICKET = '/ticket'

export interface StockGatewayParts extends GatewayParts {
  readonly rooms: Rooms
  /** Shared with the sessions: a principal has one budget for both. */
  readonly debts?: Debts
  readonly connections?: PrincipalCount
  /** As of a stock client. */
  readonly answerMs?: number
}

export function yWebsocketGateway({
  access,
  sessions,
  rooms,
  log,
  debts = new Debts(),
  connections = new PrincipalCount(),
  answerMs,
}: StockGatewayParts): Gateway {
  const server = createWebSocketServer({
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: pickStockProtocol,
  })
  const tickets = new StockTickets()

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
      for (const socket of server.clients) socket.close(COME_AGAIN, strings.door.restarting)
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
    const document = pathOf(request)!.slice(PATH.length, -TICKET.length)
    if (!isDocumentId(document)) return refuse(response, noDocument)
    const ticket = tickets.issue(principal, document)
    if (ticket === null) return refuse(response, tooManyTickets)
    answerJson(response, 201, { ticket })
  }

  /** A page of ours fetched it, or a program: no other page may use it (A1). */
  function redeem(ticket: string, document: string, door: DoorRequest): Principal | Refusal {
    const holder = tickets.redeem(ticket, document)
    const isAllowed = door.headers.origin === undefined || access.originAllowed(door)
    return isAllowed && holder ? holder : badTicket
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
    knock.accept((socket, stream) => {
      // A program of one's own takes a refused upgrade for a broken network and comes again for ever.
      if (isRefusal(principal)) return closeWith(socket, codeFor(principal), principal.message)
      if (!connections.hasRoomFor(principal))
        return closeWith(socket, COME_AGAIN, describeClose(connections.refusal(principal)))
      socket.once('close', connections.add(principal))
      const caller = { ...asked, principal }
      new StockClient({ socket, stream, rooms, debts, caller, ...(answerMs && { answerMs }) }).start()
    })
  }
}

const noDocument: Refused = {
  status: 404,
  code: 'not-found',
  message: strings.stockDoor.noDocument,
}

const tooManyTickets: Refused = {
  status: 429,
  code: 'too-many',
  message: strings.stockDoor.manyTickets,
  retryAfterS: 30,
}

const badTicket: Refusal = {
  status: 403,
  code: 'forbidden',
  message: strings.stockDoor.badTicket,
}

const codeFor = ({ status }: Refusal): number => (status === 429 ? COME_AGAIN : STOP['sign-in'])

export const opensStockLink = (path: string): boolean => path.startsWith(PATH)

const isOurs = (request: GatewayRequest): boolean => opensStockLink(pathOf(request) ?? '')

/** The package can send no header, so its token comes otherwise, and is moved where doors look. */
function doorWithToken(request: GatewayRequest, token: string, secure: boolean): DoorRequest {
  const door = doorOf(request, secure)
  return token ? { ...door, headers: { authorization: `Bearer ${token}`, ...door.headers } } : door
}
