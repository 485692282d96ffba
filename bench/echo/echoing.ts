/** Echoes of one size, one after another on one connection. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openEcho } from './client.ts'
import type { Scheme, EchoLaneName } from './echo-lanes.ts'

export interface EchoOptions {
  readonly bytes: number
  readonly count: number
  /** To warm up, before those that count. */
  readonly skipped: number
}

/** Milliseconds of each round trip. @throws {Error} when something else comes back. */
export async function measureEchoes(
  lane: EchoLaneName,
  scheme: Scheme,
  port: number,
  { bytes, count, skipped }: EchoOptions,
): Promise<number[]> {
  const echo = await openEcho(lane, scheme, port)
  try {
    await echo.ready()
    const times: number[] = []
    for (let index = 0; index < skipped + count; index++) {
      const payload = new Uint8Array(bytes).fill(index % 251)
      const startedAt = performance.now()
      const answer = await echo.echo(payload)
      times.push(performance.now() - startedAt)
      if (Buffer.compare(answer, payload) !== 0) throw new Error(`${lane}: other bytes came back.`)
    }
    return times.slice(skipped)
  } finally {
    await echo.close()
  }
}

const WEIGHED = 10
/** What was already answered may still be under way: the 204 of a POST comes behind its echo. */
const REST_MS = 60

/** Bytes of one echo, the mean of ten; those that only keep a connection going are among them. */
export async function weighEcho(
  lane: EchoLaneName,
  scheme: Scheme,
  proxy: { readonly port: number; bytes(): Promise<{ readonly up: number; readonly down: number }> },
  bytes: number,
): Promise<{ up: number; down: number }> {
  const echo = await openEcho(lane, scheme, proxy.port)
  try {
    await echo.ready()
    const payload = new Uint8Array(bytes).fill(7)
    await echo.echo(payload)
    await sleep(REST_MS)
    const before = await proxy.bytes()
    for (let index = 0; index < WEIGHED; index++) await echo.echo(payload)
    await sleep(REST_MS)
    const after = await proxy.bytes()
    return { up: (after.up - before.up) / WEIGHED, down: (after.down - before.down) / WEIGHED }
  } finally {
    await echo.close()
  }
}
