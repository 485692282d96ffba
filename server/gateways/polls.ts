/** What the gateways of polling transports share: each has an endpoint that opens a link, and all links are polled at one other. */
import { paths } from '../../lib/protocol/http.ts'
import { LinkHeadReader, linkKeyFields } from '../../lib/protocol/link-key.ts'
import { createDecoder, hasMoreBytes, ProtocolError, readNumber } from '../../lib/protocol/wire.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { TransportDescriptor } from '../../lib/transports/transport.ts'
import { answerJson, isClientGone } from '../http-answers.ts'
import type { Exchange, Gateway } from './gateway.ts'
import type { HttpLinks } from './http-links.ts'
import { HttpRefusalError } from './http-refusals.ts'
import { PolledLink } from './polled-link.ts'
import type { CreateTransportGateway, PollTiming } from './transport-gateway.ts'

/** The head, the cursor and the hold time need 135. */
const MAX_POLL_BYTES = 256

/**
 * Its links begin at the transport's own path; `createNextPollGateway` answers their polls. At the end the sessions have closed the
 * links, which answered the waiting polls.
 */
export const createPolledGateway =
  ({ id, linkPath }: TransportDescriptor, ownTiming: PollTiming): CreateTransportGateway =>
  ({ sessions }, links, timing) => ({
    requests: [
      {
        path: linkPath,
        method: 'POST',
        admission: 'new link',
        handle({ request, response }, caller) {
          if (isClientGone(response)) return
          const protocol = request.httpVersionMajor === 2 ? 'h2' : 'http/1.1'
          const options = { transport: id, ...ownTiming, ...timing }
          const { link, key } = new PolledLink(caller, links, options, protocol)
          link.attach(sessions.accept(link, caller))
          answerJson(response, 201, linkKeyFields(key))
        },
      },
    ],
  })

/** All polled links are polled here. */
export function createNextPollGateway(links: HttpLinks): Gateway {
  async function answerNextPoll(exchange: Exchange): Promise<void> {
    const { response, accessRequest } = exchange
    const body = await exchange.body
    const { key, cursor, holdMs } = readPoll(body)
    if (links.forward(key.id, exchange, body)) return
    const { link } = links.find(key, accessRequest)
    if (!link.answerPoll)
      throw new HttpRefusalError(400, 'bad-message', serverRefusalsStrings.gateway.notPolled)
    if (!isClientGone(response)) link.answerPoll(cursor, holdMs, response)
  }

  return {
    requests: [
      {
        path: paths.next,
        method: 'POST',
        admission: 'open link',
        maxBodyBytes: MAX_POLL_BYTES,
        handle: answerNextPoll,
      },
    ],
    finish: (limitMs) => links.waitForLastPolls(limitMs),
  }
}

function readPoll(body: Uint8Array<ArrayBuffer>) {
  const head = new LinkHeadReader().push(body)
  if (!head) throw new ProtocolError('bad-frame', serverRefusalsStrings.gateway.bodyWithinHead)
  const decoder = createDecoder(head.rest)
  const request = { key: head.key, cursor: readNumber(decoder), holdMs: readNumber(decoder) }
  if (hasMoreBytes(decoder))
    throw new ProtocolError('bad-frame', serverRefusalsStrings.gateway.bodyBehindPoll)
  return request
}
