/** A sink that records what it receives, for tests of transports. */
import type { CloseReason } from '../protocol/close.ts'
import type { Link, Sink, LinkTarget, Transport } from './transport.ts'

export class RecordingSink implements Sink {
  readonly frames: Uint8Array<ArrayBuffer>[] = []
  readonly closes: CloseReason[] = []
  /** How many frames came after the close (T1 allows none). */
  late = 0
  readonly closed: Promise<CloseReason>
  readonly #resolveClosed: (reason: CloseReason) => void
  readonly #frameChecks = new Set<() => void>()

  constructor() {
    const { promise, resolve } = Promise.withResolvers<CloseReason>()
    this.closed = promise
    this.#resolveClosed = resolve
  }

  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    if (this.closes.length > 0) this.late += 1
    this.frames.push(frame)
    for (const check of this.#frameChecks) check()
  }

  onClosed(reason: CloseReason): void {
    this.closes.push(reason)
    this.#resolveClosed(reason)
  }

  /** Rejects when the link closes before that many have come. */
  async waitForFrames(count: number): Promise<void> {
    const enough = new Promise<void>((resolve) => {
      const check = (): void => {
        if (this.frames.length < count) return
        this.#frameChecks.delete(check)
        resolve()
      }
      this.#frameChecks.add(check)
      check()
    })
    const tooEarly = this.closed.then((reason) => {
      throw new Error(`Closed (${JSON.stringify(reason)}) after ${this.frames.length} of ${count} frames.`)
    })
    await Promise.race([enough, tooEarly])
  }
}

/** One end of a link, and what its sink received. */
export interface RecordedLink {
  readonly link: Link
  readonly received: RecordingSink
}

export async function openRecordedLink({
  transport,
  target,
}: {
  transport: Transport
  target: LinkTarget
}): Promise<RecordedLink> {
  const received = new RecordingSink()
  return { link: await transport.open(target, received, new AbortController().signal), received }
}

/** The accepting side: it records each link that it was given. */
export class RecordingAcceptor {
  readonly links: RecordedLink[] = []
  readonly #unclaimed: RecordedLink[] = []
  readonly #waiters: ((end: RecordedLink) => void)[] = []

  readonly accept = (link: Link): Sink => {
    const end = { link, received: new RecordingSink() }
    this.links.push(end)
    const next = this.#waiters.shift()
    if (next) next(end)
    else this.#unclaimed.push(end)
    return end.received
  }

  /** Resolves to the next link that no call has returned yet. */
  next(): Promise<RecordedLink> {
    const end = this.#unclaimed.shift()
    return end ? Promise.resolve(end) : new Promise((resolve) => this.#waiters.push(resolve))
  }

  /** Resolves once every link ever accepted is closed, and leaves none unclaimed. */
  async allClosed(): Promise<void> {
    await Promise.all(this.links.map(({ received }) => received.closed))
    this.#unclaimed.length = 0
  }
}
