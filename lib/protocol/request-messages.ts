/**
 * Requests inside the session: asked by the window, answered once by the server or refused. Neither carries a number: a question
 * without an answer is asked again on the next link, so that only what may be asked twice is asked this way.
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
  /** The window's own, for the answer. */
  readonly id: number
  /** What is asked for; what `body` says follows from it. */
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
