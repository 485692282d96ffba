/** A client of one of Yjs's own servers, as far as they are alike: what y-protocols says over a socket, written and read by hand. */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import {
  AWARENESS,
  EMPTY_UPDATE,
  STEP_1,
  STEP_2,
  SYNC,
  UPDATE,
} from '../../../server/gateways/y-protocol-numbers.ts'
import type { DocumentAddress } from '../protocol.ts'
import { SocketClient } from './socket-client.ts'

/** An empty document's state vector. */
const NOTHING = Uint8Array.of(0)

type Field = number | string | Uint8Array

function encode(fields: readonly Field[]): Uint8Array {
  const encoder = encoding.createEncoder()
  for (const field of fields) {
    if (typeof field === 'number') encoding.writeVarUint(encoder, field)
    else if (typeof field === 'string') encoding.writeVarString(encoder, field)
    else encoding.writeVarUint8Array(encoder, field)
  }
  return encoding.toUint8Array(encoder)
}

export abstract class YjsClient<Address extends DocumentAddress = DocumentAddress> extends SocketClient<
  ArrayBuffer,
  Address
> {
  /** Stands before each message. */
  protected readonly head: readonly Field[] = []
  #beats = 0

  sendEdit(update: Uint8Array): void {
    this.sendMessage(SYNC, UPDATE, update)
  }

  /** A client that shows no state; y-protocols renews that every 15 s. */
  override sendHeartbeat(): void {
    this.sendMessage(AWARENESS, encode([1, this.place.author, ++this.#beats, '{}']))
  }

  protected sendMessage(...fields: readonly Field[]): void {
    this.send(encode([...this.head, ...fields]))
  }

  protected requestState(): void {
    this.sendMessage(SYNC, STEP_1, NOTHING)
  }

  /** The rest of a message of the kind SYNC. */
  protected readSync(decoder: decoding.Decoder): void {
    const step = decoding.readVarUint(decoder)
    if (step === STEP_1) return this.sendMessage(SYNC, STEP_2, EMPTY_UPDATE)
    const update = decoding.readVarUint8Array(decoder)
    if (step === UPDATE) return this.listener.onUpdate?.(update)
    this.listener.onState?.(update)
    this.accept()
  }
}
