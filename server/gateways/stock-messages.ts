/**
 * Messages of the y-websocket package, in both directions. A message for many readers is encoded once, WebSocket frame included, and
 * the same bytes are written to each.
 */
import type { SharedUpdates } from '../../lib/protocol/shared-change.ts'
import {
  type Bytes,
  createDecoder,
  numberLength,
  ProtocolError,
  writeNumberAt,
  readBytes,
  readNumber,
} from '../../lib/protocol/wire.ts'
import { refusalsStrings } from '../../lib/strings/refusals.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { frameBytes, writeFrameHeader } from './web-socket-frame.ts'
import { AWARENESS, QUERY_AWARENESS, STEP_1, STEP_2, SYNC, UPDATE } from './y-protocol-numbers.ts'

export type StockMessage =
  | { readonly type: 'step 1' | 'step 2' | 'update' | 'presence'; readonly bytes: Bytes }
  | { readonly type: 'query' }

const syncSteps: Readonly<Record<number, 'step 1' | 'step 2' | 'update'>> = {
  [STEP_1]: 'step 1',
  [STEP_2]: 'step 2',
  [UPDATE]: 'update',
}

/** The message's bytes are views of `data`. @throws {ProtocolError} */
export function readStockMessage(data: Uint8Array): StockMessage {
  const decoder = createDecoder(data)
  const kind = readNumber(decoder)
  if (kind === QUERY_AWARENESS) return { type: 'query' }
  if (kind === AWARENESS) return { type: 'presence', bytes: readBytes(decoder) }
  if (kind !== SYNC) throw new ProtocolError('bad-frame', refusalsStrings.malformed.kind(kind))
  const step = readNumber(decoder)
  const type = syncSteps[step]
  if (!type) throw new ProtocolError('bad-frame', serverRefusalsStrings.stockGateway.syncStep(step))
  return { type, bytes: readBytes(decoder) }
}

interface StockFrame {
  /** Numbers below 128, one byte each. */
  readonly kinds: readonly number[]
  readonly payload: Uint8Array
}

const stockFrameBytes = ({ kinds, payload }: StockFrame): number =>
  kinds.length + numberLength(payload.length) + payload.length

/** Encodes several frames into one buffer. */
function encodeFrames(stockFrames: readonly StockFrame[]): Buffer {
  const all = Buffer.allocUnsafe(
    stockFrames.reduce((sum, stockFrame) => sum + frameBytes(stockFrameBytes(stockFrame)), 0),
  )
  let at = 0
  for (const stockFrame of stockFrames) {
    at = writeFrameHeader(all, at, stockFrameBytes(stockFrame))
    for (const number of stockFrame.kinds) all[at++] = number
    at = writeNumberAt(all, at, stockFrame.payload.length)
    all.set(stockFrame.payload, at)
    at += stockFrame.payload.length
  }
  return all
}

export const syncFrame = (step: number, payload: Uint8Array): Buffer =>
  encodeFrames([{ kinds: [SYNC, step], payload }])

const changeFrameCache = new WeakMap<SharedUpdates, Buffer>()

/** Encodes one frame for each update, since the package reads one message from a frame. */
export function changeFrames(updates: SharedUpdates): Buffer {
  const cached = changeFrameCache.get(updates)
  if (cached) return cached
  const encoded = encodeFrames(updates.updates.map((payload) => ({ kinds: [SYNC, UPDATE], payload })))
  changeFrameCache.set(updates, encoded)
  return encoded
}

const presenceFrameCache = new WeakMap<Uint8Array, Buffer>()

/** @param update The same object for all readers, so that the cache finds it. */
export function presenceFrame(update: Uint8Array): Buffer {
  const cached = presenceFrameCache.get(update)
  if (cached) return cached
  const encoded = encodeFrames([{ kinds: [AWARENESS], payload: update }])
  presenceFrameCache.set(update, encoded)
  return encoded
}
