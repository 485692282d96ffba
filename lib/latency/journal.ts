/**
 * Records the edits of this window and when each reached which stage (L1). Knows times and counts; does not know where they come from.
 */
import type { LinkInfo } from '../transports/transport.ts'
import { percentilesOf } from './histogram.ts'
import type { EditArrival, OwnStageFigures, OwnStage, EditTimeline } from './latency-state.ts'

/** As many as an export holds. */
export const MAX_JOURNAL_EDITS = 5_000
/** As many as in "Of my last 200 edits." */
export const LATEST_EDITS = 200

const stages: readonly OwnStage[] = ['ownPaint', 'sent', 'acknowledged', 'saved']

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** An arrival as it is stored: by client id, since the window may get a better name later. */
export interface ClientArrival extends Omit<EditArrival, 'window'> {
  readonly client: number
}

interface JournalEntry extends Mutable<Omit<EditTimeline, 'arrivals'>> {
  readonly arrivals: ClientArrival[]
  /** The message that carries it, while message numbers are valid. */
  messageNumber: number | undefined
}

export interface NewEdit {
  readonly edit: number
  readonly messageNumber: number | undefined
  readonly at: number
  /** When the key was pressed, or when a program meant it to be; undefined where neither is known. */
  readonly triggeredAt: number | undefined
  readonly by: EditTimeline['by']
}

export class Journal {
  readonly #idOf: (client: number) => string
  /** Grows with every change of the journal. */
  revision = 0
  readonly #entries = new Map<number, JournalEntry>()
  #ordered: JournalEntry[] = []
  /** The unsaved edits, oldest first. */
  #unsaved: JournalEntry[] = []

  /** @param idOf Returns an id as in `WindowFigures.id`. */
  constructor(idOf: (client: number) => string) {
    this.#idOf = idOf
  }

  recordEdit({ edit, messageNumber, at, triggeredAt, by }: NewEdit): void {
    const key = Math.min(triggeredAt ?? at, at)
    const entry: JournalEntry = { edit, messageNumber, key, by, made: at - key, arrivals: [] }
    this.revision += 1
    this.#entries.set(edit, entry)
    this.#ordered.push(entry)
    this.#unsaved.push(entry)
    if (this.#ordered.length > MAX_JOURNAL_EDITS) this.#entries.delete(this.#ordered.shift()!.edit)
  }

  recordPaint(edit: number, at: number | 'hidden'): void {
    const entry = this.#entries.get(edit)
    if (!entry) return
    this.revision += 1
    if (at === 'hidden') entry.ownPaint = 'hidden'
    else this.#recordStage(entry, 'ownPaint', at)
  }

  /** All messages up to this one were handed to the transport. */
  recordSent(upTo: number, at: number, link: LinkInfo | undefined): void {
    for (const entry of this.#unsaved) {
      if (entry.messageNumber !== undefined && entry.messageNumber <= upTo)
        this.#recordStage(entry, 'sent', at, link)
    }
  }

  recordAcknowledged(upTo: number, at: number): void {
    for (const entry of this.#unsaved) {
      if (entry.messageNumber !== undefined && entry.messageNumber <= upTo)
        this.#recordStage(entry, 'acknowledged', at)
    }
  }

  /** Message numbers begin again: no acknowledgement will come for these edits, only that they are saved. */
  forgetMessageNumbers(): void {
    for (const entry of this.#unsaved) entry.messageNumber = undefined
  }

  /** The server has saved this many edits, from the first ever made here. */
  recordSaved(edits: number, at: number, link: LinkInfo | undefined): void {
    if ((this.#unsaved[0]?.edit ?? Infinity) > edits) return
    for (const entry of this.#unsaved) if (entry.edit <= edits) this.#recordStage(entry, 'saved', at, link)
    this.#unsaved = this.#unsaved.filter(({ edit }) => edit > edits)
  }

  /** None of the unsaved edits will ever be accepted. */
  recordRefusal(): void {
    this.revision += this.#unsaved.length
    for (const entry of this.#unsaved) entry.refused = true
    this.#unsaved = []
  }

  /** Returns undefined for an edit that was not made here, or that is no longer stored. */
  keyTimeOf(edit: number): number | undefined {
    return this.#entries.get(edit)?.key
  }

  /** Returns false where that window has reported the edit before. */
  recordArrival(edit: number, arrival: ClientArrival): boolean {
    const arrivals = this.#entries.get(edit)?.arrivals
    if (!arrivals || arrivals.some(({ client }) => client === arrival.client)) return false
    this.revision += 1
    arrivals.push(arrival)
    return true
  }

  /** The latest edits, oldest first. */
  latest(count: number): readonly EditTimeline[] {
    return this.#ordered.slice(-count).map(({ messageNumber: _number, arrivals, ...timeline }) => ({
      ...timeline,
      arrivals: arrivals.map(({ client, ...arrival }) => ({ window: this.#idOf(client), ...arrival })),
    }))
  }

  reset(): void {
    this.revision += 1
    this.#entries.clear()
    this.#ordered = []
    this.#unsaved = []
  }

  /** The first time counts: a message that is repeated on another link arrives once more. */
  #recordStage(entry: JournalEntry, stage: OwnStage, at: number, link?: LinkInfo): void {
    if (entry[stage] !== undefined) return
    this.revision += 1
    if (link) entry.link ??= link
    entry[stage] = Math.max(0, at - entry.key)
  }
}

export const ownFiguresOf = (timelines: readonly EditTimeline[]): OwnStageFigures =>
  Object.fromEntries(
    stages.map((stage) => [stage, percentilesOf(numbersOf(timelines.map((timeline) => timeline[stage])))]),
  ) as OwnStageFigures

export const numbersOf = (values: readonly (number | 'hidden' | undefined)[]): number[] =>
  values.filter((value) => typeof value === 'number')
