/** Cuts bodies that are read as they come, and come too slowly: each holds a place that others wait for. */
import type { Readable } from 'node:stream'
import type { Clock } from '../lib/session/clock.ts'
import { BODY_TIMEOUT_MS, MIN_BODY_BYTES } from './listener-limits.ts'

export interface BodyRate {
  count(bytes: number): void
  stop(): void
}

/** @param createError What whoever reads the body is told. */
export function requireBodyRate(body: Readable, createError: () => Error, clock: Clock): BodyRate {
  let bytes = 0
  let stop = () => {}
  const watch = (): void => {
    bytes = 0
    stop = clock.after(BODY_TIMEOUT_MS, () => {
      if (bytes < MIN_BODY_BYTES) body.destroy(createError())
      else watch()
    })
  }
  watch()
  return { count: (more) => void (bytes += more), stop: () => stop() }
}
