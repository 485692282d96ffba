/** Links between all writers, which delay and reorder whole updates, deliver some twice, and can be cut in two. */
import type { Choices } from './choices.ts'

interface Link {
  readonly from: number
  readonly to: number
  readonly queue: Uint8Array[]
}

type Deliver = (to: number, update: Uint8Array) => void

/** One in so many updates stays in its queue, and comes again. */
const REPEAT_ONE_IN = 25

export class SimulatedNetwork {
  readonly #links: readonly Link[]
  /** The bits of the writers on one side of the cut. */
  #side = 0

  constructor(count: number) {
    const all = Array.from({ length: count }, (_, index) => index)
    this.#links = all.flatMap((from) =>
      all.filter((to) => to !== from).map((to) => ({ from, to, queue: [] })),
    )
  }

  get isBusy(): boolean {
    return this.#links.some(({ queue }) => queue.length > 0)
  }

  send(from: number, update: Uint8Array): void {
    for (const link of this.#links) if (link.from === from) link.queue.push(update)
  }

  cut(side: number): void {
    this.#side = side
  }

  heal(): void {
    this.#side = 0
  }

  deliverOne(choices: Choices, deliver: Deliver): void {
    const links = this.#links.filter((link) => this.#isOpen(link) && link.queue.length > 0)
    if (links.length === 0) return
    const { queue, to } = choices.pick(links)
    const at = choices.below(queue.length)
    const update = queue[at]!
    if (!choices.oneIn(REPEAT_ONE_IN)) queue.splice(at, 1)
    deliver(to, update)
  }

  /** What is there now, in order. */
  deliverAll(deliver: Deliver): void {
    for (const link of this.#links) {
      if (!this.#isOpen(link)) continue
      for (const update of link.queue.splice(0)) deliver(link.to, update)
    }
  }

  #isOpen({ from, to }: Link): boolean {
    return ((this.#side >> from) & 1) === ((this.#side >> to) & 1)
  }
}
