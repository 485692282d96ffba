/**
 * Measures and limits what the integration of one edit costs: a hostile edit can make Yjs compare each of its items with all others,
 * which takes minutes for a megabyte, while everybody on the server waits. Knows processor time and counts; does not know Yjs.
 */
import { strings } from '../../lib/strings/server-refusals.ts'
import { RoomRefusal } from './rooms.ts'

const MIB = 1024 * 1024
/** The processor time that an edit may take, and what each MiB adds: a first import of 20 MiB takes about half of its limit. */
const DEADLINE_MS = 50
const DEADLINE_MS_PER_MIB = 50
/** Each deletion adds time, so an edit that deletes a long text may take long: an item is deleted only once. */
const MS_PER_DELETION = 0.003
/** An honest edit takes at most this long. The rest is charged to the sender. */
const NORMAL_MS = 0.5

/**
 * How many items Yjs may compare to place an edit's items, at 0.2 to 0.5 µs each. An honest item is compared only with those that
 * others put behind the same one meanwhile.
 */
const MAX_COMPARED = 65_536
const MAX_COMPARED_PER_MIB = 65_536

/** How many structs and items to count between two reads of the clock, each of which takes half a microsecond. */
const CHECK_EVERY_STEPS = 2_000

/** The processor time of this thread in ms: on a busy machine, wall-clock time would refuse honest edits. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

export class IntegrationCost {
  readonly #now: () => number
  #normalMs = 0
  readonly #maxCompared: number
  #deadlineMs: number
  #spentMs = 0
  #startedAt: number | null = null
  #uncheckedSteps = 0
  /** An upper bound of the items that Yjs compared. */
  comparedItems = 0

  /** @param bytes The edit's length. @param now Returns the processor time in ms. */
  constructor(bytes: number, now = threadCpuMs) {
    const mib = bytes / MIB
    this.#now = now
    this.#deadlineMs = DEADLINE_MS + DEADLINE_MS_PER_MIB * mib
    this.setNewBytes(bytes)
    this.#maxCompared = MAX_COMPARED + MAX_COMPARED_PER_MIB * mib
  }

  /** The time beyond what an honest edit of this size takes. */
  get excessMs(): number {
    return Math.max(0, this.spentMs - this.#normalMs)
  }

  get spentMs(): number {
    return this.#spentMs + (this.#startedAt === null ? 0 : this.#now() - this.#startedAt)
  }

  /** @param bytes The number of new bytes; repeated ones, however many, do not allow more time. */
  setNewBytes(bytes: number): void {
    this.#normalMs = NORMAL_MS + (DEADLINE_MS_PER_MIB * bytes) / MIB
  }

  /** Counts all of the time as excess, because no honest client sends this edit. */
  countAllTime(): void {
    this.#normalMs = 0
  }

  /** Counts the time of `run`, also if it throws. */
  measure<Answer>(run: () => Answer): Answer {
    this.#startedAt = this.#now()
    try {
      return run()
    } finally {
      this.#spentMs = this.spentMs
      this.#startedAt = null
    }
  }

  /** Adds time that the edit causes elsewhere or later. */
  addTime(ms: number): void {
    this.#spentMs += ms
  }

  /** Within `measure`, does not count the time of `run`. */
  excludeTime<Answer>(run: () => Answer): Answer {
    const startedAt = this.#now()
    try {
      return run()
    } finally {
      if (this.#startedAt !== null) this.#startedAt += this.#now() - startedAt
    }
  }

  /** Called before Yjs compares this many items. @throws {RoomRefusal} `too-costly` */
  countComparisons(items: number): void {
    this.comparedItems += items
    if (this.comparedItems > this.#maxCompared)
      throw tooCostlyRefusal(strings.edit.muchCompared(Math.floor(this.#maxCompared)))
    this.countSteps(items)
  }

  /** Counts work in structs. @throws {RoomRefusal} `too-costly` */
  countSteps(structs = 1): void {
    this.#uncheckedSteps += structs
    if (this.#uncheckedSteps >= CHECK_EVERY_STEPS) this.checkDeadline()
  }

  /** Counts items that were deleted for good. */
  countDeletions(structs: number): void {
    this.#deadlineMs += structs * MS_PER_DELETION
    this.countSteps(structs)
  }

  /** @throws {RoomRefusal} `too-costly` */
  checkDeadline(): void {
    this.#uncheckedSteps = 0
    if (this.#startedAt !== null && this.spentMs > this.#deadlineMs)
      throw tooCostlyRefusal(strings.edit.muchTime(Math.ceil(this.#deadlineMs)))
  }
}

const tooCostlyRefusal = (detail: string): RoomRefusal => new RoomRefusal({ code: 'too-costly', detail })
