/**
 * What both ends of the transports agree on beside frames: paths, links and their tickets, events, and the form of close reasons.
 *
 *   ticket   = POST → 201 { ticket, id, secret }   ticket: one use, stands in the URL of the events
 *   events   = GET ?ticket= → data: base64 of one frame | event: up | event: close, data: reason
 *   stream   = POST → 200, records (records.ts), of which the first names the link
 *   poll     = POST → 201 { id, secret }; long-poll likewise
 *   next     = POST: head (link-key.ts) · cursor varint · hold in ms, varint → 200, records | 204
 *   up       = POST: head · records → 204
 *   farewell = POST: records → 204
 *   reason   = JSON { number, detail?, retryAfterMs? }; as a WebSocket close: code 4000 + number, JSON of the rest
 *   refusal  = status 4xx or 5xx, JSON { error: { code, message } }, Retry-After in seconds
 */
import { refusalsStrings } from '../strings/refusals.ts'
import { fromBase64, toBase64 } from './base64.ts'
import type { CloseCode, CloseReason } from './close.ts'
import { closeCodeOf, closeCodes, closeNumber } from './close.ts'
import { MAX_STRING_BYTES } from './limits.ts'
import type { LinkKey } from './link-key.ts'
import { linkKeyFields, readLinkKeyFields } from './link-key.ts'
import { readReasonFields, readReasonDetails, reasonFields, reasonDetailFields } from './close-reason-json.ts'
import { parseObject } from './value-reader.ts'

/** What several transports use. Each names its own path in its file in lib/transports. */
export const paths = {
  next: '/sync/poll/next',
  up: '/sync/up',
  farewell: '/sync/farewell',
} as const

/** The client offers both, by preference. The server picks the one that names the HTTP version that carries the WebSocket. */
export const subprotocols = { h2: 'diptych.h2', 'http/1.1': 'diptych' } as const

export interface SseTicket {
  readonly ticket: string
  readonly key: LinkKey
}

export const sseTicketFields = ({ ticket, key }: SseTicket) => ({ ticket, ...linkKeyFields(key) })

/** Returns null for any text but a ticket: the answer may be a captive portal's. */
export function readSseTicket(text: string): SseTicket | null {
  const { ticket, ...fields } = parseObject(text)
  const key = readLinkKeyFields(fields)
  return typeof ticket === 'string' && key ? { ticket, key } : null
}

export const EVENT_UP = 'up'
export const EVENT_CLOSE = 'close'

export const writeFrameEvent = (frame: Uint8Array): string => `data:${toBase64(frame)}\n\n`
export const readFrameEvent = (data: string): Uint8Array<ArrayBuffer> => fromBase64(data)

/** Without a data line no event would be dispatched. */
export const upEvent = `event:${EVENT_UP}\ndata:\n\n`

export const writeCloseEvent = (reason: CloseReason): string =>
  `event:${EVENT_CLOSE}\ndata:${JSON.stringify(reasonFields(reason))}\n\n`

export const readCloseEvent = (data: string): CloseReason => readReasonFields(parseObject(data))

/** 4000–4999 is the range that RFC 6455 leaves to applications. */
const FIRST_WEBSOCKET_CLOSE_CODE = 4000
/** RFC 6455: 125 bytes of a control frame, of which the code takes 2. */
const MAX_WEBSOCKET_REASON_BYTES = 123

export const webSocketCloseCode = (code: CloseCode): number => FIRST_WEBSOCKET_CLOSE_CODE + closeNumber(code)

/** Cuts the detail if it does not fit; the rest always fits. */
export function writeWebSocketReason(reason: CloseReason): string {
  let { detail = '' } = reason
  let text = JSON.stringify(reasonDetailFields(reason))
  while (utf8Bytes(text) > MAX_WEBSOCKET_REASON_BYTES) {
    detail = detail.slice(0, Math.floor(detail.length * 0.9))
    text = JSON.stringify(reasonDetailFields({ ...reason, detail: detail + '…' }))
  }
  return text === '{}' ? '' : text
}

/** The codes that protocol stacks send by themselves (RFC 6455, 7.4.1). */
const webSocketStandardCodes: Record<number, CloseCode> = {
  1002: 'bad-frame',
  1003: 'bad-frame',
  1007: 'bad-frame',
  1009: 'too-large',
}

export function readWebSocketClose(number: number, text: string): CloseReason {
  if (number >= FIRST_WEBSOCKET_CLOSE_CODE) {
    return { code: closeCodeOf(number - FIRST_WEBSOCKET_CLOSE_CODE), ...readReasonDetails(parseObject(text)) }
  }
  return {
    code: webSocketStandardCodes[number] ?? 'lost',
    detail: refusalsStrings.detail.webSocketCode(number),
  }
}

const httpStatusCodes: Record<number, CloseCode> = {
  401: 'sign-in',
  413: 'too-large',
  429: 'overloaded',
  503: 'overloaded',
}

/** Turns a refused request into a reason: by our own code if our server answered, otherwise by its status. */
export function readRefusal(status: number, text: string, retryAfter: string | null): CloseReason {
  const { error } = parseObject(text) as { error?: { code?: unknown; message?: unknown } }
  const own = closeCodes.find((code) => code === error?.code)
  const message =
    typeof error?.message === 'string'
      ? refusalsStrings.detail.httpStatus(status, error.message)
      : `${status}`
  const seconds = Number(retryAfter ?? Number.NaN)
  return {
    code: own ?? httpStatusCodes[status] ?? 'refused',
    detail: message.slice(0, MAX_STRING_BYTES),
    ...(seconds >= 0 && { retryAfterMs: seconds * 1000 }),
  }
}

const encoder = new TextEncoder()
const utf8Bytes = (text: string): number => encoder.encode(text).byteLength
