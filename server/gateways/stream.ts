/** The gateway of the HTTP stream: one response of records, the first of which names the link. The upstream is in upstream.ts. */
import type { Writable } from 'node:stream'
import { encodeControl, encodeRecords } from '../../lib/protocol/records.ts'
import { stream } from '../../lib/transports/stream.ts'
import { isAccessRefusal } from '../access/access.ts'
import { isClientGone } from '../http-answers.ts'
import { type DownstreamFormat, DownstreamLink } from './downstream-link.ts'
import type { Gateway, GatewayDependencies, GatewayRequest, GatewayResponse } from './gateway.ts'
import type { HttpLinks } from './http-links.ts'
import { createEndpointHandler } from './link-endpoints.ts'
import { accessRequestOf, drainingRefusal, refuseRequest } from './http-refusals.ts'

const streamFormat: DownstreamFormat = {
  transport: stream.id,
  contentType: 'application/octet-stream',
  encodeOpening: (key) => encodeControl({ type: 'link', key }),
  encodeFrame: (frame) => encodeRecords([frame]),
  streamedBodyNotice: encodeControl({ type: 'up' }),
  encodeClose: (reason) => encodeControl({ type: 'close', reason }),
}

export function createStreamGateway(
  { access, sessions, log }: GatewayDependencies,
  links: HttpLinks,
): Gateway {
  const openResponses = new Set<Writable>()

  async function handle(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void> {
    if (sessions.draining) return refuseRequest(response, drainingRefusal)
    if (links.fullRefusal) return refuseRequest(response, links.fullRefusal)
    const principal = await access.admit(accessRequestOf(request, secure))
    if (isAccessRefusal(principal)) return refuseRequest(response, principal)
    if (isClientGone(response)) return
    const out: Writable = response
    openResponses.add(out)
    out.once('close', () => openResponses.delete(out))
    const end = new DownstreamLink(principal, links, streamFormat).open(response)
    end.attach(sessions.accept(end, principal))
  }

  return {
    handleRequest: createEndpointHandler({ [stream.linkPath]: { method: 'POST', handle } }, log),
    handleUpgrade: () => false,
    close() {
      for (const out of openResponses) out.destroy()
    },
  }
}
