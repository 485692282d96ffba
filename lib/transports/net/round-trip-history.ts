/** The latest round trips to each origin. It knows no clock: its owner decides what to measure. */

/** Few enough to forget a former network, and enough to ignore a moment when the server was busy. */
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
