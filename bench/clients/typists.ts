/**
 * Clients in this process that type into one document, each a numbered token at its time, whatever became of those before (L3). When
 * each token came to each of the others is noted by its id, and in the end all of them are counted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenDocument } from '../../lib/client.ts'
import { sleepUntil } from '../../e2e/fixtures/sleep-until.ts'

const ROOT = 'typed'

interface Said {
  /** When it was meant to be typed. */
  readonly due: number
}

export interface Journey {
  readonly from: number
  readonly to: number
  readonly token: number
  /** From the time it was meant to be typed, in ms. */
  readonly ms: number
  /** When it came, on this process's clock. */
  readonly at: number
}

export interface Count {
  /** Tokens that are missing in a window's text, over all windows. */
  readonly lost: number
  readonly doubled: number
  /** Of one author's tokens, those that stand before an earlier one. */
  readonly disordered: number
}

export class Typists {
  readonly #windows: readonly OpenDocument[]
  readonly #said: Said[][]
  /** By receiver, author, token. */
  readonly #came: number[][][]

  constructor(windows: readonly OpenDocument[]) {
    this.#windows = windows
    this.#said = windows.map(() => [])
    this.#came = windows.map(() => windows.map(() => []))
    for (const [receiver, { doc }] of windows.entries())
      doc.getText(ROOT).observe(({ delta, transaction }) => {
        if (!transaction.local) this.#hear(receiver, delta)
      })
  }

  get typed(): number {
    return this.#said.reduce((sum, said) => sum + said.length, 0)
  }

  /** All of them, at their pace, until the signal. Their turns are spread over the pace. */
  async type(paceMs: number, until: AbortSignal): Promise<void> {
    const startedAt = performance.now()
    const authors = this.#windows.map((_window, author) => author)
    await Promise.all(
      authors.map((author) =>
        this.#typeAs(author, startedAt + (author * paceMs) / authors.length, paceMs, until),
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
  journeys(since = -Infinity): Journey[] {
    return this.#said.flatMap((said, from) =>
      said.flatMap(({ due }, token) => (due < since ? [] : this.#journeysOf(from, token, due))),
    )
  }

  /** In the texts as they are, and in any others that should be the same: the store's. */
  check(texts: readonly string[]): Count {
    const all = [...this.#windows.map(({ doc }) => doc.getText(ROOT).toJSON()), ...texts]
    const counts = all.map((text) => this.#countIn(text))
    const total = (name: keyof Count) => counts.reduce((sum, count) => sum + count[name], 0)
    return { lost: total('lost'), doubled: total('doubled'), disordered: total('disordered') }
  }

  async #typeAs(author: number, first: number, paceMs: number, until: AbortSignal): Promise<void> {
    const text = this.#windows[author]!.doc.getText(ROOT)
    for (let due = first; !until.aborted; due += paceMs) {
      await sleepUntil(due)
      const token = this.#said[author]!.push({ due }) - 1
      text.insert(text.length, `${author}.${token} `)
    }
  }

  #hear(receiver: number, delta: readonly { insert?: unknown }[]): void {
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
        : this.#said[author]!.filter((_said, token) => this.#came[receiver]![author]![token] === undefined)
            .length
    return this.#came.reduce(
      (sum, ofAuthors, receiver) =>
        ofAuthors.reduce((more, _came, author) => more + missing(receiver, author), sum),
      0,
    )
  }

  #journeysOf(from: number, token: number, due: number): Journey[] {
    return this.#came.flatMap((ofAuthors, to) => {
      const at = ofAuthors[from]![token]
      return to === from || at === undefined ? [] : { from, to, token, ms: at - due, at }
    })
  }

  #countIn(text: string): Count {
    const found = this.#said.map(() => [] as number[])
    for (const [author, token] of tokensIn(text)) found[author]?.push(token)
    return found.reduce(
      (sum, tokens, author) => {
        const distinct = new Set(tokens).size
        return {
          lost: sum.lost + this.#said[author]!.length - distinct,
          doubled: sum.doubled + tokens.length - distinct,
          disordered: sum.disordered + tokens.filter((token, at) => token < (tokens[at - 1] ?? -1)).length,
        }
      },
      { lost: 0, doubled: 0, disordered: 0 },
    )
  }
}

const tokensIn = (text: string): (readonly [author: number, token: number])[] =>
  [...text.matchAll(/(\d+)\.(\d+) /g)].map(([, author, token]) => [Number(author), Number(token)])
