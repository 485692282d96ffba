/**
 * Messages of the y-websocket package, both ways. What many readers hear is encoded once, WebSocket frame included, and written to
 * each as it is.
 */
import type { SharedUpdates } from '../../lib/protocol/shared.ts'
import {
  type Bytes,
  createDecoder,
  numberLength,
  ProtocolError,
  putNumber,
  readBytes,
  readNumber,
} from '../../lib/protocol/wire.ts'
import { strings as refusals } from '../../lib/strings/refusals.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { frameBytes, putFrameHead } from './web-socket-frame.ts'
import { AWARENESS, QUERY_AWARENESS, STEP_1, STEP_2, SYNC, UPDATE } from './y-numbers.ts'

export type StockMessage =
  | { readonly type: 'step 1' | 'step 2' | 'update' | 'presence'; readonly bytes: Bytes }
  | { readonly type: 'query' }

const syncSteps: Readonly<Record<number, 'step 1' | 'step 2' | 'update'>> = {
  [STEP_1]: 'step 1',
  [STEP_2]: 'step 2',
  [UPDATE]: 'update',
}

/** Its bytes are views. @throws {ProtocolError} */
export function readStockMessage(data: Uint8Array): StockMessage {
  const decoder = createDecoder(data)
  const kind = readNumber(decoder)
  if (kind === QUERY_AWARENESS) return { type: 'query' }
  if (kind === AWARENESS) return { type: 'presence', bytes: readBytes(decoder) }
  if (kind !== SYNC) throw new ProtocolError('bad-frame', refusals.malformed.kind(kind))
  const step = readNumber(decoder)
  const type = syncSteps[step]
  if (!type) throw new ProtocolError('bad-frame', strings.stockDoor.syncStep(step))
  return { type, bytes: readBytes(decoder) }
}

interface Part {
  /** Numbers below 128, a byte each. */
  readonly head: readonly number[]
  readonly payload: Uint8Array
}

const partBytes = ({ head, payload }: Part): number =>
  head.length + numberLength(payload.length) + payload.length

/** Frames that follow each other, in one buffer. */
function frames(parts: readonly Part[]): Buffer {
  const all = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + frameBytes(partBytes(part)), 0))
  let at = 0
  for (const part of parts) {
    at = putFrameHead(all, at, partBytes(part))
    for (const number of part.head) all[at++] = number
    at = putNumber(all, at, part.payload.length)
    all.set(part.payload, at)
    at += part.payload.length
  }
  return all
}

export const syncFrame = (step: number, payload: Uint8Array): Buffer =>
  frames([{ head: [SYNC, step], payload }])

const changes = new WeakMap<SharedUpdates, Buffer>()

/** One frame an update, since the package reads one message of each. */
export function changeFrames(updates: SharedUpdates): Buffer {
  const known = changes.get(updates)
  if (known) return known
  const made = frames(updates.updates.map((payload) => ({ head: [SYNC, UPDATE], payload })))
  changes.set(updates, made)
  return made
}

const presences = new WeakMap<Uint8Array, Buffer>()

/** @param update Told to many as the same object. */
export function presenceFrame(update: Uint8Array): Buffer {
  const known = presences.get(update)
  if (known) return known
  const made = frames([{ head: [AWARENESS], payload: update }])
  presences.set(update, made)
  return made
}
