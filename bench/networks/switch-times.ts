/** Measures how long a letter takes to another window while the writer's window switches transports. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TransportId } from '../../lib/transports/transport.ts'
import { longestGap, Typists } from '../clients/typists.ts'
import type { ProxiedServer } from './proxied-server.ts'

export interface SwitchTimes {
  readonly delayMs: number
  /** The ms from when a letter was due to its arrival in the other window, before any switch. */
  readonly calm: readonly number[]
  /** The same while the writer's window switches. */
  readonly switching: readonly number[]
  /** The longest time between two successive arrivals while switching, less the pace of the letters, in ms. */
  readonly longestGap: number
  readonly switches: number
  readonly lost: number
  readonly doubled: number
}

const PACE_MS = 20
const CALM_MS = 3_000
const SWITCH_EVERY_MS = 400
const ARRIVAL_MS = 10_000

export interface SwitchOptions {
  readonly delayMs: number
  readonly transports: readonly TransportId[]
  readonly switches: number
}

export async function measureSwitchTimes(
  server: ProxiedServer,
  options: SwitchOptions,
): Promise<SwitchTimes> {
  const { delayMs, transports, switches } = options
  const document = await server.newDocument()
  const writer = server.open(document, 'https', transports[0]!)
  const reader = server.open(document, 'http', 'websocket')
  const typists = new Typists([writer, reader], 1)
  const stop = new AbortController()
  try {
    await Promise.all([writer.whenSynced, reader.whenSynced])
    server.wires.https.setFaults({ delayMs })
    const typing = typists.type(PACE_MS, stop.signal)
    await sleep(CALM_MS)
    const since = performance.now()
    for (let index = 1; index <= switches; index++) {
      await writer.switchTransport(transports[index % transports.length]!)
      await sleep(SWITCH_EVERY_MS)
    }
    stop.abort()
    await typing
    await typists.waitForArrivals(ARRIVAL_MS)
    const { lost, doubled } = typists.check([])
    const whileSwitching = typists.journeys(since)
    return {
      delayMs,
      calm: typists.arrivedBefore(since),
      switching: whileSwitching.map(({ ms }) => ms),
      longestGap: longestGap(whileSwitching) - PACE_MS,
      switches: writer.stats().switches,
      lost,
      doubled,
    }
  } finally {
    stop.abort()
    server.wires.https.heal()
    await Promise.all([writer.close(), reader.close()])
  }
}
