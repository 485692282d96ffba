/** The server end of both polling transports: a door for each to open a link, and one where all of them ask what came since. */
import { paths } from '../../lib/protocol/http.ts'
import { HeadReader, linkKeyFields } from '../../lib/protocol/link-key.ts'
import { createDecoder, hasMore, ProtocolError, readNumber } from '../../lib/protocol/wire.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { isRefusal } from '../access/access.ts'
import { answerJson, isGone } from '../answer.ts'
import type { Gateway, GatewayParts, GatewayRequest, GatewayResponse } from './gateway.ts'
import type { HttpLinks } from './http-links.ts'
import { type LinkDoor, linkDoors } from './link-doors.ts'
import { type Polling, PolledLink } from './polled-link.ts'
import { doorOf, drainingRefusal, foreignOrigin, refuse, Refusal } from './refusals.ts'
import { readWhole } from './whole-body.ts'

/** Head, cursor and patience need 135. */
const MAX_POLL_BYTES = 256

export interface PollOptions {
  readonly longPoll?: Polling
  readonly poll?: Polling
}

/** Proxies cut what waits for 30 s; a page that was closed is gone after 15. */
const longPolling: Polling = { transport: 'long-poll', patienceMs: 25_000, lifeMs: 15_000 }
/** A hidden window's timers fire about once a minute. */
const polling: Polling = { transport: 'poll', patienceMs: 0, lifeMs: 90_000 }

export function pollsGateway(
  { access, sessions, log }: GatewayParts,
  links: HttpLinks,
  { longPoll = longPolling, poll = polling }: PollOptions = {},
): Gateway {
  const opening = (kind: Polling): LinkDoor => ({
    method: 'POST',
    async run(request, response, secure) {
      if (sessions.draining) return refuse(response, drainingRefusal)
      if (links.full) return refuse(response, links.full)
      const principal = await access.admit(doorOf(request, secure))
      if (isRefusal(principal)) return refuse(response, principal)
      if (isGone(response)) return
      const protocol = request.httpVersionMajor === 2 ? 'h2' : 'http/1.1'
      const { link, key } = new PolledLink(principal, links, kind, protocol)
      link.attach(sessions.accept(link, principal))
      answerJson(response, 201, linkKeyFields(key))
    },
  })

  async function next(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void> {
    const door = doorOf(request, secure)
    if (!access.originAllowed(door)) return refuse(response, foreignOrigin)
    const { key, cursor, patienceMs } = readPoll(await readWhole(request, MAX_POLL_BYTES))
    const { link } = links.find(key, door)
    if (!link.next) throw new Refusal(400, 'bad-message', strings.door.notPolled)
    if (!isGone(response)) link.next(cursor, patienceMs, response)
  }

  return {
    handleRequest: linkDoors(
      {
        [paths.longPoll]: opening(longPoll),
        [paths.poll]: opening(poll),
        [paths.next]: { method: 'POST', reads: true, run: next },
      },
      log,
    ),
    handleUpgrade: () => false,
    // The sessions closed the links, which answered the polls that waited.
    close: () => {},
  }
}

function readPoll(body: Uint8Array<ArrayBuffer>) {
  const head = new HeadReader().push(body)
  if (!head) throw new ProtocolError('bad-frame', strings.door.bodyWithinHead)
  const decoder = createDecoder(head.rest)
  const poll = { key: head.key, cursor: readNumber(decoder), patienceMs: readNumber(decoder) }
  if (hasMore(decoder)) throw new ProtocolError('bad-frame', strings.door.bodyBehindPoll)
  return poll
}
