/** The latest round trips to each origin. Knows no clock: what to count as one is its owner's affair. */

/** Few enough to forget a network that was left, enough to look past a server that was busy. */
const KEPT = 8

export class RoundTrips {
  readonly #latest = new Map<string, number[]>()

  note(origin: string, ms: number): void {
    const latest = this.#latest.get(origin) ?? []
    latest.push(ms)
    if (latest.length > KEPT) latest.shift()
    this.#latest.set(origin, latest)
  }

  least(origin: string): number | undefined {
    const latest = this.#latest.get(origin)
    return latest && Math.min(...latest)
  }
}
