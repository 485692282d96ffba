/**
 * The gateway of the farewell, the last POST of a page that is being left: it brings frames, and its answer carries none. Its link
 * lives no longer than the request, and belongs to no transport.
 */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { paths } from '../../lib/protocol/http.ts'
import { MAX_FAREWELL_BYTES } from '../../lib/protocol/limits.ts'
import { RecordDecoder } from '../../lib/protocol/record-decoder.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { SENT, LinkEnd, type LinkDriver } from '../../lib/transports/link.ts'
import type { LinkInfo } from '../../lib/transports/transport.ts'
import type { Principal } from '../access/principal.ts'
import type { Exchange, Gateway, GatewayDependencies } from './gateway.ts'
import { answerNoContent } from './http-refusals.ts'

export function createFarewellGateway({ sessions }: Pick<GatewayDependencies, 'sessions'>): Gateway {
  async function handle({ response, body }: Exchange, caller: Principal): Promise<void> {
    receiveFrames(await body, caller)
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
      if (decoder.isMidRecord)
        throw new ProtocolError('bad-frame', serverRefusalsStrings.gateway.bodyWithinRecord)
    } finally {
      link.onEnded({ code: 'done' })
    }
    const { refusalReason } = driver
    if (refusalReason)
      throw new ProtocolError(
        refusalReason.code,
        refusalReason.detail ?? serverRefusalsStrings.gateway.farewellRefused,
      )
  }

  return {
    requests: [
      {
        path: paths.farewell,
        method: 'POST',
        admission: 'new link',
        maxBodyBytes: MAX_FAREWELL_BYTES,
        handle,
      },
    ],
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
