/** The messages of the session itself: opening, resuming, switching, acknowledging, liveness (S1–S9). */
import type { CloseReason } from './close.ts'
import { closeCodeOf, closeNumber } from './close.ts'
import type { Decoder, Encoder } from './wire.ts'
import { readFlag, readNumber, readString, writeFlag, writeNumber, writeString } from './wire.ts'

/** The first message of a session on a link. Without `resume`, or without an id in it, it asks for a new session. */
export interface HelloMessage {
  readonly type: 'hello'
  readonly protocol: number
  readonly schema: number
  readonly resume: ResumeRequest | null
}

export interface ResumeRequest {
  /** The id of the window's latest session; '' before its first welcome. */
  readonly id: string
  /** Without an id one that the window made itself (`randomId`): it shows that two such sessions are of one window (A5). */
  readonly secret: string
  /** The last server message that arrived. */
  readonly received: number
  /** True: this link takes over at once. False: it only proves itself, and a `take` follows (S4). */
  readonly take: boolean
}

export interface WelcomeMessage {
  readonly type: 'welcome'
  readonly id: string
  /** Opens the session on later links; only the client that began the session receives it. */
  readonly secret: string
  /** False: numbers start again on both sides, and state vectors are exchanged (S3). */
  readonly resumed: boolean
  /** The last client message that arrived; 0 in a new session. */
  readonly received: number
  /** The principal that the server knows the person as: unsent text on the device belongs to nobody else. */
  readonly principal: string
  /** The transports that the server offers, separated by commas. */
  readonly offers: string
}

/** From here on the server sends on this link, and first repeats what was not acknowledged. */
export interface TakeoverMessage {
  readonly type: 'take'
  readonly received: number
}

/** The server's last frame on a link that another one replaced (S4). */
export interface DrainedMessage {
  readonly type: 'drained'
}

/** All messages up to this number arrived. This proves the link, and says nothing about the disk (S1). */
export interface ReceivedMessage {
  readonly type: 'received'
  readonly number: number
}

/** A message came out of order; `expected` is the number that must come first (S1, S2). */
export interface GapMessage {
  readonly type: 'gap'
  readonly expected: number
}

export interface PingMessage {
  readonly type: 'ping'
  readonly token: number
}

export interface PongMessage {
  readonly type: 'pong'
  readonly token: number
}

/** The client ends its session for good: its presence is removed at once. */
export interface ByeMessage {
  readonly type: 'bye'
}

export function writeHello(encoder: Encoder, { protocol, schema, resume }: HelloMessage): void {
  writeNumber(encoder, protocol)
  writeNumber(encoder, schema)
  writeFlag(encoder, resume !== null)
  if (resume) {
    writeString(encoder, resume.id)
    writeString(encoder, resume.secret)
    writeNumber(encoder, resume.received)
    writeFlag(encoder, resume.take)
  }
}

export function readHello(decoder: Decoder): HelloMessage {
  const protocol = readNumber(decoder)
  const schema = readNumber(decoder)
  const resume = readFlag(decoder) ? readResumeRequest(decoder) : null
  return { type: 'hello', protocol, schema, resume }
}

const readResumeRequest = (decoder: Decoder): ResumeRequest => ({
  id: readString(decoder),
  secret: readString(decoder),
  received: readNumber(decoder),
  take: readFlag(decoder),
})

export function writeWelcome(encoder: Encoder, welcome: WelcomeMessage): void {
  writeString(encoder, welcome.id)
  writeString(encoder, welcome.secret)
  writeFlag(encoder, welcome.resumed)
  writeNumber(encoder, welcome.received)
  writeString(encoder, welcome.principal)
  writeString(encoder, welcome.offers)
}

export const readWelcome = (decoder: Decoder): WelcomeMessage => ({
  type: 'welcome',
  id: readString(decoder),
  secret: readString(decoder),
  resumed: readFlag(decoder),
  received: readNumber(decoder),
  principal: readString(decoder),
  offers: readString(decoder),
})

export const writeTakeover = (encoder: Encoder, { received }: TakeoverMessage): void =>
  writeNumber(encoder, received)
export const readTakeover = (decoder: Decoder): TakeoverMessage => ({
  type: 'take',
  received: readNumber(decoder),
})

export const writeReceived = (encoder: Encoder, { number }: ReceivedMessage): void =>
  writeNumber(encoder, number)
export const readReceived = (decoder: Decoder): ReceivedMessage => ({
  type: 'received',
  number: readNumber(decoder),
})

export const writeGap = (encoder: Encoder, { expected }: GapMessage): void => writeNumber(encoder, expected)
export const readGap = (decoder: Decoder): GapMessage => ({ type: 'gap', expected: readNumber(decoder) })

export const writePing = (encoder: Encoder, { token }: PingMessage): void => writeNumber(encoder, token)
export const readPing = (decoder: Decoder): PingMessage => ({ type: 'ping', token: readNumber(decoder) })

export const writePong = (encoder: Encoder, { token }: PongMessage): void => writeNumber(encoder, token)
export const readPong = (decoder: Decoder): PongMessage => ({ type: 'pong', token: readNumber(decoder) })

/** In characters, each at most 3 bytes: well below MAX_STRING_BYTES. */
const MAX_DETAIL = 1000

const shorten = (detail: string): string =>
  detail.length <= MAX_DETAIL ? detail : detail.slice(0, MAX_DETAIL).replace(/[\uD800-\uDBFF]$/, '') + '…'

/** Writes a reason within a message (`refused`, `detached`): code, detail, and the wait that it asks for. */
export function writeReason(encoder: Encoder, { code, detail = '', retryAfterMs = 0 }: CloseReason): void {
  writeNumber(encoder, closeNumber(code))
  writeString(encoder, shorten(detail))
  writeNumber(encoder, retryAfterMs)
}

export function readReason(decoder: Decoder): CloseReason {
  const code = closeCodeOf(readNumber(decoder))
  const detail = readString(decoder)
  const retryAfterMs = readNumber(decoder)
  return { code, ...(detail && { detail }), ...(retryAfterMs && { retryAfterMs }) }
}
