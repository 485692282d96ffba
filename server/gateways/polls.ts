/** What the gateways of polling transports share: each has an endpoint that opens a link, and all links are polled at one other. */
import { paths } from '../../lib/protocol/http.ts'
import { LinkHeadReader, linkKeyFields } from '../../lib/protocol/link-key.ts'
import { createDecoder, hasMoreBytes, ProtocolError, readNumber } from '../../lib/protocol/wire.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { TransportDescriptor } from '../../lib/transports/transport.ts'
import { isAccessRefusal } from '../access/access.ts'
import { answerJson, isClientGone } from '../http-answers.ts'
import type { Gateway, GatewayDependencies, GatewayRequest, GatewayResponse } from './gateway.ts'
import type { HttpLinks } from './http-links.ts'
import { createEndpointHandler } from './link-endpoints.ts'
import { PolledLink } from './polled-link.ts'
import {
  accessRequestOf,
  drainingRefusal,
  foreignOriginRefusal,
  refuseRequest,
  HttpRefusalError,
} from './http-refusals.ts'
import type { CreateTransportGateway, PollTiming } from './transport-gateway.ts'
import { readWholeBody } from './whole-body.ts'

/** The head, the cursor and the hold time need 135. */
const MAX_POLL_BYTES = 256

/** Its links begin at the transport's own path; `createNextPollGateway` answers their polls. */
export const createPolledGateway =
  ({ id, linkPath }: TransportDescriptor, ownTiming: PollTiming): CreateTransportGateway =>
  ({ access, sessions, log }, links, timing) => {
    async function handle(
      request: GatewayRequest,
      response: GatewayResponse,
      secure: boolean,
    ): Promise<void> {
      if (sessions.draining) return refuseRequest(response, drainingRefusal)
      if (links.fullRefusal) return refuseRequest(response, links.fullRefusal)
      const principal = await access.admit(accessRequestOf(request, secure))
      if (isAccessRefusal(principal)) return refuseRequest(response, principal)
      if (isClientGone(response)) return
      const protocol = request.httpVersionMajor === 2 ? 'h2' : 'http/1.1'
      const options = { transport: id, ...ownTiming, ...timing }
      const { link, key } = new PolledLink(principal, links, options, protocol)
      link.attach(sessions.accept(link, principal))
      answerJson(response, 201, linkKeyFields(key))
    }
    return {
      handleRequest: createEndpointHandler({ [linkPath]: { method: 'POST', handle } }, log),
      handleUpgrade: () => false,
      // The sessions have closed the links, which answered the waiting polls.
      close: () => {},
    }
  }

/** All polled links are polled here. */
export function createNextPollGateway({ access, log }: GatewayDependencies, links: HttpLinks): Gateway {
  async function answerNextPoll(
    request: GatewayRequest,
    response: GatewayResponse,
    secure: boolean,
  ): Promise<void> {
    const accessRequest = accessRequestOf(request, secure)
    if (!access.isOriginAllowed(accessRequest)) return refuseRequest(response, foreignOriginRefusal)
    const { key, cursor, holdMs } = readPoll(await readWholeBody(request, MAX_POLL_BYTES))
    const { link } = links.find(key, accessRequest)
    if (!link.answerPoll) throw new HttpRefusalError(400, 'bad-message', strings.gateway.notPolled)
    if (!isClientGone(response)) link.answerPoll(cursor, holdMs, response)
  }

  return {
    handleRequest: createEndpointHandler(
      { [paths.next]: { method: 'POST', readsBody: true, handle: answerNextPoll } },
      log,
    ),
    handleUpgrade: () => false,
    close: () => {},
  }
}

function readPoll(body: Uint8Array<ArrayBuffer>) {
  const head = new LinkHeadReader().push(body)
  if (!head) throw new ProtocolError('bad-frame', strings.gateway.bodyWithinHead)
  const decoder = createDecoder(head.rest)
  const request = { key: head.key, cursor: readNumber(decoder), holdMs: readNumber(decoder) }
  if (hasMoreBytes(decoder)) throw new ProtocolError('bad-frame', strings.gateway.bodyBehindPoll)
  return request
}
