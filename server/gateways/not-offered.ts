/** The gateway for transports that this server does not offer: it answers so, and clients stop trying. */
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Gateway } from './gateway.ts'
import type { HttpRefusal } from './http-refusals.ts'

const notOfferedRefusal: HttpRefusal = {
  status: 404,
  code: 'not-offered',
  message: serverRefusalsStrings.gateway.notOffered,
}

export const createNotOfferedGateway = (paths: readonly string[]): Gateway => ({
  refused: paths.map((path) => ({ path, refusal: notOfferedRefusal })),
})
