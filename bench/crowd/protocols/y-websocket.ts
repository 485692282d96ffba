/** Speaks the protocol of the y-websocket package: the address names the document, and nothing is acknowledged. */
import * as decoding from 'lib0/decoding'
import { SYNC } from '../../../server/gateways/y-protocol-numbers.ts'
import type { CrowdProtocol } from '../crowd-protocol.ts'
import { openOverWebSocket } from './socket-client.ts'
import { YjsClient } from './yjs-client.ts'

class Client extends YjsClient {
  protected onOpen(): void {
    this.requestState()
  }

  protected receive(bytes: ArrayBuffer): void {
    const decoder = decoding.createDecoder(new Uint8Array(bytes))
    if (decoding.readVarUint(decoder) === SYNC) this.readSync(decoder)
  }
}

/** Diptych's endpoint for stock clients sends nothing back to an edit's author. */
export const stock: CrowdProtocol = {
  heartbeatMs: 15_000,
  silent: true,
  open: openOverWebSocket(Client, ({ document, token }) => `/yjs/${document}?token=${token}`),
}

/** The package's own server sends edits back to their author. */
export const yWebsocket: CrowdProtocol = {
  heartbeatMs: 15_000,
  echoes: true,
  open: openOverWebSocket(Client, ({ document }) => `/${document}`),
}
