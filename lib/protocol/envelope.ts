/**
 * Messages in, frames out, and back. A frame is `varint(session × 2 + more)` and a piece of one or several messages;
 * `more` says that the next frame of this session goes on with them, so that no message has a silent ceiling (T6).
 */
import { MAX_FRAME_BYTES, MAX_MESSAGE_BYTES } from './limits.ts'
import type { Bytes } from './wire.ts'
import { createDecoder, ProtocolError, readNumber } from './wire.ts'

/** So that a head fits 32 bits, as the arithmetic below needs it. */
export const MAX_SESSION = 2 ** 31 - 1
/** The widest head. */
const HEAD_BYTES = 5
/** Of all messages that wait on a link. Full frames need 129 for the longest message; crumbs cost more than they bring. */
const MAX_PIECES = 2048

const varUintLength = (value: number): number => Math.max(1, Math.ceil((32 - Math.clz32(value)) / 7))

function frameOf(session: number, more: boolean, pieces: readonly Uint8Array[], length: number): Bytes {
  const head = session * 2 + (more ? 1 : 0)
  const headLength = varUintLength(head)
  const frame = new Uint8Array(headLength + length)
  let rest = head
  for (let i = 0; i < headLength; i++) {
    frame[i] = (rest & 0x7f) | (i < headLength - 1 ? 0x80 : 0)
    rest >>>= 7
  }
  let offset = headLength
  for (const piece of pieces) {
    frame.set(piece, offset)
    offset += piece.length
  }
  return frame
}

/** Packs encoded messages into as few frames as MAX_FRAME_BYTES allows. @param session The link's number for the session. */
export function packFrames(session: number, messages: readonly Uint8Array[]): Bytes[] {
  const room = MAX_FRAME_BYTES - HEAD_BYTES
  const total = messages.reduce((sum, message) => sum + message.length, 0)
  if (total <= room) return [frameOf(session, false, messages, total)]
  return messages.length > 1
    ? packRuns(session, messages, room)
    : splitMessage(session, messages[0] as Uint8Array, room)
}

function packRuns(session: number, messages: readonly Uint8Array[], room: number): Bytes[] {
  const frames: Bytes[] = []
  let run: Uint8Array[] = []
  let length = 0
  const flush = () => {
    if (run.length > 0) frames.push(...packFrames(session, run))
    run = []
    length = 0
  }
  for (const message of messages) {
    if (length + message.length > room) flush()
    run.push(message)
    length += message.length
  }
  flush()
  return frames
}

function splitMessage(session: number, message: Uint8Array, room: number): Bytes[] {
  const frames: Bytes[] = []
  for (let start = 0; start < message.length; start += room) {
    const piece = message.subarray(start, start + room)
    frames.push(frameOf(session, start + room < message.length, [piece], piece.length))
  }
  return frames
}

export interface Parcel {
  readonly session: number
  /** One or several whole messages. */
  readonly body: Uint8Array
}

/** Joins the pieces again, one link's worth. */
export class FrameJoiner {
  readonly #open = new Map<number, Uint8Array[]>()
  readonly #limit: number
  /** Bytes and pieces waiting for their last piece, over all sessions of the link: the limits hold for their sums. */
  #waiting = 0
  #pieces = 0

  constructor(limit = MAX_MESSAGE_BYTES) {
    this.#limit = limit
  }

  /** Null while pieces are missing. @throws {ProtocolError} for a head that is none or a message over the limit. */
  push(frame: Uint8Array): Parcel | null {
    const { session, more, piece } = readFrame(frame)
    const pieces = this.#open.get(session)
    if (!pieces && !more) return { session, body: piece }
    return this.#collect(session, more, piece, pieces ?? [])
  }

  #collect(session: number, more: boolean, piece: Uint8Array, pieces: Uint8Array[]): Parcel | null {
    this.#waiting += piece.length
    if (this.#waiting > this.#limit) {
      throw new ProtocolError('too-large', `a message over ${this.#limit} bytes (MAX_MESSAGE_BYTES)`)
    }
    if (++this.#pieces > MAX_PIECES) throw new ProtocolError('bad-frame', `over ${MAX_PIECES} pieces waiting`)
    pieces.push(piece)
    if (more) {
      this.#open.set(session, pieces)
      return null
    }
    this.#open.delete(session)
    const body = concat(pieces)
    this.#waiting -= body.length
    this.#pieces -= pieces.length
    return { session, body }
  }
}

function readFrame(frame: Uint8Array): { session: number; more: boolean; piece: Uint8Array } {
  const decoder = createDecoder(frame)
  const head = readNumber(decoder)
  const session = Math.floor(head / 2)
  if (session > MAX_SESSION) {
    throw new ProtocolError('bad-frame', `session ${session} on a link; the limit is ${MAX_SESSION}`)
  }
  return { session, more: head % 2 === 1, piece: frame.subarray(decoder.pos) }
}

function concat(pieces: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}
