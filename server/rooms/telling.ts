/**
 * When a room tells what is on disk: at once where it is calm. In a busy one what comes within a few ms of the last telling waits and
 * goes out together, so that many edits cost each of many readers one write. Knows order and time; does not know what is told.
 */

/** What telling one seat takes at most, writing included, in ms. A room spends a quarter of its time at it, or waits the longest. */
const A_SEAT_MS = 0.01
const SHARE = 4
/** Half of a frame on screen. */
const LONGEST_MS = 8
/** One message holds no more, so that a slow reader's turn is not taken up by it. */
const MAX_BYTES = 64 * 1024

interface Weighed {
  readonly update: Uint8Array
}

export interface TellingParts<Edit extends Weighed> {
  seats(): number
  tell(edits: readonly Edit[]): void
}

/** How long after a telling the next one waits. */
export function pauseFor(seats: number): number {
  const pause = seats * A_SEAT_MS * SHARE
  return pause < 1 ? 0 : Math.min(pause, LONGEST_MS)
}

export class Telling<Edit extends Weighed> {
  readonly #parts: TellingParts<Edit>
  #edits: Edit[] = []
  #bytes = 0
  /** What is told behind the edits that it followed. */
  #behind: (() => void)[] = []
  #pause: NodeJS.Timeout | null = null

  constructor(parts: TellingParts<Edit>) {
    this.#parts = parts
  }

  /** Something is committed that nobody heard of. */
  get waits(): boolean {
    return this.#edits.length > 0
  }

  /** Told by the next `soon` or `now`. */
  add(edit: Edit): void {
    if (this.#bytes + edit.update.length > MAX_BYTES) this.now()
    this.#edits.push(edit)
    this.#bytes += edit.update.length
  }

  /** The same, for what is worth no commit. */
  behind(run: () => void): void {
    this.#behind.push(run)
  }

  /** Now, where the room is calm. */
  soon(): void {
    if (!this.#pause) this.#tellAndPause()
  }

  /** Whoever comes or catches up hears nothing twice. */
  now(): void {
    const edits = this.#edits
    const behind = this.#behind
    this.#edits = []
    this.#behind = []
    this.#bytes = 0
    if (edits.length > 0) this.#parts.tell(edits)
    for (const run of behind) run()
  }

  stop(): void {
    if (this.#pause) clearTimeout(this.#pause)
    this.#pause = null
  }

  #tellAndPause(): void {
    if (this.#edits.length + this.#behind.length === 0) return
    this.now()
    const ms = pauseFor(this.#parts.seats())
    if (ms === 0) return
    this.#pause = setTimeout(() => {
      this.#pause = null
      this.#tellAndPause()
    }, ms)
  }
}
