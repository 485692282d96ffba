/**
 * Requests within the session: the window sends one, and the server responds to it once, with a result or a refusal. Neither message has a
 * number: a request without a response is sent again on the next link. So only requests that may be repeated are sent this way.
 */
import { refusalsStrings } from '../strings/refusals.ts'
import type { CloseReason } from './close.ts'
import { MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES } from './limits.ts'
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
  readonly type: 'request'
  /** The window's own id for this request, repeated in the response. */
  readonly id: number
  /** Decides the form of the parameters and of the response's body. */
  readonly method: string
  readonly parameters: Uint8Array
}

export interface ResponseMessage {
  readonly type: 'response'
  readonly id: number
  readonly outcome: { readonly body: Uint8Array } | { readonly refused: CloseReason }
}

export function writeRequest(encoder: Encoder, { id, method, parameters }: RequestMessage): void {
  writeNumber(encoder, id)
  writeString(encoder, method)
  writeBytes(encoder, parameters)
}

export const readRequest = (decoder: Decoder): RequestMessage => ({
  type: 'request',
  id: readNumber(decoder),
  method: readString(decoder),
  parameters: checkLength(readBytes(decoder), MAX_REQUEST_BYTES, 'MAX_REQUEST_BYTES'),
})

export function writeResponse(encoder: Encoder, { id, outcome }: ResponseMessage): void {
  const refused = 'refused' in outcome
  writeNumber(encoder, id)
  writeFlag(encoder, refused)
  if (refused) writeReason(encoder, outcome.refused)
  else writeBytes(encoder, outcome.body)
}

export function readResponse(decoder: Decoder): ResponseMessage {
  const id = readNumber(decoder)
  const outcome = readFlag(decoder)
    ? { refused: readReason(decoder) }
    : { body: checkLength(readBytes(decoder), MAX_RESPONSE_BYTES, 'MAX_RESPONSE_BYTES') }
  return { type: 'response', id, outcome }
}

function checkLength<Bytes extends Uint8Array>(bytes: Bytes, limit: number, name: string): Bytes {
  if (bytes.length <= limit) return bytes
  throw new ProtocolError('bad-message', refusalsStrings.malformed.longBody(bytes.length, limit, name))
}
