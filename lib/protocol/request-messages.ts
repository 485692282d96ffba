/**
 * Requests within the session: the window sends one, and the server answers it once or refuses it. Neither message has a number:
 * a request without an answer is sent again on the next link. So only requests that may be repeated are sent this way.
 */
import { strings } from '../strings/refusals.ts'
import type { CloseReason } from './close.ts'
import { MAX_ANSWER_BYTES, MAX_REQUEST_BYTES } from './limits.ts'
import { readReason, writeReason } from './session-messages.ts'
import type { Decoder, Encoder } from './wire.ts'
import {
  ProtocolError,
  readBytes,
  readFlag,
  readNumber,
  readString,
  writeBytes,
  writeFlag,
  writeNumber,
  writeString,
} from './wire.ts'

export interface RequestMessage {
  readonly type: 'ask'
  /** The window's own id for this request, repeated in the answer. */
  readonly id: number
  /** The topic, which decides the form of `body`. */
  readonly about: string
  readonly body: Uint8Array
}

export interface AnswerMessage {
  readonly type: 'answer'
  readonly id: number
  readonly outcome: { readonly body: Uint8Array } | { readonly refused: CloseReason }
}

export function writeRequestMessage(encoder: Encoder, { id, about, body }: RequestMessage): void {
  writeNumber(encoder, id)
  writeString(encoder, about)
  writeBytes(encoder, body)
}

export const readRequestMessage = (decoder: Decoder): RequestMessage => ({
  type: 'ask',
  id: readNumber(decoder),
  about: readString(decoder),
  body: checkLength(readBytes(decoder), MAX_REQUEST_BYTES, 'MAX_ASK_BYTES'),
})

export function writeAnswerMessage(encoder: Encoder, { id, outcome }: AnswerMessage): void {
  const refused = 'refused' in outcome
  writeNumber(encoder, id)
  writeFlag(encoder, refused)
  if (refused) writeReason(encoder, outcome.refused)
  else writeBytes(encoder, outcome.body)
}

export function readAnswerMessage(decoder: Decoder): AnswerMessage {
  const id = readNumber(decoder)
  const outcome = readFlag(decoder)
    ? { refused: readReason(decoder) }
    : { body: checkLength(readBytes(decoder), MAX_ANSWER_BYTES, 'MAX_ANSWER_BYTES') }
  return { type: 'answer', id, outcome }
}

function checkLength<Bytes extends Uint8Array>(bytes: Bytes, limit: number, name: string): Bytes {
  if (bytes.length <= limit) return bytes
  throw new ProtocolError('bad-message', strings.malformed.longBody(bytes.length, limit, name))
}
