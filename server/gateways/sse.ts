/** The gateway of server-sent events: a ticket, then a stream of base64 frames. The upstream is in upstream.ts. */
import type { Writable } from 'node:stream'
import { upEvent, writeCloseEvent, writeFrameEvent, sseTicketFields } from '../../lib/protocol/http.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { sse, ssePaths } from '../../lib/transports/sse.ts'
import { isAccessRefusal } from '../access/access.ts'
import { answerJson, isClientGone } from '../http-answers.ts'
import { type DownstreamFormat, DownstreamLink } from './downstream-link.ts'
import type { Gateway, GatewayDependencies, GatewayRequest, GatewayResponse } from './gateway.ts'
import type { HttpLinks } from './http-links.ts'
import { createEndpointHandler } from './link-endpoints.ts'
import {
  accessRequestOf,
  drainingRefusal,
  queryOf,
  refuseRequest,
  HttpRefusalError,
} from './http-refusals.ts'
import type { GatewayTiming } from './transport-gateway.ts'
import { Tickets } from './tickets.ts'

const sseFormat: DownstreamFormat = {
  transport: sse.id,
  contentType: 'text/event-stream',
  encodeOpening: () => ':\n\n',
  encodeFrame: writeFrameEvent,
  streamedBodyNotice: upEvent,
  encodeClose: writeCloseEvent,
}

const badTicketError = (): HttpRefusalError => new HttpRefusalError(403, 'ticket', strings.gateway.badTicket)

export function createSseGateway(
  { access, sessions, log }: GatewayDependencies,
  links: HttpLinks,
  { ticketLifetimeMs }: GatewayTiming = {},
): Gateway {
  const tickets = new Tickets<DownstreamLink>((link) => link.forget(), ticketLifetimeMs)
  const openResponses = new Set<Writable>()

  async function issueTicket(
    request: GatewayRequest,
    response: GatewayResponse,
    secure: boolean,
  ): Promise<void> {
    if (sessions.draining) return refuseRequest(response, drainingRefusal)
    if (links.fullRefusal) return refuseRequest(response, links.fullRefusal)
    const principal = await access.admit(accessRequestOf(request, secure))
    if (isAccessRefusal(principal)) return refuseRequest(response, principal)
    const link = new DownstreamLink(principal, links, sseFormat)
    answerJson(response, 201, sseTicketFields({ ticket: tickets.issue(link), key: link.key }))
  }

  async function openStream(
    request: GatewayRequest,
    response: GatewayResponse,
    secure: boolean,
  ): Promise<void> {
    const link = tickets.redeem(queryOf(request).get('ticket') ?? '')
    if (!link) throw badTicketError()
    const principal = await access.admit(accessRequestOf(request, secure), { ticketed: true })
    if (isAccessRefusal(principal) || principal.credential !== link.credential) {
      link.forget()
      throw badTicketError()
    }
    if (isClientGone(response)) return link.forget()
    const out: Writable = response
    openResponses.add(out)
    out.once('close', () => openResponses.delete(out))
    const end = link.open(response)
    end.attach(sessions.accept(end, link.principal))
  }

  return {
    handleRequest: createEndpointHandler(
      {
        [ssePaths.ticket]: { method: 'POST', handle: issueTicket },
        [ssePaths.events]: { method: 'GET', handle: openStream },
      },
      log,
    ),
    handleUpgrade: () => false,
    close() {
      tickets.expireAll()
      for (const out of openResponses) out.destroy()
    },
  }
}
