/** What a measurement of one's own windows says, as it is kept, exported and passed on. Read as input: a link may bring anybody's. */
import { networkTransports, type TransportId } from '@/lib/transports/transport.ts'
import {
  type Carrier,
  isAmount,
  isSaid,
  isText,
  MAX_MS,
  readCarrier,
  readList,
  readSurroundings,
  type Surroundings,
} from '../results/reading.ts'
import type { ResultKind } from '../results/sharing.ts'

/** In ms. */
export interface Spread {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

export interface FarWindow {
  readonly name: string
  readonly device: string
  readonly sameBrowser: boolean
  /** How far two clocks may be apart; undefined where that is not known. */
  readonly boundMs?: number
  readonly applied: Spread
  readonly painted: Spread
  /** Edits that came while its page was not drawn. */
  readonly hidden: number
}

/** `simulated`: in one of the windows at least. */
export interface Lane extends Carrier {
  readonly transport: TransportId
  /** As the browser names it, '' where it does not. */
  readonly protocol: string
  readonly acknowledged: Spread
  readonly saved: Spread
  readonly windows: readonly FarWindow[]
  /** Why it was not measured. */
  readonly problem?: string
}

export interface LabResult extends Surroundings {
  readonly edits: number
  readonly intervalMs: number
  readonly lanes: readonly Lane[]
}

const MAX_WINDOWS = 50

export const keystrokes: ResultKind<LabResult> = {
  page: '/lab',
  key: 'diptych.lab.results',
  file: 'diptych-keystrokes',
  read(value) {
    if (!isSaid(value)) return undefined
    const { edits, intervalMs } = value
    const around = readSurroundings(value)
    const lanes = readList(value.lanes, networkTransports.length, readLane)
    if (!around || !lanes || !isAmount(edits, 1e6) || !isAmount(intervalMs, MAX_MS)) return undefined
    return { ...around, edits, intervalMs, lanes }
  },
}

function readLane(value: unknown): Lane | undefined {
  if (!isSaid(value)) return undefined
  const { protocol, problem } = value
  const transport = networkTransports.find((id) => id === value.transport)
  const acknowledged = readSpread(value.acknowledged)
  const saved = readSpread(value.saved)
  const windows = readList(value.windows, MAX_WINDOWS, readWindow)
  if (!transport || !acknowledged || !saved || !windows || !isText(protocol)) return undefined
  const around = { ...readCarrier(value), ...(isText(problem) && { problem }) }
  return { transport, protocol, acknowledged, saved, windows, ...around }
}

function readWindow(value: unknown): FarWindow | undefined {
  if (!isSaid(value)) return undefined
  const { name, device, sameBrowser, boundMs, hidden } = value
  const applied = readSpread(value.applied)
  const painted = readSpread(value.painted)
  if (!applied || !painted || !isText(name) || !isText(device) || !isAmount(hidden, 1e6)) return undefined
  const bound = isAmount(boundMs, MAX_MS) && { boundMs }
  return { name, device, sameBrowser: sameBrowser === true, applied, painted, hidden, ...bound }
}

function readSpread(value: unknown): Spread | undefined {
  if (!isSaid(value)) return undefined
  const { count, p50, p95, p99, max } = value
  if (!isAmount(count, 1e6) || !isAmount(p50, MAX_MS) || !isAmount(p95, MAX_MS)) return undefined
  return isAmount(p99, MAX_MS) && isAmount(max, MAX_MS) ? { count, p50, p95, p99, max } : undefined
}
