/**
 * Messages in, frames out, and back. A frame is a head (ride.ts) and a piece of one or several messages; its `more` says that
 * the next frame goes on with them, so that no message has a silent ceiling (T6).
 */
import { strings } from '../strings/refusals.ts'
import { MAX_MESSAGE_BYTES } from './limits.ts'
import { type Allocate, emptyFrame, MAX_FRAME_HEAD_BYTES, readFrameHead } from './multiplexed-frame.ts'
import type { SharedMessage } from './shared-change.ts'
import type { Bytes } from './wire.ts'
import { ProtocolError } from './wire.ts'

/**
 * What we put into one frame, though a link takes more. Each that arrives is a sign of life (S7): at 1 KB/s one comes every 8 s,
 * where a full frame would take minutes and the link would be given up for dead, again and again.
 */
const FRAME_BYTES = 8 * 1024
/** Of all messages that wait on a link. The longest needs 4,100; crumbs cost more than they bring. */
const MAX_PIECES = 2 * (MAX_MESSAGE_BYTES / FRAME_BYTES)

/** Room is left for the widest head: on a link that others share a frame gets another number. */
const FRAME_CAPACITY = FRAME_BYTES - MAX_FRAME_HEAD_BYTES

/** One encoded message. */
export type EncodedMessage = Uint8Array | SharedMessage

function frameOf(
  more: boolean,
  messages: readonly EncodedMessage[],
  length: number,
  allocate?: Allocate,
): Bytes {
  const frame = emptyFrame(more, length, allocate)
  let offset = frame.length - length
  for (const message of messages) {
    if (message instanceof Uint8Array) frame.set(message, offset)
    else message.writeTo(frame, offset)
    offset += message.length
  }
  return frame
}

/**
 * Packs encoded messages into frames of at most FRAME_BYTES.
 * @param allocate For frames that are written and forgotten; by itself each has memory of its own, as what is posted elsewhere needs.
 */
export function packFrames(messages: readonly EncodedMessage[], allocate?: Allocate): Bytes[] {
  let total = 0
  for (const { length } of messages) total += length
  if (total <= FRAME_CAPACITY) return [frameOf(false, messages, total, allocate)]
  return messages.length > 1 ? packRuns(messages, allocate) : splitMessage(bytesOf(messages[0]!), allocate)
}

/** What a turn of a busy room tells is no longer. */
const scratch = new Uint8Array(128 * 1024)

/** What is shared is in one piece until the next is asked for. */
function bytesOf(message: EncodedMessage): Uint8Array {
  if (message instanceof Uint8Array) return message
  const { length } = message
  const bytes = length <= scratch.length ? scratch.subarray(0, length) : new Uint8Array(length)
  message.writeTo(bytes, 0)
  return bytes
}

function packRuns(messages: readonly EncodedMessage[], allocate?: Allocate): Bytes[] {
  const frames: Bytes[] = []
  let run: EncodedMessage[] = []
  let length = 0
  const flush = () => {
    if (run.length > 0) frames.push(...packFrames(run, allocate))
    run = []
    length = 0
  }
  for (const message of messages) {
    if (length + message.length > FRAME_CAPACITY) flush()
    run.push(message)
    length += message.length
  }
  flush()
  return frames
}

function splitMessage(message: Uint8Array, allocate?: Allocate): Bytes[] {
  const frames: Bytes[] = []
  for (let start = 0; start < message.length; start += FRAME_CAPACITY) {
    const piece = message.subarray(start, start + FRAME_CAPACITY)
    frames.push(frameOf(start + FRAME_CAPACITY < message.length, [piece], piece.length, allocate))
  }
  return frames
}

const ignoreChange = (): void => {}

/** What waits for its last piece. One for all joiners of a link, so that the limits hold for their sums. */
export class PendingPieces {
  readonly #limit: number
  readonly #onChange: (bytes: number) => void
  #bytes = 0
  #pieces = 0

  /** @param onChange Hears how many bytes wait more, or fewer, than before. */
  constructor(limit = MAX_MESSAGE_BYTES, onChange: (bytes: number) => void = ignoreChange) {
    this.#limit = limit
    this.#onChange = onChange
  }

  /** @throws {ProtocolError} */
  add({ length }: Uint8Array): void {
    this.#bytes += length
    this.#pieces += 1
    this.#onChange(length)
    if (this.#bytes > this.#limit)
      throw new ProtocolError('too-large', strings.malformed.longMessage(this.#limit))
    if (this.#pieces > MAX_PIECES)
      throw new ProtocolError('bad-frame', strings.malformed.manyPieces(MAX_PIECES))
  }

  release(pieces: readonly Uint8Array[]): void {
    if (pieces.length === 0) return
    const before = this.#bytes
    for (const { length } of pieces) this.#bytes -= length
    this.#pieces -= pieces.length
    this.#onChange(this.#bytes - before)
  }
}

/** Joins the pieces of one ride again. */
export class FrameJoiner {
  readonly #pending: PendingPieces
  #pieces: Uint8Array[] = []

  constructor(pending = new PendingPieces()) {
    this.#pending = pending
  }

  /** One or several whole messages; null while pieces are missing. @throws {ProtocolError} */
  push(frame: Uint8Array): Uint8Array | null {
    const { subLink, last, more, length } = readFrameHead(frame)
    if (subLink !== 0 || last)
      throw new ProtocolError('bad-frame', strings.malformed.subLinkOfOneSession(subLink))
    const piece = frame.subarray(length)
    if (this.#pieces.length === 0 && !more) return piece
    this.#pieces.push(ownBytes(piece))
    this.#pending.add(piece)
    if (more) return null
    const bytesOf = concat(this.#pieces)
    this.dropPieces()
    return bytesOf
  }

  /** Nothing more will come for the pieces that wait. */
  dropPieces(): void {
    this.#pending.release(this.#pieces)
    this.#pieces = []
  }
}

/** What is kept is not to keep much more alive: a piece of one byte may be a view on all that came with it. */
const ownBytes = (piece: Uint8Array): Uint8Array =>
  2 * piece.byteLength < piece.buffer.byteLength ? new Uint8Array(piece) : piece

function concat(pieces: readonly Uint8Array[]): Bytes {
  const bytesOf = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    bytesOf.set(piece, offset)
    offset += piece.length
  }
  return bytesOf
}
