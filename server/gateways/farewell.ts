/**
 * The gateway of the farewell, the last POST of a page that is being left: it brings frames, and its answer carries none. Its link
 * lives no longer than the request, and belongs to no transport.
 */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { paths } from '../../lib/protocol/http.ts'
import { MAX_FAREWELL_BYTES } from '../../lib/protocol/limits.ts'
import { RecordDecoder } from '../../lib/protocol/records.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { SENT, LinkEnd, type LinkDriver } from '../../lib/transports/link.ts'
import type { LinkInfo } from '../../lib/transports/transport.ts'
import { isAccessRefusal } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Gateway, GatewayDependencies, GatewayRequest, GatewayResponse } from './gateway.ts'
import { createEndpointHandler } from './link-endpoints.ts'
import { answerNoContent, accessRequestOf, drainingRefusal, refuseRequest } from './http-refusals.ts'
import { readWholeBody } from './whole-body.ts'

export function createFarewellGateway({ access, sessions, log }: GatewayDependencies): Gateway {
  async function handle(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void> {
    // Reading begins at once, because an unread body is lost with its page.
    const reading = readWholeBody(request, MAX_FAREWELL_BYTES)
    reading.catch(() => {})
    if (sessions.draining) return refuseRequest(response, drainingRefusal)
    const principal = await access.admit(accessRequestOf(request, secure))
    if (isAccessRefusal(principal)) return refuseRequest(response, principal)
    receiveFrames(await reading, principal)
    answerNoContent(response)
  }

  /** @throws {ProtocolError} for frames that no session takes. */
  function receiveFrames(body: Uint8Array<ArrayBuffer>, principal: Principal): void {
    const driver = new DiscardingLinkDriver()
    const { link } = driver
    link.attach(sessions.accept(link, principal))
    const onFrame = (frame: Uint8Array<ArrayBuffer>): void => link.receive(frame)
    const decoder = new RecordDecoder({ onFrame, onControl: () => {} })
    try {
      decoder.push(body)
      if (decoder.isMidRecord) throw new ProtocolError('bad-frame', strings.gateway.bodyWithinRecord)
    } finally {
      link.onEnded({ code: 'done' })
    }
    const { refusalReason } = driver
    if (refusalReason)
      throw new ProtocolError(refusalReason.code, refusalReason.detail ?? strings.gateway.farewellRefused)
  }

  return {
    handleRequest: createEndpointHandler(
      { [paths.farewell]: { method: 'POST', readsBody: true, handle } },
      log,
    ),
    handleUpgrade: () => false,
    close: () => {},
  }
}

class DiscardingLinkDriver implements LinkDriver {
  readonly info: LinkInfo = { transport: 'poll', protocol: '', up: 'batched posts' }
  readonly link = new LinkEnd(this)
  refusalReason: CloseReason | undefined

  write(): Promise<void> {
    return SENT
  }

  /** A session that ends the link in answer to `bye` is no refusal. */
  end(reason: CloseReason, side: 'here' | 'there'): void {
    if (side === 'here' && reason.code !== 'done') this.refusalReason = reason
  }
}
