/** A bare relay: what one says, all get, its author too. The floor of what a WebSocket server can do. */
import { LightSocket } from '../light-socket.ts'
import type { CrowdProtocol } from '../protocol.ts'
import { SocketClient, webSocketOrigin } from './socket-client.ts'

class Client extends SocketClient<ArrayBuffer> {
  protected onOpen(): void {
    this.accept()
  }

  sendEdit(update: Uint8Array): void {
    this.send(update)
  }

  protected receive(bytes: ArrayBuffer): void {
    this.listener.onUpdate?.(new Uint8Array(bytes))
  }
}

export const relay: CrowdProtocol = {
  heartbeatMs: 15_000,
  echoes: true,
  open: (origin, place, listener) =>
    new Client(new LightSocket(`${webSocketOrigin(origin)}/${place.document}`), place, listener).opened,
}
