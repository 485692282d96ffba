/** Hocuspocus, as its provider speaks: each message begins with the document's name. */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import type { Dialect, Hears, Place, Voice } from '../dialect.ts'
import { LightSocket } from '../light-socket.ts'
import {
  askForState,
  message,
  readSync,
  renewAwareness,
  SYNC,
  tellNoState,
  tellUpdate,
} from './y-protocols.ts'

const AUTH = 2
const SYNC_REPLY = 4
const STATELESS = 5
const SYNC_STATUS = 8
const PING = 9
const PONG = 10

const TOKEN = 0
/** The provider whose protocol this is. */
const VERSION = '4.8.0'

/**
 * An edit is acknowledged once it is in the server's memory, which is all that Hocuspocus itself tells; or, with a server that
 * says so in a stateless message of its own (peers/hocuspocus.ts), once it is stored.
 */
export const hocuspocus = (acknowledgedOnce: 'applied' | 'stored' = 'applied'): Dialect => ({
  beatMs: 15_000,
  open(origin, place, hears) {
    const socket = new LightSocket(origin.replace(/^http/, 'ws'))
    return new Provider(socket, { ...place, acknowledgedOnce }, hears).opened
  },
})

interface Asked extends Place {
  readonly acknowledgedOnce: 'applied' | 'stored'
}

class Provider implements Voice {
  readonly #socket: LightSocket
  readonly #hears: Hears
  readonly #opening = Promise.withResolvers<Voice>()
  readonly #place: Asked
  #beats = 0
  #acknowledged = 0
  #over = false

  constructor(socket: LightSocket, place: Asked, hears: Hears) {
    this.#socket = socket
    this.#hears = hears
    this.#place = place
    socket.onopen = () => socket.send(message(this.#begin, AUTH, TOKEN, 'bench', VERSION))
    socket.onmessage = ({ data }: { data: ArrayBuffer }) => this.#hear(new Uint8Array(data))
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
    this.#socket.send(tellUpdate(this.#begin, update))
  }

  beat(): void {
    this.#socket.send(renewAwareness(this.#begin, this.#place.author, ++this.#beats))
  }

  close(): void {
    this.#over = true
    this.#socket.close()
  }

  readonly #begin = (encoder: encoding.Encoder): void =>
    encoding.writeVarString(encoder, this.#place.document)

  #hear(bytes: Uint8Array): void {
    if (bytes.length === 1) {
      if (bytes[0] === PING) this.#socket.send(Uint8Array.of(PONG))
      return
    }
    const decoder = decoding.createDecoder(bytes)
    // The name, unread: one connection holds one document here.
    const nameBytes = decoding.readVarUint(decoder)
    decoder.pos += nameBytes
    const kind = decoding.readVarUint(decoder)
    if (kind === SYNC || kind === SYNC_REPLY) readSync(decoder, this)
    else if (kind === AUTH) this.#authenticated(decoding.readVarUint(decoder))
    else if (kind === SYNC_STATUS) this.#applied()
    else if (kind === STATELESS) this.#stored(decoding.readVarString(decoder))
  }

  /** The first answers this client's own (empty) state. */
  #applied(): void {
    this.#acknowledged++
    if (this.#place.acknowledgedOnce === 'applied') this.#hears.acknowledged(this.#acknowledged - 1)
  }

  #stored(stateVector: string): void {
    const clock = Y.decodeStateVector(Buffer.from(stateVector, 'base64')).get(this.#place.author) ?? 0
    if (this.#place.acknowledgedOnce === 'stored') this.#hears.acknowledged(clock)
  }

  #authenticated(answer: number): void {
    if (answer !== 2) return this.#opening.reject(new Error(`authentication answered ${answer}`))
    this.#socket.send(askForState(this.#begin))
  }

  askedForState(): void {
    this.#socket.send(tellNoState(this.#begin))
  }

  state(update: Uint8Array): void {
    this.#hears.state?.(update)
    this.#opening.resolve(this)
  }

  update(update: Uint8Array): void {
    this.#hears.update(update)
  }
}
