/** The gateway of server-sent events: a ticket, then a stream of base64 frames. The upstream is in upstream.ts. */
import { upEvent, writeCloseEvent, writeFrameEvent, sseTicketFields } from '../../lib/protocol/http.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { sse, ssePaths } from '../../lib/transports/sse.ts'
import type { Principal } from '../access/principal.ts'
import { answerJson, isClientGone } from '../http-answers.ts'
import { type DownstreamFormat, DownstreamLink, OpenDownstreams } from './downstream-link.ts'
import type { Exchange, Gateway, GatewayDependencies } from './gateway.ts'
import type { HttpLinks } from './http-links.ts'
import { queryOf, HttpRefusalError } from './http-refusals.ts'
import { Tickets } from './tickets.ts'
import type { GatewayTiming } from './transport-gateway.ts'

const sseFormat: DownstreamFormat = {
  transport: sse.id,
  contentType: 'text/event-stream',
  encodeOpening: () => ':\n\n',
  encodeFrame: writeFrameEvent,
  streamedBodyNotice: upEvent,
  encodeClose: writeCloseEvent,
}

export function createSseGateway(
  { sessions }: Pick<GatewayDependencies, 'sessions'>,
  links: HttpLinks,
  { ticketLifetimeMs }: GatewayTiming = {},
): Gateway {
  const tickets = new Tickets<DownstreamLink>(links.node, (link) => link.forget(), ticketLifetimeMs)
  const downstreams = new OpenDownstreams(sessions)

  function issueTicket({ response }: Exchange, caller: Principal): void {
    const link = new DownstreamLink(caller, links, sseFormat)
    answerJson(response, 201, sseTicketFields({ ticket: tickets.issue(link), key: link.key }))
  }

  function openStream(exchange: Exchange, caller: Principal | null): void {
    const { request, response } = exchange
    const ticket = queryOf(request).get('ticket') ?? ''
    if (links.forward(ticket, exchange)) return
    const link = tickets.redeem(ticket)
    if (!link || link.credential !== caller?.credential) {
      link?.forget()
      throw new HttpRefusalError(403, 'ticket', serverRefusalsStrings.gateway.badTicket)
    }
    if (isClientGone(response)) return link.forget()
    downstreams.open(link, response)
  }

  return {
    requests: [
      { path: ssePaths.ticket, method: 'POST', admission: 'new link', handle: issueTicket },
      { path: ssePaths.events, method: 'GET', admission: 'ticket', handle: openStream },
    ],
    close() {
      tickets.expireAll()
      downstreams.cutAll()
    },
  }
}
