/** The settings of the network simulator. They are checked like any input: a window of any device may send them. */
import { isRecord } from '../protocol/value-reader.ts'
import { networkTransports } from './descriptors.ts'
import type { TransportId } from './transport.ts'

export interface NetworkConditions {
  /** The delay each way, in ms: the round trip grows by twice as much. */
  readonly delayMs: number
  /** A random delay of up to so many ms more for each frame. Frames keep their order. */
  readonly jitterMs: number
  /** The link stays open, but nothing passes in either direction; waiting frames arrive when this ends. */
  readonly silent: boolean
  /** Links of these transports break, and new ones are refused. */
  readonly blocked: readonly TransportId[]
}

/** The simulator is on and changes nothing. */
export const NO_CONDITIONS: NetworkConditions = { delayMs: 0, jitterMs: 0, silent: false, blocked: [] }

/** The slowest that a session is made for (S5): four round trips count up to 2 s each. */
export const MAX_DELAY_MS = 1_000

/** Returns undefined if a value is out of range: nothing is guessed. */
export function readNetworkConditions(value: unknown): NetworkConditions | undefined {
  if (!isRecord(value)) return undefined
  const { delayMs, jitterMs, silent, blocked } = value
  if (!isDelay(delayMs) || !isDelay(jitterMs) || typeof silent !== 'boolean' || !Array.isArray(blocked))
    return undefined
  const blockedIds = networkTransports.filter((id) => blocked.includes(id))
  return { delayMs, jitterMs, silent, blocked: blockedIds }
}

const isDelay = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= MAX_DELAY_MS
