/** The gateway of the HTTP stream: one response of records, the first of which names the link. The upstream is in upstream.ts. */
import { encodeControl, encodeRecords } from '../../lib/protocol/records.ts'
import { stream } from '../../lib/transports/stream.ts'
import { isClientGone } from '../http-answers.ts'
import { type DownstreamFormat, DownstreamLink, OpenDownstreams } from './downstream-link.ts'
import type { Gateway, GatewayDependencies } from './gateway.ts'
import type { HttpLinks } from './http-links.ts'

const streamFormat: DownstreamFormat = {
  transport: stream.id,
  contentType: 'application/octet-stream',
  encodeOpening: (key) => encodeControl({ type: 'link', key }),
  encodeFrame: (frame) => encodeRecords([frame]),
  streamedBodyNotice: encodeControl({ type: 'up' }),
  encodeClose: (reason) => encodeControl({ type: 'close', reason }),
}

export function createStreamGateway(
  { sessions }: Pick<GatewayDependencies, 'sessions'>,
  links: HttpLinks,
): Gateway {
  const downstreams = new OpenDownstreams(sessions)
  return {
    requests: [
      {
        path: stream.linkPath,
        method: 'POST',
        admission: 'new link',
        handle({ response }, caller) {
          if (isClientGone(response)) return
          downstreams.open(new DownstreamLink(caller, links, streamFormat), response)
        },
      },
    ],
    close: () => downstreams.cutAll(),
  }
}
