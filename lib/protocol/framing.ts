/**
 * Packs messages into frames, and joins them again. A frame is a head (multiplexed-frame.ts) and a piece of one or several
 * messages; its `more` says that the next frame continues them, so that the frame limit does not limit messages (T6).
 */
import { refusalsStrings } from '../strings/refusals.ts'
import { MAX_MESSAGE_BYTES } from './limits.ts'
import { type Allocate, emptyFrame, MAX_FRAME_HEAD_BYTES, readFrameHead } from './multiplexed-frame.ts'
import type { SharedMessage } from './shared-change.ts'
import type { Bytes } from './wire.ts'
import { ProtocolError } from './wire.ts'

/**
 * The size of our own frames, though a link takes more. Each arriving frame is a sign of life (S7): at 1 KB/s one comes every
 * 8 s, but a frame of the largest size would take minutes, and the link would count as dead, again and again.
 */
const FRAME_BYTES = 8 * 1024
/** The most pieces that may wait on a link. The longest message needs 4,100; tiny pieces cost more than they bring. */
const MAX_PIECES = 2 * (MAX_MESSAGE_BYTES / FRAME_BYTES)

/** The rest is room for the widest head: on a shared link a frame gets another number. */
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
 * @param allocate Gives memory for frames that are written and forgotten. By default each frame has its own, so it can be posted.
 */
export function packFrames(messages: readonly EncodedMessage[], allocate?: Allocate): Bytes[] {
  let total = 0
  for (const { length } of messages) total += length
  if (total <= FRAME_CAPACITY) return [frameOf(false, messages, total, allocate)]
  return messages.length > 1 ? packRuns(messages, allocate) : splitMessage(bytesOf(messages[0]!), allocate)
}

/** Large enough for what a busy room broadcasts in one turn. */
const scratch = new Uint8Array(128 * 1024)

/** A shared message is written into one buffer, which is valid until the next call. */
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

/** Counts the pieces that wait for their last one. All joiners of a link share it, so that the limits hold for their sums. */
export class PendingPieces {
  readonly #limit: number
  readonly #onChange: (bytes: number) => void
  #bytes = 0
  #pieces = 0

  /** @param onChange Receives how many more bytes wait than before, negative for fewer. */
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
      throw new ProtocolError('too-large', refusalsStrings.malformed.longMessage(this.#limit))
    if (this.#pieces > MAX_PIECES)
      throw new ProtocolError('bad-frame', refusalsStrings.malformed.manyPieces(MAX_PIECES))
  }

  release(pieces: readonly Uint8Array[]): void {
    if (pieces.length === 0) return
    const before = this.#bytes
    for (const { length } of pieces) this.#bytes -= length
    this.#pieces -= pieces.length
    this.#onChange(this.#bytes - before)
  }
}

/** Joins the pieces of one sub-link again. */
export class FrameJoiner {
  readonly #pending: PendingPieces
  #pieces: Uint8Array[] = []

  constructor(pending = new PendingPieces()) {
    this.#pending = pending
  }

  /** Returns one or several whole messages; null while pieces are missing. @throws {ProtocolError} */
  push(frame: Uint8Array): Uint8Array | null {
    const { subLink, last, more, length } = readFrameHead(frame)
    if (subLink !== 0 || last)
      throw new ProtocolError('bad-frame', refusalsStrings.malformed.subLinkOfOneSession(subLink))
    const piece = frame.subarray(length)
    if (this.#pieces.length === 0 && !more) return piece
    this.#pieces.push(ownBytes(piece))
    this.#pending.add(piece)
    if (more) return null
    const messages = concat(this.#pieces)
    this.dropPieces()
    return messages
  }

  /** Releases the waiting pieces: no more will come. */
  dropPieces(): void {
    this.#pending.release(this.#pieces)
    this.#pieces = []
  }
}

/** Copies a piece that would keep much more memory alive: a piece of one byte may be a view of a large buffer. */
const ownBytes = (piece: Uint8Array): Uint8Array =>
  2 * piece.byteLength < piece.buffer.byteLength ? new Uint8Array(piece) : piece

function concat(pieces: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.length
  }
  return bytes
}
