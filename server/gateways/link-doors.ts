/** Doors by their path, each with its one method. What a door throws by mistake becomes an answer, too. */
import type { Logger } from 'pino'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { pathOf } from '../answer.ts'
import type { GatewayRequest, GatewayResponse } from './gateway.ts'
import { failedRefusal, refuse, Refusal, refuseMethod, refusedFor } from './refusals.ts'

export interface LinkDoor {
  readonly method: 'GET' | 'POST'
  /** Reads the body itself; otherwise one is thrown away. */
  readonly reads?: boolean
  /** @throws {Refusal | ProtocolError} what the client is told. */
  run(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void>
}

type HandleRequest = (request: GatewayRequest, response: GatewayResponse, secure: boolean) => boolean

export function linkDoors(doors: Readonly<Record<string, LinkDoor>>, log: Logger): HandleRequest {
  const byPath = new Map<string | null, LinkDoor>(Object.entries(doors))
  return (request, response, secure) => {
    const door = byPath.get(pathOf(request))
    if (!door) return false
    if (request.method !== door.method) {
      refuseMethod(response, door.method)
      return true
    }
    if (!door.reads) request.resume()
    door.run(request, response, secure).catch((error: unknown) => {
      if (error instanceof Refusal) return refuse(response, error)
      if (error instanceof ProtocolError) return refuse(response, refusedFor(error))
      log.error({ err: error, path: pathOf(request) }, 'a door failed')
      refuse(response, failedRefusal)
    })
    return true
  }
}
