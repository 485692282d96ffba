/**
 * Frames and controls in a stream of bytes, which may be cut anywhere (T2): every HTTP body of the transports, both ways. They are read by
 * record-decoder.ts.
 *
 *   record  = length × 2 + control (varint: little end first, 7 bits a byte, at most 4) · bytes
 *   control = 0: the bytes are one frame | 1: they are JSON, one of
 *             { type: link, id, secret }   first of all on a streamed downstream: uploads name their link by it
 *             { type: up }                 the server has read the head of a streamed body
 *             { type: close, number, … }   the link ends, and why; nothing comes after it
 *             A control of another type is ignored.
 */
import type { CloseReason } from './close.ts'
import type { LinkKey } from './link-key.ts'
import { linkKeyFields } from './link-key.ts'
import { reasonFields } from './close-reason-json.ts'
import type { Bytes } from './wire.ts'

export type ControlRecord =
  | { readonly type: 'link'; readonly key: LinkKey }
  | { readonly type: 'up' }
  | { readonly type: 'close'; readonly reason: CloseReason }

const MAX_DETAIL = 1000

const headByteLength = (head: number): number =>
  head < 0x80 ? 1 : head < 0x4000 ? 2 : head < 0x20_0000 ? 3 : 4

export const recordByteLength = ({ byteLength }: Uint8Array): number =>
  headByteLength(byteLength * 2) + byteLength

/** Writes `before` (a head), then each frame as a record, then `after` (a control): one allocation, one copy. */
export function encodeRecords(
  frames: readonly Uint8Array[],
  { before, after }: { readonly before?: Uint8Array; readonly after?: Uint8Array } = {},
): Bytes {
  const around = (before?.byteLength ?? 0) + (after?.byteLength ?? 0)
  const out = new Uint8Array(frames.reduce((sum, frame) => sum + recordByteLength(frame), around))
  if (before) out.set(before)
  let at = before?.byteLength ?? 0
  for (const frame of frames) at = writeRecordAt(out, at, frame, 0)
  if (after) out.set(after, at)
  return out
}

const encoder = new TextEncoder()

/** Returns a whole record. A long detail of a close is cut. */
export function encodeControl(control: ControlRecord): Bytes {
  const json = encoder.encode(JSON.stringify({ type: control.type, ...controlFields(control) }))
  const out = new Uint8Array(headByteLength(json.byteLength * 2 + 1) + json.byteLength)
  writeRecordAt(out, 0, json, 1)
  return out
}

function controlFields(control: ControlRecord): object {
  switch (control.type) {
    case 'link':
      return linkKeyFields(control.key)
    case 'up':
      return {}
    case 'close':
      return reasonFields({ ...control.reason, detail: control.reason.detail?.slice(0, MAX_DETAIL) ?? '' })
  }
}

function writeRecordAt(out: Uint8Array, start: number, bytes: Uint8Array, control: 0 | 1): number {
  let at = start
  let rest = bytes.byteLength * 2 + control
  for (; rest >= 0x80; rest >>>= 7) out[at++] = (rest & 0x7f) | 0x80
  out[at++] = rest
  out.set(bytes, at)
  return at + bytes.byteLength
}
