/** A client of a crowd over a socket, as far as all servers' are alike: how it opens, and how it ends. */
import type { WebSocketLike } from '../../../lib/transports/net/net.ts'
import type { CrowdConnection, CrowdListener, DocumentAddress } from '../protocol.ts'

/** A LightSocket, or what is as good as one. */
export interface ClientSocket extends Pick<WebSocketLike, 'onopen' | 'onmessage' | 'onerror' | 'onclose'> {
  send(data: string | Uint8Array): void
  close(): void
}

/** @template Data What the socket receives: an ArrayBuffer, or a string. */
export abstract class SocketClient<
  Data,
  Address extends DocumentAddress = DocumentAddress,
> implements CrowdConnection {
  protected readonly place: Address
  protected readonly listener: CrowdListener
  readonly #socket: ClientSocket
  readonly #opening = Promise.withResolvers<CrowdConnection>()
  #isOver = false

  constructor(socket: ClientSocket, place: Address, listener: CrowdListener) {
    this.#socket = socket
    this.place = place
    this.listener = listener
    socket.onopen = () => this.onOpen()
    socket.onmessage = ({ data }: { data: Data }) => this.receive(data)
    socket.onerror = ({ message }: { message: string }) => this.refuse(message)
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => {
      this.refuse(`closed: ${code} ${reason}`)
      if (!this.#isOver) listener.onClosed?.(`${code} ${reason}`)
    }
  }

  /** The socket is open; the document need not be. */
  protected abstract onOpen(): void

  protected abstract receive(data: Data): void

  abstract sendEdit(update: Uint8Array): void

  /** By default the server asks, or nobody does. */
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

  /** The document could not be opened; without meaning once it is. */
  protected refuse(why: string): void {
    this.#opening.reject(new Error(why))
  }
}

export const webSocketOrigin = (origin: string): string => origin.replace(/^http/, 'ws')
