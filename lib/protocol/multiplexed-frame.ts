/**
 * A link may carry several sessions, each on a sub-link with a number (transports/multiplexer.ts). A frame's head is
 *
 *   varint(sub-link × 4 + last × 2 + more)
 *
 * `more`: the next frame of this sub-link continues the message. `last`: the sub-link ends but the link does not; the rest of
 * the frame is the reason. Sub-link 0 is the link itself: a link that carries one session has no other.
 */
import { refusalsStrings } from '../strings/refusals.ts'
import type { CloseReason } from './close.ts'
import { readReason, writeReason } from './session-messages.ts'
import type { Bytes } from './wire.ts'
import { createDecoder, createEncoder, ProtocolError, readNumber, toBytes, writeNumber } from './wire.ts'

/** The limit keeps a head within 32 bits, which the arithmetic below needs. */
export const MAX_SUB_LINK = 2 ** 29 - 1
/** The widest head. */
export const MAX_FRAME_HEAD_BYTES = 5

const LAST = 2
const MORE = 1

export interface FrameHead {
  readonly subLink: number
  readonly last: boolean
  readonly more: boolean
  /** Where the rest of the frame begins. */
  readonly length: number
}

/** @throws {ProtocolError} */
export function readFrameHead(frame: Uint8Array): FrameHead {
  const [first = 128] = frame
  if (first < 128)
    return { subLink: first >> 2, last: (first & LAST) !== 0, more: (first & MORE) !== 0, length: 1 }
  const decoder = createDecoder(frame)
  const head = readNumber(decoder)
  const subLink = Math.floor(head / 4)
  if (subLink > MAX_SUB_LINK)
    throw new ProtocolError('bad-frame', refusalsStrings.malformed.subLink(subLink, MAX_SUB_LINK))
  return { subLink, last: (head & LAST) !== 0, more: (head & MORE) !== 0, length: decoder.pos }
}

/** Returns memory for a frame. Its content does not matter. */
export type Allocate = (length: number) => Bytes

const allocateOwn: Allocate = (length) => new Uint8Array(length)

/** Whether the frame continues sub-link 0. */
export const isUnmultiplexedFrame = (frame: Uint8Array): boolean => frame[0] === 0 || frame[0] === MORE

/** Creates a frame of sub-link 0 with room for `length` bytes after its head. */
export function emptyFrame(more: boolean, length: number, allocate: Allocate = allocateOwn): Bytes {
  const frame = allocate(1 + length)
  frame[0] = more ? MORE : 0
  return frame
}

/** Copies a frame, with another number. */
export function renumberFrame(frame: Uint8Array, { more, length }: FrameHead, subLink: number): Bytes {
  const head = encodeFrameHead(subLink, more ? MORE : 0)
  const copy = new Uint8Array(head.length + frame.length - length)
  copy.set(head)
  copy.set(frame.subarray(length), head.length)
  return copy
}

export function encodeLastFrame(subLink: number, reason: CloseReason): Bytes {
  const encoder = createEncoder()
  writeNumber(encoder, subLink * 4 + LAST)
  writeReason(encoder, reason)
  return toBytes(encoder)
}

/** @throws {ProtocolError} */
export const readLastReason = (frame: Uint8Array, { length }: FrameHead): CloseReason =>
  readReason(createDecoder(frame.subarray(length)))

function encodeFrameHead(subLink: number, flags: number): Bytes {
  const encoder = createEncoder()
  writeNumber(encoder, subLink * 4 + flags)
  return toBytes(encoder)
}
