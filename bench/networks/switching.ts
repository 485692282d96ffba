/** One writes at a steady pace and changes transport all the while; how long does a letter take to another window then? */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TransportId } from '../../lib/transports/transport.ts'
import type { OpenDocument } from '../../lib/client.ts'
import { isSynced, moment, type ProxiedServer } from './proxied-server.ts'

export interface Switching {
  readonly delayMs: number
  /** Each letter's way from the edit to the other window, in ms; the first of them before any switch. */
  readonly calm: readonly number[]
  readonly switching: readonly number[]
  /** Longest time between two arrivals in a row while switching, less the pace of the letters, in ms. */
  readonly longestGap: number
  readonly switches: number
  readonly lost: number
  readonly doubled: number
}

const PACE_MS = 20
const CALM_LETTERS = 150
const SWITCH_EVERY_MS = 400

export interface SwitchingOptions {
  readonly delayMs: number
  readonly transports: readonly TransportId[]
  readonly switches: number
}

export async function measureSwitching(server: ProxiedServer, options: SwitchingOptions): Promise<Switching> {
  const { delayMs, transports, switches } = options
  const document = await server.newDocument()
  const [first] = transports as readonly [TransportId]
  const writer = server.open(document, 'https', first)
  const reader = server.open(document, 'http', 'websocket')
  try {
    await Promise.all([writer, reader].map((opened) => moment(opened, () => isSynced(opened))))
    server.wires.https.setFaults({ delayMs })
    const letters = new Letters(writer, reader)
    await letters.write(CALM_LETTERS)
    const calm = letters.count
    const writing = letters.writeOn()
    for (let index = 1; index <= switches; index++) {
      await writer.switchTransport(transports[index % transports.length]!)
      await sleep(SWITCH_EVERY_MS)
    }
    writing.stop()
    await writing.stopped
    await letters.arrived()
    const trips = letters.trips
    return {
      delayMs,
      calm: trips.slice(0, calm),
      switching: trips.slice(calm),
      longestGap: letters.longestGapAfter(calm) - PACE_MS,
      switches: writer.stats().switches,
      lost: letters.lost,
      doubled: letters.doubled,
    }
  } finally {
    server.wires.https.heal()
    await Promise.all([writer.close(), reader.close()])
  }
}

/** Numbers as text, so that each is told apart: `17 `. */
class Letters {
  readonly #said: number[] = []
  readonly #heard = new Map<number, number>()
  doubled = 0
  readonly #writer: OpenDocument
  readonly #reader: OpenDocument

  constructor(writer: OpenDocument, reader: OpenDocument) {
    this.#writer = writer
    this.#reader = reader
    reader.doc.getText('bench').observe(({ delta }) => {
      const now = performance.now()
      const inserted = delta.map(({ insert }) => (typeof insert === 'string' ? insert : '')).join('')
      for (const token of inserted.split(' ').filter(Boolean)) this.#hear(Number(token), now)
    })
  }

  get count(): number {
    return this.#said.length
  }

  get trips(): number[] {
    return this.#said.flatMap((at, number) => {
      const heard = this.#heard.get(number)
      return heard === undefined ? [] : heard - at
    })
  }

  get lost(): number {
    const text = this.#reader.doc.getText('bench').toJSON()
    const there = new Set(text.split(' '))
    return this.#said.filter((_at, number) => !there.has(String(number))).length
  }

  longestGapAfter(first: number): number {
    const times = [...this.#heard].filter(([number]) => number >= first).map(([, at]) => at)
    return times.reduce((most, at, index) => Math.max(most, at - (times[index - 1] ?? at)), 0)
  }

  async write(count: number): Promise<void> {
    for (let left = count; left > 0; left--) {
      this.#say()
      await sleep(PACE_MS)
    }
  }

  writeOn(): { stop(): void; stopped: Promise<void> } {
    let going = true
    const run = async (): Promise<void> => {
      while (going) await this.write(1)
    }
    return { stop: () => void (going = false), stopped: run() }
  }

  async arrived(): Promise<void> {
    await this.#writer.whenSaved()
    const deadline = performance.now() + 10_000
    while (this.lost > 0 && performance.now() < deadline) await sleep(10)
  }

  #say(): void {
    const text = this.#writer.doc.getText('bench')
    const number = this.#said.push(performance.now()) - 1
    text.insert(text.length, `${number} `)
  }

  #hear(number: number, now: number): void {
    if (this.#heard.has(number)) this.doubled += 1
    else this.#heard.set(number, now)
  }
}
