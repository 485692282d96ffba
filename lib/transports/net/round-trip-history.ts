/** The latest round trips to each origin. Knows no clock: what to count as one is its owner's affair. */

/** Few enough to forget a network that was left, enough to look past a server that was busy. */
const MAX_ROUND_TRIPS = 8

export class RoundTripHistory {
  readonly #latest = new Map<string, number[]>()

  record(origin: string, ms: number): void {
    const latest = this.#latest.get(origin) ?? []
    latest.push(ms)
    if (latest.length > MAX_ROUND_TRIPS) latest.shift()
    this.#latest.set(origin, latest)
  }

  minimum(origin: string): number | undefined {
    const latest = this.#latest.get(origin)
    return latest && Math.min(...latest)
  }
}
