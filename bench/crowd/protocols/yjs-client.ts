/** A client of one of Yjs's own servers, as far as they are alike: the socket, and what y-protocols says over it. */
import type { CrowdListener, DocumentAddress, CrowdConnection } from '../protocol.ts'
import type { LightSocket } from '../light-socket.ts'
import {
  type WritePrefix,
  type SyncListener,
  renewAwareness,
  writeNoState,
  writeUpdate,
} from './y-protocols.ts'

export abstract class YjsClient<Address extends DocumentAddress = DocumentAddress>
  implements CrowdConnection, SyncListener
{
  protected readonly place: Address
  protected readonly listener: CrowdListener
  readonly #socket: LightSocket
  readonly #opening = Promise.withResolvers<CrowdConnection>()
  #beats = 0
  #over = false

  constructor(socket: LightSocket, place: Address, listener: CrowdListener) {
    this.#socket = socket
    this.place = place
    this.listener = listener
    socket.onopen = () => this.onOpen()
    socket.onmessage = ({ data }: { data: ArrayBuffer }) => this.receive(new Uint8Array(data))
    socket.onerror = ({ message: why }: { message: string }) => this.refuse(why)
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => {
      this.refuse(`closed: ${code} ${reason}`)
      if (!this.#over) listener.onClosed?.(`${code} ${reason}`)
    }
  }

  /** The bytes before each message. */
  protected abstract readonly begin: WritePrefix

  /** The connection is open. */
  protected abstract onOpen(): void

  protected abstract receive(bytes: Uint8Array): void

  get opened(): Promise<CrowdConnection> {
    return this.#opening.promise
  }

  sendEdit(update: Uint8Array): void {
    this.send(writeUpdate(this.begin, update))
  }

  sendHeartbeat(): void {
    this.send(renewAwareness(this.begin, this.place.author, ++this.#beats))
  }

  close(): void {
    this.#over = true
    this.#socket.close()
  }

  onStateRequested(): void {
    this.send(writeNoState(this.begin))
  }

  onState(update: Uint8Array): void {
    this.listener.onState?.(update)
    this.#opening.resolve(this)
  }

  onUpdate(update: Uint8Array): void {
    this.listener.onUpdate?.(update)
  }

  protected send(bytes: Uint8Array): void {
    this.#socket.send(bytes)
  }

  /** The document could not be opened; without meaning once it is. */
  protected refuse(why: string): void {
    this.#opening.reject(new Error(why))
  }
}
