/** The gateway of both polling transports: each has an endpoint that opens a link, and all links are polled at a third. */
import { paths } from '../../lib/protocol/http.ts'
import { LinkHeadReader, linkKeyFields } from '../../lib/protocol/link-key.ts'
import { createDecoder, hasMoreBytes, ProtocolError, readNumber } from '../../lib/protocol/wire.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { answerJson, isClientGone } from '../http-answers.ts'
import type { Exchange, Gateway, GatewayDependencies, RequestRoute } from './gateway.ts'
import type { HttpLinks } from './http-links.ts'
import { HttpRefusalError } from './http-refusals.ts'
import { type PolledLinkOptions, PolledLink } from './polled-link.ts'

/** The head, the cursor and the hold time need 135. */
const MAX_POLL_BYTES = 256

export interface PollGatewayOptions {
  readonly longPoll?: PolledLinkOptions
  readonly poll?: PolledLinkOptions
}

/** Proxies cut a request that waits for 30 s, and the link of a closed page is gone after 15 s. */
const longPollDefaults: PolledLinkOptions = {
  transport: 'long-poll',
  maxHoldMs: 25_000,
  unpolledTimeoutMs: 15_000,
}
/** A hidden window's timers fire about once a minute. */
const pollDefaults: PolledLinkOptions = { transport: 'poll', maxHoldMs: 0, unpolledTimeoutMs: 90_000 }

export function createPollGateway(
  { sessions }: Pick<GatewayDependencies, 'sessions'>,
  links: HttpLinks,
  { longPoll = longPollDefaults, poll = pollDefaults }: PollGatewayOptions = {},
): Gateway {
  const openingRoute = (path: string, options: PolledLinkOptions): RequestRoute => ({
    path,
    method: 'POST',
    admission: 'new link',
    handle({ request, response }, caller) {
      if (isClientGone(response)) return
      const protocol = request.httpVersionMajor === 2 ? 'h2' : 'http/1.1'
      const { link, key } = new PolledLink(caller, links, options, protocol)
      link.attach(sessions.accept(link, caller))
      answerJson(response, 201, linkKeyFields(key))
    },
  })

  async function answerNextPoll({ response, accessRequest, body }: Exchange): Promise<void> {
    const { key, cursor, holdMs } = readPoll(await body)
    const { link } = links.find(key, accessRequest)
    if (!link.answerPoll) throw new HttpRefusalError(400, 'bad-message', strings.gateway.notPolled)
    if (!isClientGone(response)) link.answerPoll(cursor, holdMs, response)
  }

  return {
    requests: [
      openingRoute(paths.longPoll, longPoll),
      openingRoute(paths.poll, poll),
      {
        path: paths.next,
        method: 'POST',
        admission: 'open link',
        maxBodyBytes: MAX_POLL_BYTES,
        handle: answerNextPoll,
      },
    ],
    // At the end the sessions have closed the links, which answered the waiting polls.
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
