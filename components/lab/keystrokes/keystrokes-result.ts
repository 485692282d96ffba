/**
 * The result of measuring one's own windows, as it is stored, exported and shared. It is read as untrusted input, because a link may carry
 * anybody's.
 */
import { isRecord } from '@/lib/protocol/value-reader.ts'
import { networkTransports } from '@/lib/transports/descriptors.ts'
import type { TransportId } from '@/lib/transports/transport.ts'
import {
  type ResultLinkInfo,
  isNumberUpTo,
  isText,
  MAX_MS,
  readResultLinkInfo,
  readList,
  readResultEnvironment,
  type ResultEnvironment,
} from '../results/read-result.ts'
import type { ResultKind } from '../results/result-storage.ts'

/** In ms. */
export interface LatencySpread {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

export interface LabWindowFigures {
  readonly name: string
  readonly device: string
  readonly sameBrowser: boolean
  /** How far two clocks may differ; undefined if unknown. */
  readonly boundMs?: number
  readonly applied: LatencySpread
  readonly painted: LatencySpread
  /** The number of edits that arrived while the page was not drawn. */
  readonly hidden: number
}

/** `simulated` means in at least one of the windows. */
export interface TransportLane extends ResultLinkInfo {
  readonly transport: TransportId
  /** The browser's name for it, '' if it gives none. */
  readonly protocol: string
  readonly acknowledged: LatencySpread
  readonly saved: LatencySpread
  readonly windows: readonly LabWindowFigures[]
  /** Why it was not measured. */
  readonly problem?: string
}

export interface KeystrokesResult extends ResultEnvironment {
  readonly edits: number
  readonly intervalMs: number
  readonly lanes: readonly TransportLane[]
}

const MAX_WINDOWS = 50

export const keystrokesResultKind: ResultKind<KeystrokesResult> = {
  page: '/lab',
  key: 'diptych.lab.results',
  file: 'diptych-keystrokes',
  read(value) {
    if (!isRecord(value)) return undefined
    const { edits, intervalMs } = value
    const environment = readResultEnvironment(value)
    const lanes = readList(value.lanes, networkTransports.length, readLane)
    if (!environment || !lanes || !isNumberUpTo(edits, 1e6) || !isNumberUpTo(intervalMs, MAX_MS))
      return undefined
    return { ...environment, edits, intervalMs, lanes }
  },
}

function readLane(value: unknown): TransportLane | undefined {
  if (!isRecord(value)) return undefined
  const { protocol, problem } = value
  const transport = networkTransports.find((id) => id === value.transport)
  const acknowledged = readSpread(value.acknowledged)
  const saved = readSpread(value.saved)
  const windows = readList(value.windows, MAX_WINDOWS, readWindowFigures)
  if (!transport || !acknowledged || !saved || !windows || !isText(protocol)) return undefined
  const environment = { ...readResultLinkInfo(value), ...(isText(problem) && { problem }) }
  return { transport, protocol, acknowledged, saved, windows, ...environment }
}

function readWindowFigures(value: unknown): LabWindowFigures | undefined {
  if (!isRecord(value)) return undefined
  const { name, device, sameBrowser, boundMs, hidden } = value
  const applied = readSpread(value.applied)
  const painted = readSpread(value.painted)
  if (!applied || !painted || !isText(name) || !isText(device) || !isNumberUpTo(hidden, 1e6)) return undefined
  const bound = isNumberUpTo(boundMs, MAX_MS) && { boundMs }
  return { name, device, sameBrowser: sameBrowser === true, applied, painted, hidden, ...bound }
}

function readSpread(value: unknown): LatencySpread | undefined {
  if (!isRecord(value)) return undefined
  const { count, p50, p95, p99, max } = value
  if (!isNumberUpTo(count, 1e6) || !isNumberUpTo(p50, MAX_MS) || !isNumberUpTo(p95, MAX_MS)) return undefined
  return isNumberUpTo(p99, MAX_MS) && isNumberUpTo(max, MAX_MS) ? { count, p50, p95, p99, max } : undefined
}
