/** Drawings of fifty charts, as they are kept, exported and passed on. Read as input: a link may bring anybody's. */
import { CHART_COUNT, MAX_SEED } from '@/lib/protocol/lab.ts'
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

/** How the figures were asked for. */
export interface WayUsed extends Carrier {
  readonly way: 'requests' | 'session'
  /** Of the session; undefined for plain requests. */
  readonly transport?: TransportId
  /** As the browser names it, '' where it does not. */
  readonly protocol: string
}

export interface Drawn extends WayUsed {
  readonly seed: number
  /** From the click until the frame after the last chart had its figures. */
  readonly ms: number
  /** Charts that had none. */
  readonly failed: number
}

export interface DashboardResult extends Surroundings {
  readonly drawings: readonly Drawn[]
}

const MAX_DRAWINGS = 100

export const dashboards: ResultKind<DashboardResult> = {
  page: '/lab/dashboard',
  key: 'diptych.lab.drawings',
  file: 'diptych-dashboard',
  read(value) {
    if (!isSaid(value)) return undefined
    const around = readSurroundings(value)
    const drawings = readList(value.drawings, MAX_DRAWINGS, readDrawn)
    return around && drawings && { ...around, drawings }
  },
}

function readDrawn(value: unknown): Drawn | undefined {
  if (!isSaid(value)) return undefined
  const { way, protocol, seed, ms, failed } = value
  const transport = networkTransports.find((id) => id === value.transport)
  if ((way !== 'requests' && way !== 'session') || !isText(protocol)) return undefined
  if (!isAmount(seed, MAX_SEED) || !isAmount(ms, MAX_MS) || !isAmount(failed, CHART_COUNT)) return undefined
  return { way, protocol, seed, ms, failed, ...(transport && { transport }), ...readCarrier(value) }
}

/** The newest at the end; the oldest give way. */
export const withDrawn = (drawings: readonly Drawn[], drawn: Drawn): readonly Drawn[] =>
  [...drawings, drawn].slice(-MAX_DRAWINGS)
