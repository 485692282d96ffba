/** The y-websocket package's protocol: the document is in the address, nothing is acknowledged, and edits come back to their author. */
import * as decoding from 'lib0/decoding'
import { SYNC } from '../../../server/gateways/y-protocol-numbers.ts'
import type { CrowdProtocol } from '../protocol.ts'
import { LightSocket } from '../light-socket.ts'
import { writeStateRequest, readSync } from './y-protocols.ts'
import { YjsClient } from './yjs-client.ts'

/** The same at our own door: whose edit it was does not hear of it again. */
export const stock: CrowdProtocol = {
  heartbeatMs: 15_000,
  silent: true,
  open(origin, place, listener) {
    const address = `${origin.replace(/^http/, 'ws')}/yjs/${place.document}?token=${place.token}`
    return new Client(new LightSocket(address), place, listener).opened
  },
}

export const yWebsocket: CrowdProtocol = {
  heartbeatMs: 15_000,
  echoes: true,
  open(origin, place, listener) {
    const socket = new LightSocket(`${origin.replace(/^http/, 'ws')}/${place.document}`)
    return new Client(socket, place, listener).opened
  },
}

class Client extends YjsClient {
  protected readonly begin = (): void => {}

  protected onOpen(): void {
    this.send(writeStateRequest(this.begin))
  }

  protected receive(bytes: Uint8Array): void {
    const decoder = decoding.createDecoder(bytes)
    if (decoding.readVarUint(decoder) === SYNC) readSync(decoder, this)
  }
}
