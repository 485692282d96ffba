/** Hocuspocus, as its provider speaks: each message begins with the document's name. */
import * as decoding from 'lib0/decoding'
import * as Y from 'yjs'
import { SYNC } from '../../../server/gateways/y-protocol-numbers.ts'
import type { CrowdProtocol, DocumentAddress } from '../protocol.ts'
import { LightSocket } from '../light-socket.ts'
import { webSocketOrigin } from './socket-client.ts'
import { YjsClient } from './yjs-client.ts'

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
export const hocuspocus = (acknowledgedOnce: 'applied' | 'stored' = 'applied'): CrowdProtocol => ({
  heartbeatMs: 15_000,
  open(origin, place, listener) {
    const socket = new LightSocket(webSocketOrigin(origin))
    return new Client(socket, { ...place, acknowledgedOnce }, listener).opened
  },
})

interface Address extends DocumentAddress {
  readonly acknowledgedOnce: 'applied' | 'stored'
}

class Client extends YjsClient<Address> {
  #acknowledged = 0

  protected override readonly head = [this.place.document]

  protected onOpen(): void {
    this.sendMessage(AUTH, TOKEN, 'bench', VERSION)
  }

  protected receive(data: ArrayBuffer): void {
    const bytes = new Uint8Array(data)
    if (bytes.length === 1) {
      if (bytes[0] === PING) this.send(Uint8Array.of(PONG))
      return
    }
    const decoder = decoding.createDecoder(bytes)
    // The name, unread: one connection holds one document here.
    const nameBytes = decoding.readVarUint(decoder)
    decoder.pos += nameBytes
    const kind = decoding.readVarUint(decoder)
    if (kind === SYNC || kind === SYNC_REPLY) this.readSync(decoder)
    else if (kind === AUTH) this.#authenticated(decoding.readVarUint(decoder))
    else if (kind === SYNC_STATUS) this.#applied()
    else if (kind === STATELESS) this.#stored(decoding.readVarString(decoder))
  }

  /** The first answers this client's own (empty) state. */
  #applied(): void {
    this.#acknowledged++
    if (this.place.acknowledgedOnce === 'applied') this.listener.onAcknowledged?.(this.#acknowledged - 1)
  }

  #stored(stateVector: string): void {
    const clock = Y.decodeStateVector(Buffer.from(stateVector, 'base64')).get(this.place.author) ?? 0
    if (this.place.acknowledgedOnce === 'stored') this.listener.onAcknowledged?.(clock)
  }

  #authenticated(answer: number): void {
    if (answer !== 2) return this.refuse(`authentication answered ${answer}`)
    this.requestState()
  }
}
