/** The indexes of as many values as possible that rise strictly, in their order (patience sorting). Null is left out. */
export function longestIncreasing<Value extends string | number>(
  values: readonly (Value | null)[],
): number[] {
  const tops: number[] = []
  const predecessors: number[] = []
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const pile = firstAtLeast(tops.length, (at) => values[tops[at]!]! < value)
    predecessors[index] = pile === 0 ? -1 : tops[pile - 1]!
    tops[pile] = index
  }
  const sequence: number[] = []
  for (let at = tops.at(-1) ?? -1; at !== -1; at = predecessors[at]!) sequence.push(at)
  return sequence.toReversed()
}

function firstAtLeast(count: number, isLess: (at: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isLess(middle)) low = middle + 1
    else high = middle
  }
  return low
}
