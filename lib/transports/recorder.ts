/** A sink that remembers, for tests of transports. */
import type { CloseReason } from '../protocol/close.ts'
import type { Link, Sink, Target, Transport } from './transport.ts'

export class Recorder implements Sink {
  readonly frames: Uint8Array<ArrayBuffer>[] = []
  readonly closes: CloseReason[] = []
  /** What came after the close (T1 says nothing does). */
  late = 0
  readonly closed: Promise<CloseReason>
  readonly #resolveClosed: (reason: CloseReason) => void
  readonly #waiting = new Set<() => void>()

  constructor() {
    const { promise, resolve } = Promise.withResolvers<CloseReason>()
    this.closed = promise
    this.#resolveClosed = resolve
  }

  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    if (this.closes.length > 0) this.late += 1
    this.frames.push(frame)
    for (const check of this.#waiting) check()
  }

  onClosed(reason: CloseReason): void {
    this.closes.push(reason)
    this.#resolveClosed(reason)
  }

  /** Rejects when the link closes before that many have come. */
  async frameCount(count: number): Promise<void> {
    const enough = new Promise<void>((resolve) => {
      const check = (): void => {
        if (this.frames.length < count) return
        this.#waiting.delete(check)
        resolve()
      }
      this.#waiting.add(check)
      check()
    })
    const tooEarly = this.closed.then((reason) => {
      throw new Error(`Closed (${JSON.stringify(reason)}) after ${this.frames.length} of ${count} frames.`)
    })
    await Promise.race([enough, tooEarly])
  }
}

/** One end of a link, and what its sink heard. */
export interface End {
  readonly link: Link
  readonly heard: Recorder
}

export async function openLink({
  transport,
  target,
}: {
  transport: Transport
  target: Target
}): Promise<End> {
  const heard = new Recorder()
  return { link: await transport.open(target, heard, new AbortController().signal), heard }
}

/** The accepting side: remembers each link it was given. */
export class Acceptor {
  readonly ends: End[] = []
  readonly #unclaimed: End[] = []
  readonly #waiting: ((end: End) => void)[] = []

  readonly accept = (link: Link): Sink => {
    const end = { link, heard: new Recorder() }
    this.ends.push(end)
    const next = this.#waiting.shift()
    if (next) next(end)
    else this.#unclaimed.push(end)
    return end.heard
  }

  /** The next link nobody asked for yet. */
  next(): Promise<End> {
    const end = this.#unclaimed.shift()
    return end ? Promise.resolve(end) : new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Resolves once every link there ever was is closed, and leaves none unclaimed. */
  async allClosed(): Promise<void> {
    await Promise.all(this.ends.map(({ heard }) => heard.closed))
    this.#unclaimed.length = 0
  }
}
