/** What the network simulator is told. Read as input: another window may ask for it, and a page of another device. */
import { networkTransports, type TransportId } from './transport.ts'

export interface NetworkConditions {
  /** Each way, in ms: the round trip grows by twice as much. */
  readonly delayMs: number
  /** Up to so many ms more for each frame, at random. Frames keep their order. */
  readonly jitterMs: number
  /** The link stays open and nothing passes, either way; what waited arrives when this ends. */
  readonly silent: boolean
  /** What is in use breaks, and opening it is refused. */
  readonly blocked: readonly TransportId[]
}

/** On, and changing nothing. */
export const NO_CONDITIONS: NetworkConditions = { delayMs: 0, jitterMs: 0, silent: false, blocked: [] }

/** The slowest that a session is made for (S5): four round trips count up to 2 s each. */
export const MAX_DELAY_MS = 1_000

/** Undefined for what is out of range: nothing of it is guessed. */
export function readNetworkConditions(value: unknown): NetworkConditions | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { delayMs, jitterMs, silent, blocked } = value as Record<string, unknown>
  if (!isDelay(delayMs) || !isDelay(jitterMs) || typeof silent !== 'boolean' || !Array.isArray(blocked))
    return undefined
  const blockedIds = networkTransports.filter((id) => blocked.includes(id))
  return { delayMs, jitterMs, silent, blocked: blockedIds }
}

const isDelay = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= MAX_DELAY_MS
