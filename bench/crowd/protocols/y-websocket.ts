/** The y-websocket package's protocol: the document is in the address, nothing is acknowledged, and edits come back to their author. */
import * as decoding from 'lib0/decoding'
import { SYNC } from '../../../server/gateways/y-protocol-numbers.ts'
import type { CrowdProtocol } from '../protocol.ts'
import { LightSocket } from '../light-socket.ts'
import { webSocketOrigin } from './socket-client.ts'
import { YjsClient } from './yjs-client.ts'

/** The same at our own door: whose edit it was does not hear of it again. */
export const stock: CrowdProtocol = {
  heartbeatMs: 15_000,
  silent: true,
  open(origin, place, listener) {
    const address = `${webSocketOrigin(origin)}/yjs/${place.document}?token=${place.token}`
    return new Client(new LightSocket(address), place, listener).opened
  },
}

export const yWebsocket: CrowdProtocol = {
  heartbeatMs: 15_000,
  echoes: true,
  open: (origin, place, listener) =>
    new Client(new LightSocket(`${webSocketOrigin(origin)}/${place.document}`), place, listener).opened,
}

class Client extends YjsClient {
  protected onOpen(): void {
    this.requestState()
  }

  protected receive(bytes: ArrayBuffer): void {
    const decoder = decoding.createDecoder(new Uint8Array(bytes))
    if (decoding.readVarUint(decoder) === SYNC) this.readSync(decoder)
  }
}
