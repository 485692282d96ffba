/**
 * Lets windows in this process type numbered tokens into one document, each at its time, whatever became of those before (L3). It
 * records when each token arrives in each other window, and counts all of them in the end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenDocument } from '../../lib/client.ts'
import { sleepUntil } from '../../e2e/fixtures/sleep-until.ts'

const ROOT = 'typed'

export interface TokenJourney {
  readonly from: number
  readonly to: number
  /** The ms from when the token was due to its arrival. */
  readonly ms: number
  /** The moment of its arrival, on this process's clock. */
  readonly at: number
}

/** Sums over all windows. */
export interface TokenCount {
  readonly lost: number
  readonly doubled: number
  /** Tokens that stand before an earlier one of their author. */
  readonly disordered: number
}

export class Typists {
  readonly #windows: readonly OpenDocument[]
  readonly #authors: number
  /** The moment at which each token was due, by author. */
  readonly #due: number[][]
  /** The moment at which each token arrived, by receiver, author, token. */
  readonly #arrived: number[][][]

  /** @param authors The number of windows that are typed into, the first ones; the others only show the text. */
  constructor(windows: readonly OpenDocument[], authors = windows.length) {
    this.#windows = windows
    this.#authors = authors
    this.#due = windows.map(() => [])
    this.#arrived = windows.map(() => windows.map(() => []))
    for (const [receiver, { doc }] of windows.entries())
      doc.getText(ROOT).observe(({ delta, transaction }) => {
        if (!transaction.local) this.#receive(receiver, delta)
      })
  }

  get typed(): number {
    return this.#due.reduce((sum, due) => sum + due.length, 0)
  }

  /** Types into all authors' windows until the signal. @param paceMs The time between two tokens of one author. */
  async type(paceMs: number, until: AbortSignal): Promise<void> {
    const startedAt = performance.now()
    await Promise.all(
      Array.from({ length: this.#authors }, (_, author) =>
        this.#typeAs(author, startedAt + (author * paceMs) / this.#authors, paceMs, until),
      ),
    )
  }

  /** Waits until every token is saved and everywhere, at most for `patienceMs`, and returns how many arrivals are missing. */
  async waitForArrivals(patienceMs: number): Promise<number> {
    const deadline = performance.now() + patienceMs
    let saved = false
    void Promise.allSettled(this.#windows.map((window) => window.whenSaved())).then(() => (saved = true))
    while (performance.now() < deadline && (!saved || this.#missing() > 0)) await sleep(5)
    return this.#missing()
  }

  /** Returns the journeys of the tokens that were due from `since` on. */
  journeys(since = -Infinity): TokenJourney[] {
    return this.#due.flatMap((dues, from) =>
      dues.flatMap((due, token) => (due < since ? [] : this.#journeysOf(from, token, due))),
    )
  }

  /** Returns the ms of the journeys that ended before `moment`. */
  arrivedBefore(moment: number): number[] {
    return this.journeys().flatMap(({ at, ms }) => (at < moment ? ms : []))
  }

  /** Counts in the windows' texts, and in others that should be equal to them, such as the store's. */
  check(texts: readonly string[]): TokenCount {
    const all = [...this.#windows.map(({ doc }) => doc.getText(ROOT).toJSON()), ...texts]
    const counts = all.map((text) => this.#countIn(text))
    const total = (name: keyof TokenCount) => counts.reduce((sum, count) => sum + count[name], 0)
    return { lost: total('lost'), doubled: total('doubled'), disordered: total('disordered') }
  }

  async #typeAs(author: number, first: number, paceMs: number, until: AbortSignal): Promise<void> {
    const text = this.#windows[author]!.doc.getText(ROOT)
    for (let due = first; !until.aborted; due += paceMs) {
      await sleepUntil(due)
      const token = this.#due[author]!.push(due) - 1
      text.insert(text.length, `${author}.${token} `)
    }
  }

  #receive(receiver: number, delta: readonly { insert?: unknown }[]): void {
    const now = performance.now()
    for (const { insert } of delta) {
      if (typeof insert !== 'string') continue
      for (const [author, token] of tokensIn(insert)) this.#arrived[receiver]![author]![token] ??= now
    }
  }

  #missing(): number {
    return this.typed * (this.#windows.length - 1) - this.journeys().length
  }

  #journeysOf(from: number, token: number, due: number): TokenJourney[] {
    return this.#arrived.flatMap((byAuthor, to) => {
      const at = byAuthor[from]![token]
      return to === from || at === undefined ? [] : { from, to, ms: at - due, at }
    })
  }

  #countIn(text: string): TokenCount {
    const found = this.#due.map(() => [] as number[])
    for (const [author, token] of tokensIn(text)) found[author]?.push(token)
    return found.reduce(
      (sum, tokens, author) => {
        const distinct = new Set(tokens).size
        return {
          lost: sum.lost + this.#due[author]!.length - distinct,
          doubled: sum.doubled + tokens.length - distinct,
          disordered: sum.disordered + tokens.filter((token, at) => token < (tokens[at - 1] ?? -1)).length,
        }
      },
      { lost: 0, doubled: 0, disordered: 0 },
    )
  }
}

/** Returns the longest time between two successive arrivals, in ms. */
export function longestGap(journeys: readonly Pick<TokenJourney, 'at'>[]): number {
  const times = journeys.map(({ at }) => at).toSorted((a, b) => a - b)
  return times.reduce((most, at, index) => Math.max(most, at - (times[index - 1] ?? at)), 0)
}

const tokensIn = (text: string): (readonly [author: number, token: number])[] =>
  [...text.matchAll(/(\d+)\.(\d+) /g)].map(([, author, token]) => [Number(author), Number(token)])
