/** Speaks y-protocols over a socket, as the clients of Yjs's own servers do. */
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
import { SocketClient } from './socket-client.ts'

/** The state vector of an empty document. */
const EMPTY_STATE_VECTOR = Uint8Array.of(0)

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

export abstract class YjsClient extends SocketClient<ArrayBuffer> {
  /** The fields with which each message begins. */
  protected readonly head: readonly Field[] = []
  #heartbeats = 0

  sendEdit(update: Uint8Array): void {
    this.sendMessage(SYNC, UPDATE, update)
  }

  /** Renews an empty awareness state, as y-protocols does every 15 s. */
  override sendHeartbeat(): void {
    this.sendMessage(AWARENESS, encode([1, this.address.author, ++this.#heartbeats, '{}']))
  }

  protected sendMessage(...fields: readonly Field[]): void {
    this.send(encode([...this.head, ...fields]))
  }

  protected requestState(): void {
    this.sendMessage(SYNC, STEP_1, EMPTY_STATE_VECTOR)
  }

  /** Reads the rest of a message of the kind SYNC. */
  protected readSync(decoder: decoding.Decoder): void {
    const step = decoding.readVarUint(decoder)
    if (step === STEP_1) return this.sendMessage(SYNC, STEP_2, EMPTY_UPDATE)
    const update = decoding.readVarUint8Array(decoder)
    if (step === UPDATE) return this.listener.onUpdate?.(update)
    this.listener.onState?.(update)
    this.accept()
  }
}
