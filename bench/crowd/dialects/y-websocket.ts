/** The y-websocket package's protocol: the document is in the address, nothing is acknowledged, and edits come back to their author. */
import * as decoding from 'lib0/decoding'
import type { Dialect, Hears, Place, Voice } from '../dialect.ts'
import { LightSocket } from '../light-socket.ts'
import { askForState, readSync, renewAwareness, SYNC, tellNoState, tellUpdate } from './y-protocols.ts'

/** Nothing stands before its messages. */
const bare = (): void => {}

export const yWebsocket: Dialect = {
  beatMs: 15_000,
  echoes: true,
  open(origin, place, hears) {
    const socket = new LightSocket(`${origin.replace(/^http/, 'ws')}/${place.document}`)
    return new Provider(socket, place, hears).opened
  },
}

class Provider implements Voice {
  readonly #socket: LightSocket
  readonly #place: Place
  readonly #hears: Hears
  readonly #opening = Promise.withResolvers<Voice>()
  #beats = 0
  #over = false

  constructor(socket: LightSocket, place: Place, hears: Hears) {
    this.#socket = socket
    this.#place = place
    this.#hears = hears
    socket.onopen = () => socket.send(askForState(bare))
    socket.onmessage = ({ data }: { data: ArrayBuffer }) => {
      const decoder = decoding.createDecoder(new Uint8Array(data))
      if (decoding.readVarUint(decoder) === SYNC) readSync(decoder, this)
    }
    socket.onerror = ({ message: why }: { message: string }) => this.#opening.reject(new Error(why))
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => {
      this.#opening.reject(new Error(`closed: ${code} ${reason}`))
      if (!this.#over) hears.closed(`${code} ${reason}`)
    }
  }

  get opened(): Promise<Voice> {
    return this.#opening.promise
  }

  say(update: Uint8Array): void {
    this.#socket.send(tellUpdate(bare, update))
  }

  beat(): void {
    this.#socket.send(renewAwareness(bare, this.#place.author, ++this.#beats))
  }

  close(): void {
    this.#over = true
    this.#socket.close()
  }

  askedForState(): void {
    this.#socket.send(tellNoState(bare))
  }

  state(): void {
    this.#opening.resolve(this)
  }

  update(update: Uint8Array): void {
    this.#hears.update(update)
  }
}
