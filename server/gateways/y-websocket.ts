/**
 * The door for stock Yjs clients: speaks the protocol of the y-websocket package at /yjs/{document}?token={link token}, and
 * shares text and presence with everybody else. There is no acknowledgement in that protocol; edits are committed all the same
 * before anybody else sees them. Knows rooms directly: a stock client has no session to resume.
 */
import { describeClose } from '../../lib/protocol/close.ts'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import { type DoorRequest, isRefusal, type Refusal } from '../access/access.ts'
import { pathOf } from '../answer.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { Debts } from '../sessions/debts.ts'
import { PrincipalCount } from '../sessions/principal-count.ts'
import type { Gateway, GatewayParts, GatewayRequest } from './gateway.ts'
import { doorOf, drainingRefusal, failedRefusal, queryOf } from './refusals.ts'
import { closeWith, COME_AGAIN, StockClient, STOP } from './stock-client.ts'
import { connectKnock, createWebSocketServer, type Knock, upgradeKnock } from './web-socket-knock.ts'

const PATH = '/yjs/'

export interface StockGatewayParts extends GatewayParts {
  readonly rooms: Rooms
  /** Shared with the sessions: a principal has one budget for both. */
  readonly debts?: Debts
  readonly connections?: PrincipalCount
}

export function yWebsocketGateway({
  access,
  sessions,
  rooms,
  log,
  debts = new Debts(),
  connections = new PrincipalCount(),
}: StockGatewayParts): Gateway {
  const server = createWebSocketServer({ maxPayload: MAX_MESSAGE_BYTES })

  return {
    handleRequest: () => false,
    handleUpgrade(request, socket, head, secure) {
      if (!isOurs(request)) return false
      answer(upgradeKnock(server, request, socket, head), secure)
      return true
    },
    handleConnect(request, response) {
      if (!isOurs(request)) return false
      answer(connectKnock(server, request, response), true)
      return true
    },
    close() {
      for (const socket of server.clients) socket.close(COME_AGAIN, 'The server is restarting.')
    },
  }

  function answer(knock: Knock, secure: boolean): void {
    admit(knock, secure).catch((error: unknown) => {
      log.error({ err: error }, 'a stock client could not be admitted')
      knock.refuse(failedRefusal)
    })
  }

  async function admit(knock: Knock, secure: boolean): Promise<void> {
    if (sessions.draining) return knock.refuse(drainingRefusal)
    const { request } = knock
    const asked = {
      document: pathOf(request)!.slice(PATH.length),
      token: queryOf(request).get('token') ?? '',
    }
    const principal = await access.admit(doorWithToken(request, asked.token, secure))
    if (isRefusal(principal) && request.headers.origin !== undefined) return knock.refuse(principal)
    knock.accept((socket, stream) => {
      // A program of one's own takes a refused upgrade for a broken network and comes again for ever.
      if (isRefusal(principal)) return closeWith(socket, codeFor(principal), principal.message)
      if (!connections.hasRoomFor(principal))
        return closeWith(socket, COME_AGAIN, describeClose(connections.refusal(principal, 'connections')))
      socket.once('close', connections.add(principal))
      new StockClient({ socket, stream, rooms, debts, caller: { ...asked, principal } }).start()
    })
  }
}

const codeFor = ({ status }: Refusal): number => (status === 429 ? COME_AGAIN : STOP['sign-in'])

export const opensStockLink = (path: string): boolean => path.startsWith(PATH)

const isOurs = (request: GatewayRequest): boolean => opensStockLink(pathOf(request) ?? '')

/** The package can send no header, so its token stands in the URL (A3 allows a share link's own) and is moved where doors look. */
function doorWithToken(request: GatewayRequest, token: string, secure: boolean): DoorRequest {
  const door = doorOf(request, secure)
  return token ? { ...door, headers: { authorization: `Bearer ${token}`, ...door.headers } } : door
}
