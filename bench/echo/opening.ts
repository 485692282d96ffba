/** Connections made from nothing, one after another: how long until bytes may flow, until the first came back, and what it weighs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type EchoConnection, openEcho } from './client.ts'
import type { Scheme, EchoLaneName } from './echo-lanes.ts'

export interface Openings {
  /** ms, from nothing to where bytes may flow. */
  readonly opened: readonly number[]
  /** ms, from nothing to the first 16 bytes that came back. */
  readonly first: readonly number[]
}

export const FIRST_ECHO_BYTES = 16

const PAYLOAD = new Uint8Array(FIRST_ECHO_BYTES).fill(1)

/** @param skipped To warm up, before those that count. */
export async function measureOpenings(
  lane: EchoLaneName,
  scheme: Scheme,
  port: number,
  { count, skipped }: { readonly count: number; readonly skipped: number },
): Promise<Openings> {
  const opened: number[] = []
  const first: number[] = []
  for (let index = 0; index < skipped + count; index++) {
    const startedAt = performance.now()
    const echo = await openEcho(lane, scheme, port)
    opened.push(performance.now() - startedAt)
    await echo.echo(PAYLOAD)
    first.push(performance.now() - startedAt)
    await echo.close()
  }
  return { opened: opened.slice(skipped), first: first.slice(skipped) }
}

/** What else a connection says of itself, later than the first echo: a 204, a grant of windows; and what it says last. */
const REST_MS = 60

/** Bytes of one opening, the first echo of 16 bytes included. */
export async function weighOpening(
  lane: EchoLaneName,
  scheme: Scheme,
  proxy: { readonly port: number; bytes(): Promise<{ readonly up: number; readonly down: number }> },
): Promise<{ up: number; down: number }> {
  const before = await proxy.bytes()
  const echo: EchoConnection = await openEcho(lane, scheme, proxy.port)
  await echo.ready()
  await echo.echo(PAYLOAD)
  await sleep(REST_MS)
  const after = await proxy.bytes()
  await echo.close()
  await sleep(REST_MS)
  return { up: after.up - before.up, down: after.down - before.down }
}
