/** Opens and ends a client of a crowd over a socket. What it sends and receives is its subclass's. */
import type { WebSocketLike } from '../../../lib/transports/net/net.ts'
import type { CrowdConnection, CrowdListener, CrowdProtocol, DocumentAddress } from '../crowd-protocol.ts'
import { LightSocket } from '../light-socket.ts'

/** What `SocketClient` needs of a LightSocket. */
export interface ClientSocket extends Pick<WebSocketLike, 'onopen' | 'onmessage' | 'onerror' | 'onclose'> {
  send(data: string | Uint8Array): void
  close(): void
}

/** @template Data The type of the socket's messages: an ArrayBuffer, or a string. */
export abstract class SocketClient<Data> implements CrowdConnection {
  protected readonly address: DocumentAddress
  protected readonly listener: CrowdListener
  readonly #socket: ClientSocket
  readonly #opening = Promise.withResolvers<CrowdConnection>()
  #isOver = false

  constructor(socket: ClientSocket, address: DocumentAddress, listener: CrowdListener) {
    this.#socket = socket
    this.address = address
    this.listener = listener
    socket.onopen = () => this.onOpen()
    socket.onmessage = ({ data }: { data: Data }) => this.receive(data)
    socket.onerror = ({ message }: { message: string }) => this.refuse(message)
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => {
      this.refuse(`closed: ${code} ${reason}`)
      if (!this.#isOver) listener.onClosed?.(`${code} ${reason}`)
    }
  }

  /** The socket is open; the document is not yet. */
  protected abstract onOpen(): void

  protected abstract receive(data: Data): void

  abstract sendEdit(update: Uint8Array): void

  /** Sends nothing by default: with most servers the server asks, or nobody does. */
  sendHeartbeat(): void {}

  get opened(): Promise<CrowdConnection> {
    return this.#opening.promise
  }

  close(): void {
    this.#isOver = true
    this.#socket.close()
  }

  protected send(data: string | Uint8Array): void {
    this.#socket.send(data)
  }

  /** The document is open. */
  protected accept(): void {
    this.#opening.resolve(this)
  }

  /** The document cannot be opened. It does nothing once the document is open. */
  protected refuse(why: string): void {
    this.#opening.reject(new Error(why))
  }
}

type SocketClientClass = new (
  socket: ClientSocket,
  address: DocumentAddress,
  listener: CrowdListener,
) => { readonly opened: Promise<CrowdConnection> }

/** Opens a client over a WebSocket to the server's address with that path. */
export const openOverWebSocket =
  (Client: SocketClientClass, pathOf: (address: DocumentAddress) => string): CrowdProtocol['open'] =>
  (origin, address, listener) =>
    new Client(new LightSocket(origin.replace(/^http/, 'ws') + pathOf(address)), address, listener).opened
