/**
 * The edits of this window and when each came where (L1). Knows times and counts; does not know who tells them.
 */
import type { LinkInfo } from '../transports/transport.ts'
import { percentilesOf } from './histogram.ts'
import type { Arrival, OwnFigures, OwnStation, Timeline } from './state.ts'

/** What an export holds. */
export const MAX_EDITS = 5_000
/** "Of my last 200 edits." */
export const LATEST = 200

const stations: readonly OwnStation[] = ['ownPaint', 'sent', 'acknowledged', 'saved']

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** As it is kept: by whom the room knows, who may get a better name. */
export interface Arrived extends Omit<Arrival, 'window'> {
  readonly client: number
}

interface Entry extends Mutable<Omit<Timeline, 'arrivals'>> {
  readonly arrivals: Arrived[]
  /** The message that says it, as long as numbers go on. */
  number: number | undefined
}

export interface Made {
  readonly edit: number
  readonly number: number | undefined
  readonly at: number
  /** When the key was pressed, or when a program meant it to be; undefined: neither. */
  readonly began: number | undefined
  readonly by: Timeline['by']
}

export class Journal {
  readonly #idOf: (client: number) => string
  /** Grows with whatever changes here. */
  changes = 0
  readonly #entries = new Map<number, Entry>()
  #list: Entry[] = []
  /** Not saved yet, oldest first. */
  #open: Entry[] = []

  /** @param idOf As `WindowFigures.id`. */
  constructor(idOf: (client: number) => string) {
    this.#idOf = idOf
  }

  made({ edit, number, at, began, by }: Made): void {
    const key = Math.min(began ?? at, at)
    const entry: Entry = { edit, number, key, by, made: at - key, arrivals: [] }
    this.changes += 1
    this.#entries.set(edit, entry)
    this.#list.push(entry)
    this.#open.push(entry)
    if (this.#list.length > MAX_EDITS) this.#entries.delete(this.#list.shift()!.edit)
  }

  painted(edit: number, at: number | 'hidden'): void {
    const entry = this.#entries.get(edit)
    if (!entry) return
    this.changes += 1
    if (at === 'hidden') entry.ownPaint = 'hidden'
    else this.#reach(entry, 'ownPaint', at)
  }

  /** All messages up to this one are with the transport. */
  sent(upTo: number, at: number, link: LinkInfo | undefined): void {
    for (const entry of this.#open) {
      if (entry.number !== undefined && entry.number <= upTo) this.#reach(entry, 'sent', at, link)
    }
  }

  arrived(upTo: number, at: number): void {
    for (const entry of this.#open) {
      if (entry.number !== undefined && entry.number <= upTo) this.#reach(entry, 'acknowledged', at)
    }
  }

  /** Numbers begin again: whether these arrived will not be heard, only that they are saved. */
  restarted(): void {
    for (const entry of this.#open) entry.number = undefined
  }

  /** The first so many edits ever made here. */
  saved(edits: number, at: number, link: LinkInfo | undefined): void {
    if ((this.#open[0]?.edit ?? Infinity) > edits) return
    for (const entry of this.#open) if (entry.edit <= edits) this.#reach(entry, 'saved', at, link)
    this.#open = this.#open.filter(({ edit }) => edit > edits)
  }

  /** None of what is open will ever be taken. */
  refused(): void {
    this.changes += this.#open.length
    for (const entry of this.#open) entry.refused = true
    this.#open = []
  }

  /** Undefined for an edit that was not made here, or longer ago than is kept. */
  keyOf(edit: number): number | undefined {
    return this.#entries.get(edit)?.key
  }

  /** False: that window has told before. */
  arrive(edit: number, arrived: Arrived): boolean {
    const arrivals = this.#entries.get(edit)?.arrivals
    if (!arrivals || arrivals.some(({ client }) => client === arrived.client)) return false
    this.changes += 1
    arrivals.push(arrived)
    return true
  }

  /** Oldest first. */
  latest(count: number): readonly Timeline[] {
    return this.#list.slice(-count).map(({ number: _number, arrivals, ...timeline }) => ({
      ...timeline,
      arrivals: arrivals.map(({ client, ...arrival }) => ({ window: this.#idOf(client), ...arrival })),
    }))
  }

  reset(): void {
    this.changes += 1
    this.#entries.clear()
    this.#list = []
    this.#open = []
  }

  /** The first time counts: what is repeated on another link arrives once more. */
  #reach(entry: Entry, station: OwnStation, at: number, link?: LinkInfo): void {
    if (entry[station] !== undefined) return
    this.changes += 1
    if (link) entry.link ??= link
    entry[station] = Math.max(0, at - entry.key)
  }
}

export const ownFiguresOf = (timelines: readonly Timeline[]): OwnFigures =>
  Object.fromEntries(
    stations.map((station) => [
      station,
      percentilesOf(numbersOf(timelines.map((timeline) => timeline[station]))),
    ]),
  ) as OwnFigures

export const numbersOf = (values: readonly (number | 'hidden' | undefined)[]): number[] =>
  values.filter((value) => typeof value === 'number')
