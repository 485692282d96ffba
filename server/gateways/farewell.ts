/**
 * The last word of a page that is being left: a POST that is a whole conversation, of frames going up and nothing going down.
 * Its link lives no longer than the request, and belongs to no transport.
 */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { paths } from '../../lib/protocol/http.ts'
import { MAX_FAREWELL_BYTES } from '../../lib/protocol/limits.ts'
import { RecordDecoder } from '../../lib/protocol/records.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { HANDED, LinkEnd, type Wire } from '../../lib/transports/link.ts'
import type { LinkInfo } from '../../lib/transports/transport.ts'
import { isRefusal } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Gateway, GatewayParts, GatewayRequest, GatewayResponse } from './gateway.ts'
import { linkDoors } from './link-doors.ts'
import { answerNothing, doorOf, drainingRefusal, refuse } from './refusals.ts'
import { readWhole } from './whole-body.ts'

export function farewellGateway({ access, sessions, log }: GatewayParts): Gateway {
  async function run(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void> {
    // Begun at once: a body that nobody reads is lost with its page.
    const reading = readWhole(request, MAX_FAREWELL_BYTES)
    reading.catch(() => {})
    if (sessions.draining) return refuse(response, drainingRefusal)
    const principal = await access.admit(doorOf(request, secure))
    if (isRefusal(principal)) return refuse(response, principal)
    hear(await reading, principal)
    answerNothing(response)
  }

  /** @throws {ProtocolError} for what no session takes. */
  function hear(body: Uint8Array<ArrayBuffer>, principal: Principal): void {
    const wire = new MuteWire()
    const { link } = wire
    link.attach(sessions.accept(link, principal))
    const onFrame = (frame: Uint8Array<ArrayBuffer>): void => link.receive(frame)
    const decoder = new RecordDecoder({ onFrame, onControl: () => {} })
    try {
      decoder.push(body)
      if (decoder.midRecord) throw new ProtocolError('bad-frame', strings.door.bodyWithinRecord)
    } finally {
      link.ended({ code: 'done' })
    }
    const { refused } = wire
    if (refused) throw new ProtocolError(refused.code, refused.detail ?? strings.door.farewellRefused)
  }

  return {
    handleRequest: linkDoors({ [paths.farewell]: { method: 'POST', reads: true, run } }, log),
    handleUpgrade: () => false,
    close: () => {},
  }
}

class MuteWire implements Wire {
  readonly info: LinkInfo = { transport: 'poll', protocol: '', up: 'batched posts' }
  readonly link = new LinkEnd(this)
  refused: CloseReason | undefined

  write(): Promise<void> {
    return HANDED
  }

  /** That a session ends it in answer to its `bye` is no refusal. */
  end(reason: CloseReason, side: 'here' | 'there'): void {
    if (side === 'here' && reason.code !== 'done') this.refused = reason
  }
}
