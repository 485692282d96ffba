/**
 * Bytes of one echo on the wire by what the specifications say, both ways and above TCP's own. What fits one frame over plain TCP is
 * exact. Otherwise each piece is taken to travel by itself: how many share a write, a TLS record or an answer is a matter of the
 * moment, and HTTP/2 grants windows beside.
 */
import { packFrames } from '../../lib/protocol/framing.ts'
import { paths } from '../../lib/protocol/http.ts'
import { MAX_BATCH_BYTES } from '../../lib/protocol/limits.ts'
import { recordByteLength } from '../../lib/protocol/records.ts'
import { type Http, http1 } from './http1.ts'
import { huffmanBytes } from './huffman.ts'
import { isHttp2, type Scheme, type EchoLaneName } from './echo-lanes.ts'

export interface WireBytes {
  readonly up: number
  readonly down: number
}

export interface ClientNames {
  /** Host and port as the client names them. */
  readonly authority: string
}

/** What names a link in a body (S10): its id, `a.` and 16 bytes in base64, behind a byte of length, and its secret of 16. */
export const LINK_HEAD_BYTES = 1 + 24 + 16

export function calculate(
  name: EchoLaneName,
  scheme: Scheme,
  payload: number,
  names: ClientNames,
): WireBytes {
  const frames = packFrames([new Uint8Array(payload)])
  const kind = isHttp2(name, scheme) ? http2 : http1
  const writes = name === 'raw' ? raw(payload) : conversation(name, frames, { ...names, ...kind })
  return scheme === 'tls'
    ? { up: sum(writes.up.map(inRecords)), down: sum(writes.down.map(inRecords)) }
    : { up: sum(writes.up), down: sum(writes.down) }
}

/** Bytes of each write. */
interface WireWrites {
  readonly up: readonly number[]
  readonly down: readonly number[]
}

const raw = (payload: number): WireWrites => ({ up: [payload], down: [payload] })

function conversation(
  name: Exclude<EchoLaneName, 'raw'>,
  frames: readonly Uint8Array[],
  http: Http & ClientNames,
): WireWrites {
  const records = frames.map(recordByteLength)
  switch (name) {
    case 'websocket':
      return webSocket(frames, (bytes) => bytes)
    case 'websocket-h2':
      return webSocket(frames, http.piece)
    case 'sse': {
      const events = frames.map(({ length }) => http.piece(eventBytes(length)))
      return posted(records, events, http)
    }
    case 'stream':
      return posted(records, records.map(http.piece), http)
    case 'stream-body':
      return { up: records.map(http.piece), down: records.map(http.piece) }
    case 'long-poll':
      return polled(records, http)
  }
}

const webSocket = (frames: readonly Uint8Array[], carry: (bytes: number) => number): WireWrites => ({
  up: frames.map(({ length }) => carry(webSocketHead(length) + MASK_BYTES + length)),
  down: frames.map(({ length }) => carry(webSocketHead(length) + length)),
})

/** RFC 6455, 5.2. */
const webSocketHead = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10)
const MASK_BYTES = 4

/** `data:`, base64, and an empty line. */
const eventBytes = (length: number): number => 7 + 4 * Math.ceil(length / 3)

function posted(records: readonly number[], events: readonly number[], http: Http & ClientNames): WireWrites {
  const batches = batchesOf(records, MAX_BATCH_BYTES - LINK_HEAD_BYTES)
  return {
    up: batches.map((bytes) => http.request(paths.up, LINK_HEAD_BYTES + bytes, http.authority)),
    down: [...events, ...batches.map(() => http.noContent)],
  }
}

/** One answer for all that comes back, as where it was there before the next poll. */
function polled(records: readonly number[], http: Http & ClientNames): WireWrites {
  const { up, down } = posted(records, [], http)
  return { up: [...up, pollBytes(http, http.authority)], down: [...down, http.answer(sum(records))] }
}

export const pollBytes = (http: Http, authority: string): number =>
  http.request(paths.next, LINK_HEAD_BYTES + CURSOR_BYTES + PATIENCE_BYTES, authority)

/** A varint: after 127 frames it takes a second byte, after 16,383 a third. 25,000 takes three. */
const CURSOR_BYTES = 1
const PATIENCE_BYTES = 3

/** As many records as a batch takes, again and again. */
function batchesOf(records: readonly number[], limit: number): number[] {
  const batches: number[] = []
  for (const bytes of records) {
    const last = batches.at(-1)
    if (last !== undefined && last + bytes <= limit) batches[batches.length - 1] = last + bytes
    else batches.push(bytes)
  }
  return batches
}

// HTTP/2: frames of at most 16 KiB behind 9 bytes, and headers by HPACK once both ends know them

const FRAME_HEAD = 9
const MAX_DATA = 16_384

const dataBytes = (bytes: number): number => bytes + FRAME_HEAD * Math.max(1, Math.ceil(bytes / MAX_DATA))

/** One that the tables know whole. */
const KNOWN = 1
/** The name by its number, the value in full: what nghttp2 does with `:path` and `content-length`. */
const pathBytes = (path: string): number => 2 + huffmanBytes(path)
const lengthBytes = (bytes: number): number => 3 + huffmanBytes(String(bytes))

const http2: Http = {
  piece: dataBytes,
  // Beside path and length: method, scheme, authority.
  request: (path, bytes) => FRAME_HEAD + 3 * KNOWN + pathBytes(path) + lengthBytes(bytes) + dataBytes(bytes),
  // Status and date.
  noContent: FRAME_HEAD + 2 * KNOWN,
  // Status, type, cache-control, x-content-type-options, date.
  answer: (bytes) => FRAME_HEAD + 5 * KNOWN + lengthBytes(bytes) + dataBytes(bytes),
}

// TLS 1.3: at most 16 KiB a record, behind 5 bytes, with a byte for the type and 16 to prove it

const RECORD_BYTES = 5 + 1 + 16
const MAX_RECORD = 16_384

const inRecords = (bytes: number): number => bytes + RECORD_BYTES * Math.ceil(bytes / MAX_RECORD)

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
