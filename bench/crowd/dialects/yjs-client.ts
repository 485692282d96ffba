/** A client of one of Yjs's own servers, as far as they are alike: the socket, and what y-protocols says over it. */
import type { Hears, Place, Voice } from '../dialect.ts'
import type { LightSocket } from '../light-socket.ts'
import { type Begin, type HearsSync, renewAwareness, tellNoState, tellUpdate } from './y-protocols.ts'

export abstract class YjsClient<Asked extends Place = Place> implements Voice, HearsSync {
  protected readonly place: Asked
  protected readonly hears: Hears
  readonly #socket: LightSocket
  readonly #opening = Promise.withResolvers<Voice>()
  #beats = 0
  #over = false

  constructor(socket: LightSocket, place: Asked, hears: Hears) {
    this.#socket = socket
    this.place = place
    this.hears = hears
    socket.onopen = () => this.greet()
    socket.onmessage = ({ data }: { data: ArrayBuffer }) => this.hear(new Uint8Array(data))
    socket.onerror = ({ message: why }: { message: string }) => this.refuse(why)
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => {
      this.refuse(`closed: ${code} ${reason}`)
      if (!this.#over) hears.closed(`${code} ${reason}`)
    }
  }

  /** What stands before each of its messages. */
  protected abstract readonly begin: Begin

  /** The connection is open. */
  protected abstract greet(): void

  protected abstract hear(bytes: Uint8Array): void

  get opened(): Promise<Voice> {
    return this.#opening.promise
  }

  say(update: Uint8Array): void {
    this.send(tellUpdate(this.begin, update))
  }

  beat(): void {
    this.send(renewAwareness(this.begin, this.place.author, ++this.#beats))
  }

  close(): void {
    this.#over = true
    this.#socket.close()
  }

  askedForState(): void {
    this.send(tellNoState(this.begin))
  }

  state(update: Uint8Array): void {
    this.hears.state?.(update)
    this.#opening.resolve(this)
  }

  update(update: Uint8Array): void {
    this.hears.update(update)
  }

  protected send(bytes: Uint8Array): void {
    this.#socket.send(bytes)
  }

  /** The document could not be opened; without meaning once it is. */
  protected refuse(why: string): void {
    this.#opening.reject(new Error(why))
  }
}
