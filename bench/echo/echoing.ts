/** Connections to an echo server: what comes back is timed, and weighed at a proxy. */
import { setTimeout as sleep } from 'node:timers/promises'
import { countBytes, type CountingProxy, type ProxyBytes } from '../support/proxy.ts'
import { type EchoConnection, openEcho } from './client.ts'
import type { EchoLaneName, Scheme } from './echo-lanes.ts'

export interface EchoWay {
  readonly lane: EchoLaneName
  readonly scheme: Scheme
  /** The port of the server, or of a proxy in front of it. */
  readonly port: number
}

interface Count {
  readonly count: number
  /** To warm up, before those that count. */
  readonly skipped: number
}

async function withEcho<Result>(
  { lane, scheme, port }: EchoWay,
  work: (echo: EchoConnection) => Promise<Result>,
): Promise<Result> {
  const echo = await openEcho(lane, scheme, port)
  try {
    return await work(echo)
  } finally {
    await echo.close()
  }
}

/** Milliseconds of each round trip on one connection, one after another. @throws {Error} when something else comes back. */
export const measureEchoes = (way: EchoWay, bytes: number, { count, skipped }: Count): Promise<number[]> =>
  withEcho(way, async (echo) => {
    await echo.ready()
    const times: number[] = []
    for (let index = 0; index < skipped + count; index++) {
      const payload = new Uint8Array(bytes).fill(index % 251)
      const startedAt = performance.now()
      const answer = await echo.echo(payload)
      times.push(performance.now() - startedAt)
      if (Buffer.compare(answer, payload) !== 0) throw new Error(`${way.lane}: other bytes came back.`)
    }
    return times.slice(skipped)
  })

export interface Openings {
  /** ms, from nothing to where bytes may flow. */
  readonly opened: readonly number[]
  /** ms, from nothing to the first 16 bytes that came back. */
  readonly first: readonly number[]
}

export const FIRST_ECHO_BYTES = 16

const FIRST_ECHO = new Uint8Array(FIRST_ECHO_BYTES).fill(1)

/** Connections made from nothing, one after another. */
export async function measureOpenings(way: EchoWay, { count, skipped }: Count): Promise<Openings> {
  const opened: number[] = []
  const first: number[] = []
  for (let index = 0; index < skipped + count; index++) {
    const startedAt = performance.now()
    await withEcho(way, async (echo) => {
      opened.push(performance.now() - startedAt)
      await echo.echo(FIRST_ECHO)
      first.push(performance.now() - startedAt)
    })
  }
  return { opened: opened.slice(skipped), first: first.slice(skipped) }
}

type Weighing = Omit<EchoWay, 'port'> & { readonly proxy: CountingProxy }

const WEIGHED = 10
/** What belongs to an echo may come behind it: the 204 of a POST, a grant of windows; and what a connection says last. */
const REST_MS = 60

/** Bytes of one echo, the mean of ten; those that only keep a connection going are among them. */
export const weighEcho = ({ proxy, ...way }: Weighing, bytes: number): Promise<ProxyBytes> =>
  withEcho({ ...way, port: proxy.port }, async (echo) => {
    await echo.ready()
    const payload = new Uint8Array(bytes).fill(7)
    await echo.echo(payload)
    await sleep(REST_MS)
    const counted = await countBytes(proxy, async () => {
      for (let index = 0; index < WEIGHED; index++) await echo.echo(payload)
      await sleep(REST_MS)
    })
    return { up: counted.bytes!.up / WEIGHED, down: counted.bytes!.down / WEIGHED }
  })

/** Bytes of one opening, the first echo of 16 bytes included, and not those of its end. */
export async function weighOpening({ proxy, ...way }: Weighing): Promise<ProxyBytes> {
  const { result: echo, bytes } = await countBytes(proxy, async () => {
    const opened = await openEcho(way.lane, way.scheme, proxy.port)
    await opened.ready()
    await opened.echo(FIRST_ECHO)
    await sleep(REST_MS)
    return opened
  })
  await echo.close()
  await sleep(REST_MS)
  return bytes!
}
