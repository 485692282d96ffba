/** The server end of server-sent events: a ticket, then a stream of base64 frames. The way up is upstream.ts. */
import type { Writable } from 'node:stream'
import { paths, upEvent, writeCloseEvent, writeFrameEvent, writePass } from '../../lib/protocol/http.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { isRefusal } from '../access/access.ts'
import { answerJson, isGone } from '../answer.ts'
import { type DownFormat, DownLink } from './down-wire.ts'
import type { Gateway, GatewayParts, GatewayRequest, GatewayResponse } from './gateway.ts'
import type { HttpLinks } from './http-links.ts'
import { linkDoors } from './link-doors.ts'
import { doorOf, drainingRefusal, queryOf, refuse, Refusal } from './refusals.ts'
import { Tickets } from './tickets.ts'

const format: DownFormat = {
  transport: 'sse',
  contentType: 'text/event-stream',
  opening: () => ':\n\n',
  frame: writeFrameEvent,
  up: upEvent,
  close: writeCloseEvent,
}

const badTicket = (): Refusal => new Refusal(403, 'ticket', strings.door.badTicket)

export interface SseOptions {
  readonly ticketLifeMs?: number
}

export function sseGateway(
  { access, sessions, log }: GatewayParts,
  links: HttpLinks,
  { ticketLifeMs }: SseOptions = {},
): Gateway {
  const tickets = new Tickets<DownLink>((link) => link.forget(), ticketLifeMs)
  const open = new Set<Writable>()

  async function issue(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void> {
    if (sessions.draining) return refuse(response, drainingRefusal)
    if (links.full) return refuse(response, links.full)
    const principal = await access.admit(doorOf(request, secure))
    if (isRefusal(principal)) return refuse(response, principal)
    const link = new DownLink(principal, links, format)
    answerJson(response, 201, writePass({ ticket: tickets.issue(link), key: link.key }))
  }

  async function stream(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void> {
    const link = tickets.take(queryOf(request).get('ticket') ?? '')
    if (!link) throw badTicket()
    const principal = await access.admit(doorOf(request, secure), { ticketed: true })
    if (isRefusal(principal) || principal.credential !== link.credential) {
      link.forget()
      throw badTicket()
    }
    if (isGone(response)) return link.forget()
    const out: Writable = response
    open.add(out)
    out.once('close', () => open.delete(out))
    const end = link.open(response)
    end.attach(sessions.accept(end, link.principal))
  }

  return {
    handleRequest: linkDoors(
      { [paths.sseTicket]: { method: 'POST', run: issue }, [paths.sse]: { method: 'GET', run: stream } },
      log,
    ),
    handleUpgrade: () => false,
    close() {
      tickets.expireAll()
      for (const out of open) out.destroy()
    },
  }
}
