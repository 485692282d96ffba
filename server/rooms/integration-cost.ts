/**
 * What one edit costs until it is in the document, and where that ends: an edit may be made so that Yjs compares each of its items
 * with all the others, which takes minutes for a megabyte, and everybody on the server waits for it. Knows processor time and counts;
 * does not know Yjs.
 */
import { strings } from '../../lib/strings/server-refusals.ts'
import { RoomRefusal } from './rooms.ts'

const MIB = 1024 * 1024
/** Processor time of an edit, and what each of its bytes adds: a first import of 20 MiB takes about half of what it may. */
const DEADLINE_MS = 50
const DEADLINE_MS_PER_MIB = 50
/** Each item is deleted once, so what deletes a long text may take as long as the text is. */
const MS_PER_DELETION = 0.003
/** What an honest edit takes at most. The rest is charged to whoever sent it. */
const NORMAL_MS = 0.5

/**
 * Items that Yjs may have to look at to find the places of an edit's items, 0.2 to 0.5 µs each. An honest item stands between the two
 * that it was typed between, so those that others put there meanwhile are all there are.
 */
const MAX_COMPARED = 65_536
const MAX_COMPARED_PER_MIB = 65_536

/** Structs and items between two looks at the clock, which takes half a microsecond. */
const CHECK_EVERY_STEPS = 2_000

/** Processor time of this thread in ms: on a busy machine the time of day would refuse the honest. */
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
  #unlooked = 0
  /** Items that Yjs had to look at, at most. */
  comparedItems = 0

  /** @param bytes Of the edit. @param now Processor time in ms. */
  constructor(bytes: number, now = threadCpuMs) {
    const mib = bytes / MIB
    this.#now = now
    this.#deadlineMs = DEADLINE_MS + DEADLINE_MS_PER_MIB * mib
    this.setNewBytes(bytes)
    this.#maxCompared = MAX_COMPARED + MAX_COMPARED_PER_MIB * mib
  }

  /** Beyond what an honest edit of its size takes. */
  get excessMs(): number {
    return Math.max(0, this.spentMs - this.#normalMs)
  }

  get spentMs(): number {
    return this.#spentMs + (this.#startedAt === null ? 0 : this.#now() - this.#startedAt)
  }

  /** @param bytes That are new: the others, however many, are no reason to take longer. */
  setNewBytes(bytes: number): void {
    this.#normalMs = NORMAL_MS + (DEADLINE_MS_PER_MIB * bytes) / MIB
  }

  /** No honest client sends it: all of its time counts. */
  countAllTime(): void {
    this.#normalMs = 0
  }

  /** Whatever is done in it counts, also where it throws. */
  measure<Answer>(run: () => Answer): Answer {
    this.#startedAt = this.#now()
    try {
      return run()
    } finally {
      this.#spentMs = this.spentMs
      this.#startedAt = null
    }
  }

  /** So much more is to be done because of it, elsewhere or later. */
  addTime(ms: number): void {
    this.#spentMs += ms
  }

  /** What is done in it, within `spend`, is not the edit's. */
  excludeTime<Answer>(run: () => Answer): Answer {
    const startedAt = this.#now()
    try {
      return run()
    } finally {
      if (this.#startedAt !== null) this.#startedAt += this.#now() - startedAt
    }
  }

  get remainingComparisons(): number {
    return this.#maxCompared - this.comparedItems
  }

  /** Before Yjs looks at so many items. @throws {RoomRefusal} `too-costly` */
  countComparisons(items: number): void {
    this.comparedItems += items
    if (this.comparedItems > this.#maxCompared)
      throw tooCostlyRefusal(strings.edit.muchCompared(Math.floor(this.#maxCompared)))
    this.countSteps(items)
  }

  /** So much was done, in structs. @throws {RoomRefusal} `too-costly` */
  countSteps(structs = 1): void {
    this.#unlooked += structs
    if (this.#unlooked >= CHECK_EVERY_STEPS) this.checkDeadline()
  }

  /** So many items were deleted for good. */
  countDeletions(structs: number): void {
    this.#deadlineMs += structs * MS_PER_DELETION
    this.countSteps(structs)
  }

  /** @throws {RoomRefusal} `too-costly` */
  checkDeadline(): void {
    this.#unlooked = 0
    if (this.#startedAt !== null && this.spentMs > this.#deadlineMs)
      throw tooCostlyRefusal(strings.edit.muchTime(Math.ceil(this.#deadlineMs)))
  }
}

const tooCostlyRefusal = (detail: string): RoomRefusal => new RoomRefusal({ code: 'too-costly', detail })
