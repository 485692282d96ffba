/**
 * The messages that windows send each other about delays, as bytes that the server passes on unread. They come from other clients: what
 * does not decode is ignored, without an error.
 */
import {
  createDecoder,
  createEncoder,
  type Decoder,
  type Encoder,
  hasMoreBytes,
  readFlag,
  readNumber,
  readString,
  toBytes,
  writeFlag,
  writeNumber,
  writeString,
} from '../protocol/wire.ts'
import type { ClockOffset } from './clock-estimate.ts'
import type { ArrivalPath, LatencyScope } from './latency-state.ts'

/** Somebody looks at the figures, for the next 15 s. */
interface ObserverMessage {
  readonly type: 'observe'
  readonly scope: LatencyScope
}

/** The answer to an observer. For other people's windows it says only that this window is there. */
export interface IdentityMessage {
  readonly type: 'identity'
  /** One page load, by its name in the register. */
  readonly window: string
  /** Windows of the same browser share a clock. */
  readonly browser: string
  readonly name: string
  readonly device: string
}

/** Follows each edit that is measured. */
export interface EditStamp {
  readonly type: 'stamp'
  /** The page load whose edits are counted: each page load counts from 1. */
  readonly opening: number
  readonly edit: number
  /** The author's Yjs clock after the edit: a document that has reached it has the edit. */
  readonly clock: number
}

export interface EditReportRow {
  readonly edit: number
  /** In ms since 1970, by the clock of the reporting window. */
  readonly received: number
  /** In ms after `received`. */
  readonly applied: number
  readonly painted: number | 'hidden'
  readonly path: ArrivalPath
}

/** Sent to the author of stamps. */
export interface EditReport {
  readonly type: 'report'
  readonly opening: number
  /** From the reporting window's clock to the server's; null while not known. */
  readonly offset: ClockOffset | null
  readonly rows: readonly EditReportRow[]
}

/** Sent to own windows that look at all windows of the person. */
interface SummaryMessage {
  readonly type: 'summary'
  /** The summary as JSON. */
  readonly summary: string
}

export type LatencyMessage = ObserverMessage | IdentityMessage | EditStamp | EditReport | SummaryMessage

/** Keeps a report far below MAX_TRACE_BYTES. */
export const MAX_REPORT_ROWS = 100
const MAX_NAME_BYTES = 400
/** Between windows of one browser nothing else limits the size. */
const MAX_SUMMARY_BYTES = 1024 * 1024

const messageKinds = { observe: 1, identity: 2, stamp: 3, report: 4, summary: 5 } as const

const writeMicros = (encoder: Encoder, ms: number): void => writeNumber(encoder, Math.round(ms * 1000))

const readMicros = (decoder: Decoder): number => readNumber(decoder) / 1000

export function encodeLatencyMessage(message: LatencyMessage): Uint8Array {
  const encoder = createEncoder()
  writeNumber(encoder, messageKinds[message.type])
  writeMessageBody(encoder, message)
  return toBytes(encoder)
}

function writeMessageBody(encoder: Encoder, message: LatencyMessage): void {
  switch (message.type) {
    case 'observe':
      return writeFlag(encoder, message.scope === 'person')
    case 'identity':
      for (const text of [message.window, message.browser, message.name, message.device])
        writeString(encoder, text)
      return
    case 'stamp':
      for (const number of [message.opening, message.edit, message.clock]) writeNumber(encoder, number)
      return
    case 'report':
      return writeEditReport(encoder, message)
    case 'summary':
      return writeString(encoder, message.summary)
  }
}

/** Returns null for bytes that are no message. */
export function readLatencyMessage(bytes: Uint8Array): LatencyMessage | null {
  try {
    const decoder = createDecoder(bytes)
    const message = readMessageBody(decoder, readNumber(decoder))
    return hasMoreBytes(decoder) ? null : message
  } catch {
    return null
  }
}

function readMessageBody(decoder: Decoder, kind: number): LatencyMessage | null {
  const text = (): string => readString(decoder, MAX_NAME_BYTES)
  switch (kind) {
    case messageKinds.observe:
      return { type: 'observe', scope: readFlag(decoder) ? 'person' : 'window' }
    case messageKinds.identity:
      return { type: 'identity', window: text(), browser: text(), name: text(), device: text() }
    case messageKinds.stamp:
      return {
        type: 'stamp',
        opening: readNumber(decoder),
        edit: readNumber(decoder),
        clock: readNumber(decoder),
      }
    case messageKinds.report:
      return readEditReport(decoder)
    case messageKinds.summary:
      return { type: 'summary', summary: readString(decoder, MAX_SUMMARY_BYTES) }
    default:
      return null
  }
}

/** Writes the sign apart, since offsets may be negative. A bound of 0 means that the offset is not known. */
function writeOffset(encoder: Encoder, offset: ClockOffset | null): void {
  writeMicros(encoder, offset?.boundMs ?? 0)
  if (!offset) return
  writeNumber(encoder, offset.ms < 0 ? 1 : 0)
  writeMicros(encoder, Math.abs(offset.ms))
}

function readOffset(decoder: Decoder): ClockOffset | null {
  const boundMs = readMicros(decoder)
  if (boundMs === 0) return null
  const sign = readNumber(decoder) === 1 ? -1 : 1
  return { boundMs, ms: sign * readMicros(decoder) }
}

/** Each row's time counts from the row before it, the first from 1970: eleven bytes a row or less. */
function writeEditReport(encoder: Encoder, { opening, offset, rows }: EditReport): void {
  writeNumber(encoder, opening)
  writeOffset(encoder, offset)
  const first = Math.min(...rows.map(({ received }) => received))
  writeMicros(encoder, first)
  writeNumber(encoder, rows.length)
  for (const { edit, received, applied, painted, path } of rows) {
    writeNumber(encoder, edit * 2 + (path === 'browser' ? 1 : 0))
    writeMicros(encoder, received - first)
    writeMicros(encoder, applied)
    writeNumber(encoder, painted === 'hidden' ? 0 : Math.round(painted * 1000) + 1)
  }
}

function readEditReport(decoder: Decoder): EditReport | null {
  const opening = readNumber(decoder)
  const offset = readOffset(decoder)
  const first = readMicros(decoder)
  const count = readNumber(decoder)
  if (count > MAX_REPORT_ROWS) return null
  return {
    type: 'report',
    opening,
    offset,
    rows: Array.from({ length: count }, () => readReportRow(decoder, first)),
  }
}

function readReportRow(decoder: Decoder, first: number): EditReportRow {
  const edit = readNumber(decoder)
  const received = first + readMicros(decoder)
  const applied = readMicros(decoder)
  const painted = readNumber(decoder)
  return {
    edit: Math.floor(edit / 2),
    received,
    applied,
    painted: painted === 0 ? 'hidden' : (painted - 1) / 1000,
    path: edit % 2 === 1 ? 'browser' : 'server',
  }
}
