/**
 * The gateway for stock Yjs clients: it uses the protocol of the y-websocket package at /yjs/{document}?token={link token}, and
 * shares text and presence with everybody else. That protocol has no acknowledgements, but edits are still committed before anybody
 * else sees them. Knows rooms directly, since a stock client has no session to resume.
 */
import { describeClose } from '../../lib/protocol/close.ts'
import { isDocumentId } from '../../lib/protocol/ids.ts'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { type AccessRequest, isAccessRefusal, type AccessRefusal } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { answerJson, pathOf } from '../http-answers.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { BufferBudget } from '../sessions/buffer-budget.ts'
import { PrincipalCount } from '../sessions/principal-count.ts'
import type { Gateway, GatewayDependencies, GatewayRequest, GatewayResponse } from './gateway.ts'
import { createEndpointHandler } from './link-endpoints.ts'
import {
  accessRequestOf,
  drainingRefusal,
  admissionFailedRefusal,
  refuseRequest,
  type HttpRefusal,
} from './http-refusals.ts'
import { closeSocket, TRY_AGAIN_LATER, StockClient, PERMANENT_CLOSE_CODES } from './stock-client.ts'
import { pickStockSubprotocol, stockCredentialsOf } from './stock-credentials.ts'
import { StockTickets } from './stock-tickets.ts'
import {
  createHttp2UpgradeRequest,
  createWebSocketServer,
  type UpgradeRequest,
  createHttp1UpgradeRequest,
} from './upgrade-request.ts'

const PATH_PREFIX = '/yjs/'
const TICKET_SUFFIX = '/ticket'

export interface StockGatewayDependencies extends GatewayDependencies {
  readonly rooms: Rooms
  /** Shared with the sessions: a principal has one budget for both. */
  readonly bufferBudget?: BufferBudget
  readonly connections?: PrincipalCount
  /** The same as in `StockClientOptions`. */
  readonly answerTimeoutMs?: number
}

export function createStockGateway({
  access,
  sessions,
  rooms,
  log,
  bufferBudget = new BufferBudget(),
  connections = new PrincipalCount(),
  answerTimeoutMs,
}: StockGatewayDependencies): Gateway {
  const server = createWebSocketServer({
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: pickStockSubprotocol,
  })
  const tickets = new StockTickets()

  return {
    handleRequest(request, response, secure) {
      const path = pathOf(request)
      if (!path?.startsWith(PATH_PREFIX) || !path.endsWith(TICKET_SUFFIX)) return false
      return createEndpointHandler({ [path]: { method: 'POST', handle: issueTicket } }, log)(
        request,
        response,
        secure,
      )
    },
    handleUpgrade(request, socket, head, secure) {
      if (!isStockRequest(request)) return false
      handleUpgradeRequest(createHttp1UpgradeRequest(server, request, socket, head), secure)
      return true
    },
    handleConnect(request, response) {
      if (!isStockRequest(request)) return false
      handleUpgradeRequest(createHttp2UpgradeRequest(server, request, response, pickStockSubprotocol), true)
      return true
    },
    close() {
      tickets.expireAll()
      for (const socket of server.clients) socket.close(TRY_AGAIN_LATER, strings.gateway.restarting)
    },
  }

  function handleUpgradeRequest(upgradeRequest: UpgradeRequest, secure: boolean): void {
    admit(upgradeRequest, secure).catch((error: unknown) => {
      log.error({ err: error }, 'a stock client could not be admitted')
      upgradeRequest.refuse(admissionFailedRefusal)
    })
  }

  async function issueTicket(
    request: GatewayRequest,
    response: GatewayResponse,
    secure: boolean,
  ): Promise<void> {
    if (sessions.draining) return refuseRequest(response, drainingRefusal)
    const principal = await access.admit(accessRequestOf(request, secure))
    if (isAccessRefusal(principal)) return refuseRequest(response, principal)
    const document = pathOf(request)!.slice(PATH_PREFIX.length, -TICKET_SUFFIX.length)
    if (!isDocumentId(document)) return refuseRequest(response, noDocumentRefusal)
    const ticket = tickets.issue(principal, document)
    if (ticket === null) return refuseRequest(response, tooManyTicketsRefusal)
    answerJson(response, 201, { ticket })
  }

  /** A ticket is for our pages and for programs: no page of another origin may use it (A1). */
  function redeemTicket(
    ticket: string,
    document: string,
    accessRequest: AccessRequest,
  ): Principal | AccessRefusal {
    const holder = tickets.redeem(ticket, document)
    const isAllowed = accessRequest.headers.origin === undefined || access.isOriginAllowed(accessRequest)
    return isAllowed && holder ? holder : badTicketRefusal
  }

  async function admit(upgradeRequest: UpgradeRequest, secure: boolean): Promise<void> {
    if (sessions.draining) return upgradeRequest.refuse(drainingRefusal)
    const { request } = upgradeRequest
    const { token, ticket } = stockCredentialsOf(request)
    const requested = { document: pathOf(request)!.slice(PATH_PREFIX.length), token }
    const principal =
      ticket === null
        ? await access.admit(accessRequestWithToken(request, token, secure))
        : redeemTicket(ticket, requested.document, accessRequestOf(request, secure))
    if (isAccessRefusal(principal) && request.headers.origin !== undefined)
      return upgradeRequest.refuse(principal)
    upgradeRequest.accept((socket, stream) => {
      // A program takes a refused upgrade for a broken network, and would retry for ever.
      if (isAccessRefusal(principal)) return closeSocket(socket, closeCodeFor(principal), principal.message)
      if (!connections.hasRoomFor(principal))
        return closeSocket(socket, TRY_AGAIN_LATER, describeClose(connections.refusal(principal)))
      socket.once('close', connections.add(principal))
      const caller = { ...requested, principal }
      new StockClient({
        socket,
        stream,
        rooms,
        bufferBudget,
        caller,
        ...(answerTimeoutMs && { answerTimeoutMs }),
      }).start()
    })
  }
}

const noDocumentRefusal: HttpRefusal = {
  status: 404,
  code: 'not-found',
  message: strings.stockGateway.noDocument,
}

const tooManyTicketsRefusal: HttpRefusal = {
  status: 429,
  code: 'too-many',
  message: strings.stockGateway.manyTickets,
  retryAfterS: 30,
}

const badTicketRefusal: AccessRefusal = {
  status: 403,
  code: 'forbidden',
  message: strings.stockGateway.badTicket,
}

const closeCodeFor = ({ status }: AccessRefusal): number =>
  status === 429 ? TRY_AGAIN_LATER : PERMANENT_CLOSE_CODES['sign-in']

export const isStockPath = (path: string): boolean => path.startsWith(PATH_PREFIX)

const isStockRequest = (request: GatewayRequest): boolean => isStockPath(pathOf(request) ?? '')

/** Moves the token of the package, which can send no header, to the header where gateways look for it. */
function accessRequestWithToken(request: GatewayRequest, token: string, secure: boolean): AccessRequest {
  const accessRequest = accessRequestOf(request, secure)
  return token
    ? { ...accessRequest, headers: { authorization: `Bearer ${token}`, ...accessRequest.headers } }
    : accessRequest
}
