/** Opens connections to an echo server, measures their times, and counts their bytes at a proxy. */
import { setTimeout as sleep } from 'node:timers/promises'
import { countBytes, type CountingProxy, type ProxyBytes } from '../support/counting-proxy.ts'
import { type EchoRoute, openEcho } from './echo-connection.ts'

interface Repetitions {
  readonly count: number
  /** The number of repetitions to warm up, before those that count. */
  readonly skipped: number
}

/** Returns the ms of each round trip on one connection, one after the other. @throws {Error} when other bytes come back. */
export async function measureEchoes(
  route: EchoRoute,
  bytes: number,
  { count, skipped }: Repetitions,
): Promise<number[]> {
  await using echo = await openEcho(route)
  await echo.ready()
  const times: number[] = []
  for (let index = 0; index < skipped + count; index++) {
    const payload = new Uint8Array(bytes).fill(index % 251)
    const startedAt = performance.now()
    const answer = await echo.echo(payload)
    times.push(performance.now() - startedAt)
    if (Buffer.compare(answer, payload) !== 0) throw new Error(`${route.lane}: other bytes came back.`)
  }
  return times.slice(skipped)
}

export interface OpeningTimes {
  /** The ms until bytes could be sent. */
  readonly opened: readonly number[]
  /** The ms until the first 16 bytes came back. */
  readonly first: readonly number[]
}

export const FIRST_ECHO_BYTES = 16

const FIRST_ECHO = new Uint8Array(FIRST_ECHO_BYTES).fill(1)

/** Opens new connections, one after the other. */
export async function measureOpenings(
  route: EchoRoute,
  { count, skipped }: Repetitions,
): Promise<OpeningTimes> {
  const opened: number[] = []
  const first: number[] = []
  for (let index = 0; index < skipped + count; index++) {
    const startedAt = performance.now()
    await using echo = await openEcho(route)
    opened.push(performance.now() - startedAt)
    await echo.echo(FIRST_ECHO)
    first.push(performance.now() - startedAt)
  }
  return { opened: opened.slice(skipped), first: first.slice(skipped) }
}

type ProxiedRoute = Omit<EchoRoute, 'port'> & { readonly proxy: CountingProxy }

const COUNTED_ECHOES = 10
/** Waits for what may follow an echo: the 204 of a POST, a grant of windows, the end of a connection. */
const REST_MS = 60

/** Returns the bytes of one echo, as the mean of ten, with those that only keep the connection alive. */
export async function countEchoBytes({ proxy, ...lane }: ProxiedRoute, bytes: number): Promise<ProxyBytes> {
  await using echo = await openEcho({ ...lane, port: proxy.port })
  await echo.ready()
  const payload = new Uint8Array(bytes).fill(7)
  await echo.echo(payload)
  await sleep(REST_MS)
  const counted = await countBytes(proxy, async () => {
    for (let index = 0; index < COUNTED_ECHOES; index++) await echo.echo(payload)
    await sleep(REST_MS)
  })
  return { up: counted.bytes!.up / COUNTED_ECHOES, down: counted.bytes!.down / COUNTED_ECHOES }
}

/** Returns the bytes of one opening with its first echo of 16 bytes, without those of its end. */
export async function countOpeningBytes({ proxy, ...lane }: ProxiedRoute): Promise<ProxyBytes> {
  const { result: echo, bytes } = await countBytes(proxy, async () => {
    const opened = await openEcho({ ...lane, port: proxy.port })
    await opened.ready()
    await opened.echo(FIRST_ECHO)
    await sleep(REST_MS)
    return opened
  })
  await echo[Symbol.asyncDispose]()
  await sleep(REST_MS)
  return bytes!
}
