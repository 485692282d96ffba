/**
 * Calculates by the specifications how many bytes one echo has on the wire in each direction, without TCP's own. The result is exact
 * for a message of one frame over plain TCP. Otherwise each piece is taken to travel by itself: how many of them share a write, a TLS
 * record or an answer differs from moment to moment, and HTTP/2 also grants windows.
 */
import { packFrames } from '../../lib/protocol/framing.ts'
import { paths } from '../../lib/protocol/http.ts'
import { MAX_BATCH_BYTES } from '../../lib/protocol/limits.ts'
import { recordByteLength } from '../../lib/protocol/records.ts'
import { type EchoLaneName, isHttp2, type Scheme } from './echo-lanes.ts'
import { type HttpBytes, http1 } from './http1-bytes.ts'
import { huffmanBytes } from './huffman-bytes.ts'

export interface WireBytes {
  readonly up: number
  readonly down: number
}

/** The bytes that name a link in a body (S10): a length, its id (`a.` and 16 bytes in base64), and its secret. */
export const LINK_HEAD_BYTES = 1 + 24 + 16

/** @param authority The host and port, as the client names them. */
export function calculateEchoBytes(
  name: EchoLaneName,
  scheme: Scheme,
  payload: number,
  authority: string,
): WireBytes {
  const frames = packFrames([new Uint8Array(payload)])
  const http = isHttp2(name, scheme) ? http2 : http1
  const { up, down } =
    name === 'raw' ? { up: [payload], down: [payload] } : writesOf(name, frames, http, authority)
  const onWire = scheme === 'tls' ? inTlsRecords : (bytes: number) => bytes
  return { up: sum(up.map(onWire)), down: sum(down.map(onWire)) }
}

/** The bytes of each write. */
interface WireWrites {
  readonly up: readonly number[]
  readonly down: readonly number[]
}

function writesOf(
  name: Exclude<EchoLaneName, 'raw'>,
  frames: readonly Uint8Array[],
  http: HttpBytes,
  authority: string,
): WireWrites {
  const records = frames.map(recordByteLength)
  switch (name) {
    case 'websocket':
      return webSocketWrites(frames, (bytes) => bytes)
    case 'websocket-h2':
      return webSocketWrites(frames, http.piece)
    case 'sse': {
      const events = frames.map(({ length }) => http.piece(eventBytes(length)))
      return postWrites(records, events, http, authority)
    }
    case 'stream':
      return postWrites(records, records.map(http.piece), http, authority)
    case 'stream-body':
      return { up: records.map(http.piece), down: records.map(http.piece) }
    case 'long-poll': {
      // One answer carries all that comes back, as if it were there before the next poll.
      const { up, down } = postWrites(records, [http.answer(sum(records))], http, authority)
      return { up: [...up, pollBytes(http, authority)], down }
    }
  }
}

const webSocketWrites = (frames: readonly Uint8Array[], carry: (bytes: number) => number): WireWrites => ({
  up: frames.map(({ length }) => carry(webSocketHead(length) + MASK_BYTES + length)),
  down: frames.map(({ length }) => carry(webSocketHead(length) + length)),
})

/** RFC 6455, 5.2. */
const webSocketHead = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10)
const MASK_BYTES = 4

/** `data:`, base64, and an empty line. */
const eventBytes = (length: number): number => 7 + 4 * Math.ceil(length / 3)

function postWrites(
  records: readonly number[],
  answers: readonly number[],
  http: HttpBytes,
  authority: string,
): WireWrites {
  const batches = batchesOf(records, MAX_BATCH_BYTES - LINK_HEAD_BYTES)
  return {
    up: batches.map((bytes) => http.request(paths.up, LINK_HEAD_BYTES + bytes, authority)),
    down: [...answers, ...batches.map(() => http.noContent)],
  }
}

export const pollBytes = (http: HttpBytes, authority: string): number =>
  http.request(paths.next, LINK_HEAD_BYTES + CURSOR_BYTES + PATIENCE_BYTES, authority)

/** The cursor is a varint, which takes a second byte after 127 frames, and a third after 16,383. The patience of 25,000 takes three. */
const CURSOR_BYTES = 1
const PATIENCE_BYTES = 3

/** Fills one batch after the other. */
function batchesOf(records: readonly number[], limit: number): number[] {
  const batches: number[] = []
  for (const bytes of records) {
    const last = batches.at(-1)
    if (last !== undefined && last + bytes <= limit) batches[batches.length - 1] = last + bytes
    else batches.push(bytes)
  }
  return batches
}

// HTTP/2 has frames of at most 16 KiB behind 9 bytes, and headers by HPACK, whose tables both ends have filled by now.

const FRAME_HEAD = 9
const MAX_DATA = 16_384

const dataBytes = (bytes: number): number => bytes + FRAME_HEAD * Math.max(1, Math.ceil(bytes / MAX_DATA))

/** A header whose name and value are both in the tables. */
const INDEXED_HEADER = 1
/** The name is in the tables, the value is not: nghttp2 adds neither `:path` nor `content-length` to them. */
const pathBytes = (path: string): number => 2 + huffmanBytes(path)
const lengthBytes = (bytes: number): number => 3 + huffmanBytes(String(bytes))

const http2: HttpBytes = {
  piece: dataBytes,
  // Method, scheme and authority are indexed.
  request: (path, bytes) =>
    FRAME_HEAD + 3 * INDEXED_HEADER + pathBytes(path) + lengthBytes(bytes) + dataBytes(bytes),
  // Status and date.
  noContent: FRAME_HEAD + 2 * INDEXED_HEADER,
  // Status, type, cache-control, x-content-type-options, date.
  answer: (bytes) => FRAME_HEAD + 5 * INDEXED_HEADER + lengthBytes(bytes) + dataBytes(bytes),
}

// TLS 1.3 has records of at most 16 KiB, behind 5 bytes, with a byte for the type and 16 for authentication.

const RECORD_BYTES = 5 + 1 + 16
const MAX_RECORD = 16_384

const inTlsRecords = (bytes: number): number => bytes + RECORD_BYTES * Math.ceil(bytes / MAX_RECORD)

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
