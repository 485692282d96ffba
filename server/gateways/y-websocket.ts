/**
 * The gateway for stock Yjs clients: it uses the protocol of the y-websocket package at /yjs/{document}?token={link token}, and
 * shares text and presence with everybody else. That protocol has no acknowledgements, but edits are still committed before anybody
 * else sees them. Knows rooms directly, since a stock client has no session to resume.
 */
import { describeClose } from '../../lib/protocol/close.ts'
import { isDocumentId } from '../../lib/protocol/ids.ts'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import { apiStrings } from '../../lib/strings/api.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Access, AccessRefusal, AccessRequest } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { answerJson, pathOf } from '../http-answers.ts'
import { Meter } from '../metering/meter.ts'
import { PRICES } from '../metering/prices.ts'
import { incrementCount, ServerCounts } from '../metrics/server-counts.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import { BufferBudget } from '../sessions/buffer-budget.ts'
import { PrincipalCount } from '../sessions/principal-count.ts'
import type { Exchange, Gateway } from './gateway.ts'
import type { GatewayRequest } from './gateway-request.ts'
import { refuseRequest, type HttpRefusal } from './http-refusals.ts'
import { StockClient } from './stock-client.ts'
import { closeSocket, PERMANENT_CLOSE_CODES, TRY_AGAIN_LATER } from './stock-close.ts'
import { pickStockSubprotocol, stockCredentialsOf } from './stock-credentials.ts'
import { StockTickets } from './stock-tickets.ts'
import { type AcceptedWebSocket, type UpgradeRequest, WebSocketEndpoint } from './upgrade-request.ts'

/** The document's name, which may be anything. */
const CONNECTION_PATH = /^\/yjs\/(.*)$/s
const TICKET_PATH = /^\/yjs\/(.*)\/ticket$/s

export interface StockGatewayDependencies {
  readonly access: Access
  readonly rooms: Rooms
  /** Shared with the sessions: a principal has one budget for both. */
  readonly bufferBudget?: BufferBudget
  /** Shared with the sessions, too. */
  readonly meter?: Meter
  readonly counts?: ServerCounts
  readonly connections?: PrincipalCount
  /** This node's tickets, which other nodes may ask for. */
  readonly tickets?: StockTickets
  /** Redeems a ticket of another node (S10). By default there is none. */
  readonly redeemElsewhere?: (ticket: string, document: string) => Promise<Principal | null>
  /** The same as in `StockClientOptions`. */
  readonly answerTimeoutMs?: number
}

export function createStockGateway({
  access,
  rooms,
  bufferBudget = new BufferBudget(),
  meter = new Meter(),
  counts = new ServerCounts(),
  connections = new PrincipalCount(),
  tickets = new StockTickets(),
  redeemElsewhere = async () => null,
  answerTimeoutMs,
}: StockGatewayDependencies): Gateway {
  const endpoint = new WebSocketEndpoint({
    maxPayload: MAX_MESSAGE_BYTES,
    pickSubprotocol: pickStockSubprotocol,
  })

  return {
    requests: [{ path: TICKET_PATH, method: 'POST', admission: 'new link', handle: issueTicket }],
    webSockets: [{ path: CONNECTION_PATH, endpoint, identify, refuseCaller, open }],
    close() {
      tickets.expireAll()
      for (const socket of endpoint.webSockets)
        socket.close(TRY_AGAIN_LATER, serverRefusalsStrings.gateway.restarting)
    },
  }

  function issueTicket({ request, response }: Exchange, caller: Principal): void {
    const document = documentOf(request, TICKET_PATH)
    if (!isDocumentId(document)) return refuseRequest(response, noDocumentRefusal)
    const waitMs = meter.take(caller, PRICES.request, 'ticket')
    if (waitMs > 0) return refuseRequest(response, tooMuchWorkRefusal(waitMs))
    const ticket = tickets.issue(caller, document)
    if (ticket === null) {
      incrementCount(counts.refusedAdmissions, tooManyTicketsRefusal.code)
      return refuseRequest(response, tooManyTicketsRefusal)
    }
    answerJson(response, 201, { ticket })
  }

  async function identify(
    request: GatewayRequest,
    accessRequest: AccessRequest,
  ): Promise<Principal | AccessRefusal> {
    const { token, ticket } = stockCredentialsOf(request)
    if (ticket === null) return access.admit(withToken(accessRequest, token))
    // A ticket is for our pages and for programs: no page of another origin may use it (A1).
    const document = documentOf(request, CONNECTION_PATH)
    const holder = tickets.redeem(ticket, document) ?? (await redeemElsewhere(ticket, document))
    const isAllowed = request.headers.origin === undefined || access.isOriginAllowed(accessRequest)
    return isAllowed && holder ? holder : badTicketRefusal
  }

  /** A program takes a refused upgrade for a broken network, and would retry for ever. */
  function refuseCaller(upgradeRequest: UpgradeRequest, refusal: AccessRefusal): void {
    if (upgradeRequest.request.headers.origin !== undefined) return upgradeRequest.refuse(refusal)
    upgradeRequest.accept(({ webSocket }) => closeSocket(webSocket, closeCodeFor(refusal), refusal.message))
  }

  function open({ webSocket, stream, request }: AcceptedWebSocket, principal: Principal): void {
    if (!connections.hasRoomFor(principal)) {
      incrementCount(counts.refusedAdmissions, 'too-many')
      return closeSocket(webSocket, TRY_AGAIN_LATER, describeClose(connections.refusal(principal)))
    }
    webSocket.once('close', connections.add(principal))
    const { token } = stockCredentialsOf(request)
    new StockClient({
      socket: webSocket,
      stream,
      rooms,
      bufferBudget,
      meter,
      counts,
      caller: { document: documentOf(request, CONNECTION_PATH), token, principal },
      ...(answerTimeoutMs && { answerTimeoutMs }),
    }).start()
  }
}

const documentOf = (request: GatewayRequest, pattern: RegExp): string =>
  pattern.exec(pathOf(request) ?? '')?.[1] ?? ''

const noDocumentRefusal: HttpRefusal = {
  status: 404,
  code: 'not-found',
  message: serverRefusalsStrings.stockGateway.noDocument,
}

const tooManyTicketsRefusal: HttpRefusal = {
  status: 429,
  code: 'too-many',
  message: serverRefusalsStrings.stockGateway.manyTickets,
  retryAfterS: 30,
}

function tooMuchWorkRefusal(waitMs: number): HttpRefusal {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
  return { status: 429, code: 'too-many', message: apiStrings.tooFast.work(retryAfterS), retryAfterS }
}

const badTicketRefusal: AccessRefusal = {
  status: 403,
  code: 'forbidden',
  message: serverRefusalsStrings.stockGateway.badTicket,
}

const closeCodeFor = ({ status }: AccessRefusal): number =>
  status === 429 ? TRY_AGAIN_LATER : PERMANENT_CLOSE_CODES['sign-in']

/** Moves the token of the package, which can send no header, to the header where gateways look for it. */
const withToken = (accessRequest: AccessRequest, token: string): AccessRequest =>
  token
    ? { ...accessRequest, headers: { authorization: `Bearer ${token}`, ...accessRequest.headers } }
    : accessRequest
