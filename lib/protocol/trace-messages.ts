/**
 * What windows send each other about delays (L1), and the server's time (L2). Neither message carries a number: a lost one is
 * simply not measured.
 */
import { refusalsStrings } from '../strings/refusals.ts'
import { MAX_TRACE_BYTES } from './limits.ts'
import type { Decoder, Encoder } from './wire.ts'
import { ProtocolError, readBytes, readNumber, writeBytes, writeNumber } from './wire.ts'

/** The server passes a trace on and does not read it. */
export interface TraceMessage {
  readonly type: 'trace'
  readonly channel: number
  /**
   * A window, by the client id of its presence: the receiver in a client's message (0 for everybody else on the channel), the
   * sender in a server's.
   */
  readonly client: number
  /** At most MAX_TRACE_BYTES. lib/latency defines the content. */
  readonly bytes: Uint8Array
}

/** Client: asks for the server's time. */
export interface ClockRequestMessage {
  readonly type: 'clock'
  readonly token: number
}

/** Server: its time at the moment of the response. */
export interface ClockResponseMessage {
  readonly type: 'clock'
  readonly token: number
  /** In µs since 1970. */
  readonly micros: number
}

export function writeTrace(encoder: Encoder, { channel, client, bytes }: TraceMessage): void {
  writeNumber(encoder, channel)
  writeNumber(encoder, client)
  writeBytes(encoder, bytes)
}

export function readTrace(decoder: Decoder): TraceMessage {
  const channel = readNumber(decoder)
  const client = readNumber(decoder)
  const bytes = readBytes(decoder)
  if (bytes.length > MAX_TRACE_BYTES)
    throw new ProtocolError('bad-message', refusalsStrings.malformed.longTrace(bytes.length, MAX_TRACE_BYTES))
  return { type: 'trace', channel, client, bytes }
}

export const writeClockRequest = (encoder: Encoder, { token }: ClockRequestMessage): void =>
  writeNumber(encoder, token)

export const readClockRequest = (decoder: Decoder): ClockRequestMessage => ({
  type: 'clock',
  token: readNumber(decoder),
})

export function writeClockResponse(encoder: Encoder, { token, micros }: ClockResponseMessage): void {
  writeNumber(encoder, token)
  writeNumber(encoder, micros)
}

export const readClockResponse = (decoder: Decoder): ClockResponseMessage => ({
  type: 'clock',
  token: readNumber(decoder),
  micros: readNumber(decoder),
})
