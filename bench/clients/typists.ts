/**
 * Clients in this process that type into one document, each a numbered token at its time, whatever became of those before (L3). When
 * each token came to each of the others is noted by its id, and in the end all of them are counted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenDocument } from '../../lib/client.ts'
import { sleepUntil } from '../../e2e/fixtures/sleep-until.ts'

const ROOT = 'typed'

export interface TokenJourney {
  readonly from: number
  readonly to: number
  /** From the time it was meant to be typed, in ms. */
  readonly ms: number
  /** When it came, on this process's clock. */
  readonly at: number
}

export interface TokenCount {
  /** Tokens that are missing in a window's text, over all windows. */
  readonly lost: number
  readonly doubled: number
  /** Of one author's tokens, those that stand before an earlier one. */
  readonly disordered: number
}

export class Typists {
  readonly #windows: readonly OpenDocument[]
  readonly #authors: number
  /** When each token was meant to be typed, by author. */
  readonly #due: number[][]
  /** When each token came, by receiver, author, token. */
  readonly #came: number[][][]

  /** @param authors So many of the windows are typed into, the first ones; the others only show it. */
  constructor(windows: readonly OpenDocument[], authors = windows.length) {
    this.#windows = windows
    this.#authors = authors
    this.#due = windows.map(() => [])
    this.#came = windows.map(() => windows.map(() => []))
    for (const [receiver, { doc }] of windows.entries())
      doc.getText(ROOT).observe(({ delta, transaction }) => {
        if (!transaction.local) this.#receive(receiver, delta)
      })
  }

  get typed(): number {
    return this.#due.reduce((sum, due) => sum + due.length, 0)
  }

  /** All of them, at their pace, until the signal. Their turns are spread over the pace. */
  async type(paceMs: number, until: AbortSignal): Promise<void> {
    const startedAt = performance.now()
    await Promise.all(
      Array.from({ length: this.#authors }, (_, author) =>
        this.#typeAs(author, startedAt + (author * paceMs) / this.#authors, paceMs, until),
      ),
    )
  }

  /** Resolves when every token is saved and everywhere, or after so long: with how many have not come to a window. */
  async arrived(patienceMs: number): Promise<number> {
    const deadline = performance.now() + patienceMs
    let saved = false
    void Promise.allSettled(this.#windows.map((window) => window.whenSaved())).then(() => (saved = true))
    while (performance.now() < deadline && (!saved || this.#missing() > 0)) await sleep(5)
    return this.#missing()
  }

  /** How each token came to each of the other windows, of those that were meant to be typed from then on. */
  journeys(since = -Infinity): TokenJourney[] {
    return this.#due.flatMap((dues, from) =>
      dues.flatMap((due, token) => (due < since ? [] : this.#journeysOf(from, token, due))),
    )
  }

  /** How long those took that came to a window before then. */
  arrivedBefore(then: number): number[] {
    return this.journeys().flatMap(({ at, ms }) => (at < then ? ms : []))
  }

  /** In the texts as they are, and in any others that should be the same: the store's. */
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
      for (const [author, token] of tokensIn(insert)) this.#came[receiver]![author]![token] ??= now
    }
  }

  #missing(): number {
    const missing = (receiver: number, author: number): number =>
      receiver === author
        ? 0
        : this.#due[author]!.filter((_due, token) => this.#came[receiver]![author]![token] === undefined)
            .length
    return this.#came.reduce(
      (sum, ofAuthors, receiver) =>
        ofAuthors.reduce((more, _came, author) => more + missing(receiver, author), sum),
      0,
    )
  }

  #journeysOf(from: number, token: number, due: number): TokenJourney[] {
    return this.#came.flatMap((ofAuthors, to) => {
      const at = ofAuthors[from]![token]
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

/** Between two arrivals in a row, in ms. */
export function longestGap(journeys: readonly Pick<TokenJourney, 'at'>[]): number {
  const times = journeys.map(({ at }) => at).toSorted((a, b) => a - b)
  return times.reduce((most, at, index) => Math.max(most, at - (times[index - 1] ?? at)), 0)
}

const tokensIn = (text: string): (readonly [author: number, token: number])[] =>
  [...text.matchAll(/(\d+)\.(\d+) /g)].map(([, author, token]) => [Number(author), Number(token)])
