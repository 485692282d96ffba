/**
 * Drawings of fifty charts, as they are stored, exported and shared. They are read as untrusted input, because a link may carry anybody's.
 */
import { isRecord } from '@/lib/protocol/value-reader.ts'
import { CHART_COUNT, MAX_SEED } from '@/lib/protocol/lab.ts'
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

/** How the figures were requested. */
export interface FigureMethod extends ResultLinkInfo {
  readonly way: 'requests' | 'session'
  /** The session's transport; undefined for plain requests. */
  readonly transport?: TransportId
  /** The browser's name for it, '' if it gives none. */
  readonly protocol: string
}

export interface DashboardDrawing extends FigureMethod {
  readonly seed: number
  /** ms from the click until the frame after the last chart had its figures. */
  readonly ms: number
  /** The number of charts without figures. */
  readonly failed: number
}

export interface DashboardResult extends ResultEnvironment {
  readonly drawings: readonly DashboardDrawing[]
}

const MAX_DRAWINGS = 100

export const dashboardResultKind: ResultKind<DashboardResult> = {
  page: '/lab/dashboard',
  key: 'diptych.lab.drawings',
  file: 'diptych-dashboard',
  read(value) {
    if (!isRecord(value)) return undefined
    const environment = readResultEnvironment(value)
    const drawings = readList(value.drawings, MAX_DRAWINGS, readDrawing)
    return environment && drawings && { ...environment, drawings }
  },
}

function readDrawing(value: unknown): DashboardDrawing | undefined {
  if (!isRecord(value)) return undefined
  const { way, protocol, seed, ms, failed } = value
  const transport = networkTransports.find((id) => id === value.transport)
  if ((way !== 'requests' && way !== 'session') || !isText(protocol)) return undefined
  if (!isNumberUpTo(seed, MAX_SEED) || !isNumberUpTo(ms, MAX_MS) || !isNumberUpTo(failed, CHART_COUNT))
    return undefined
  return { way, protocol, seed, ms, failed, ...(transport && { transport }), ...readResultLinkInfo(value) }
}

/** Adds a drawing at the end and drops the oldest beyond the limit. */
export const appendDrawing = (
  drawings: readonly DashboardDrawing[],
  drawing: DashboardDrawing,
): readonly DashboardDrawing[] => [...drawings, drawing].slice(-MAX_DRAWINGS)
