/** One writes at a steady pace and changes transport all the while; how long does a letter take to another window then? */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TransportId } from '../../lib/transports/transport.ts'
import { longestGap, Typists } from '../clients/typists.ts'
import { isSynced, moment, type ProxiedServer } from './proxied-server.ts'

export interface Switching {
  readonly delayMs: number
  /** Each letter's way to the other window, in ms from when it was due; the first of them before any switch. */
  readonly calm: readonly number[]
  readonly switching: readonly number[]
  /** Longest time between two arrivals in a row while switching, less the pace of the letters, in ms. */
  readonly longestGap: number
  readonly switches: number
  readonly lost: number
  readonly doubled: number
}

const PACE_MS = 20
const CALM_MS = 3_000
const SWITCH_EVERY_MS = 400
const ARRIVAL_MS = 10_000

export interface SwitchingOptions {
  readonly delayMs: number
  readonly transports: readonly TransportId[]
  readonly switches: number
}

export async function measureSwitching(server: ProxiedServer, options: SwitchingOptions): Promise<Switching> {
  const { delayMs, transports, switches } = options
  const document = await server.newDocument()
  const writer = server.open(document, 'https', transports[0]!)
  const reader = server.open(document, 'http', 'websocket')
  const typists = new Typists([writer, reader], 1)
  const stop = new AbortController()
  try {
    await Promise.all([writer, reader].map((opened) => moment(opened, () => isSynced(opened))))
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
    await typists.arrived(ARRIVAL_MS)
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
