/** Speaks as Hocuspocus's provider does: each message begins with the document's name. */
import * as decoding from 'lib0/decoding'
import * as Y from 'yjs'
import { SYNC } from '../../../server/gateways/y-protocol-numbers.ts'
import type { CrowdProtocol } from '../crowd-protocol.ts'
import { openOverWebSocket } from './socket-client.ts'
import { YjsClient } from './yjs-client.ts'

const AUTH = 2
const SYNC_REPLY = 4
const STATELESS = 5
const SYNC_STATUS = 8
const PING = 9
const PONG = 10

const TOKEN = 0
const AUTHENTICATED = 2
/** The version of the provider whose protocol this is. */
const VERSION = '4.8.0'

class Client extends YjsClient {
  protected override readonly head = [this.address.document]
  #syncStatusCount = 0

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
    // Skips the name: each connection has one document.
    const nameBytes = decoding.readVarUint(decoder)
    decoder.pos += nameBytes
    const kind = decoding.readVarUint(decoder)
    if (kind === SYNC || kind === SYNC_REPLY) this.readSync(decoder)
    else if (kind === AUTH) this.#receiveAuthentication(decoding.readVarUint(decoder))
    else if (kind === SYNC_STATUS)
      this.onApplied(this.#syncStatusCount++) // the first one answers this client's own, empty state
    else if (kind === STATELESS) this.onStored(decoding.readVarString(decoder))
  }

  /** The server has so many edits in memory. */
  protected onApplied(count: number): void {
    this.listener.onAcknowledged?.(count)
  }

  /** The server has stored what the state vector says. */
  protected onStored(_stateVector: string): void {}

  #receiveAuthentication(answer: number): void {
    if (answer === AUTHENTICATED) this.requestState()
    else this.refuse(`authentication answered ${answer}`)
  }
}

class StoredClient extends Client {
  protected override onApplied(): void {}

  protected override onStored(stateVector: string): void {
    const clocks = Y.decodeStateVector(Buffer.from(stateVector, 'base64'))
    this.listener.onAcknowledged?.(clocks.get(this.address.author) ?? 0)
  }
}

/** Takes an edit as acknowledged once it is in the server's memory, which is all that Hocuspocus itself says. */
export const hocuspocus: CrowdProtocol = { heartbeatMs: 15_000, open: openOverWebSocket(Client, () => '') }

/** Takes an edit as acknowledged once it is stored, with a server that says so in a stateless message (peers/hocuspocus.ts). */
export const hocuspocusStored: CrowdProtocol = {
  heartbeatMs: 15_000,
  open: openOverWebSocket(StoredClient, () => ''),
}
