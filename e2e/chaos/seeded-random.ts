/** Random numbers by seed, so that a run can be repeated. */
export interface SeededRandom {
  /** Returns a number in [0, 1). */
  next(): number
  /** Returns a number in [from, to]. */
  between(from: number, to: number): number
  pick<Item>(items: readonly Item[]): Item
}

/** Implements Mulberry32. Each name has its own sequence of numbers. */
export function createSeededRandom(seed: number, name = ''): SeededRandom {
  let state = Array.from(name).reduce(
    (sum, letter) => Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193),
    seed | 0,
  )
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  return { next, between, pick: (items) => items[between(0, items.length - 1)]! }
}
