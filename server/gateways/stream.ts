/** The server end of the HTTP stream: one answer of records, of which the first names the link. The way up is upstream.ts. */
import type { Writable } from 'node:stream'
import { paths } from '../../lib/protocol/http.ts'
import { encodeControl, encodeRecords } from '../../lib/protocol/records.ts'
import { isRefusal } from '../access/access.ts'
import { isGone } from '../answer.ts'
import { type DownFormat, DownLink } from './down-wire.ts'
import type { Gateway, GatewayParts, GatewayRequest, GatewayResponse } from './gateway.ts'
import type { HttpLinks } from './http-links.ts'
import { linkDoors } from './link-doors.ts'
import { doorOf, drainingRefusal, refuse } from './refusals.ts'

const format: DownFormat = {
  transport: 'stream',
  contentType: 'application/octet-stream',
  opening: (key) => encodeControl({ type: 'link', key }),
  frame: (frame) => encodeRecords([frame]),
  up: encodeControl({ type: 'up' }),
  close: (reason) => encodeControl({ type: 'close', reason }),
}

export function streamGateway({ access, sessions, log }: GatewayParts, links: HttpLinks): Gateway {
  const open = new Set<Writable>()

  async function run(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void> {
    if (sessions.draining) return refuse(response, drainingRefusal)
    if (links.full) return refuse(response, links.full)
    const principal = await access.admit(doorOf(request, secure))
    if (isRefusal(principal)) return refuse(response, principal)
    if (isGone(response)) return
    const out: Writable = response
    open.add(out)
    out.once('close', () => open.delete(out))
    const end = new DownLink(principal, links, format).open(response)
    end.attach(sessions.accept(end, principal))
  }

  return {
    handleRequest: linkDoors({ [paths.stream]: { method: 'POST', run } }, log),
    handleUpgrade: () => false,
    close() {
      for (const out of open) out.destroy()
    },
  }
}
