/** Speaks with a bare relay, which sends each message to everybody, its author included: no WebSocket server does less. */
import type { CrowdProtocol } from '../crowd-protocol.ts'
import { openOverWebSocket, SocketClient } from './socket-client.ts'

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
  open: openOverWebSocket(Client, ({ document }) => `/${document}`),
}
