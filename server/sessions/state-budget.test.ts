import { afterEach, describe, expect, test, vi } from 'vitest'
import { StateBudget } from './state-budget.ts'

const MiB = 1024 * 1024

afterEach(() => vi.useRealTimers())

/** Asks for turns; which of them have begun, and their ends. */
async function asked(budget: StateBudget, sizes: readonly number[], who = 'ada') {
  const ends: ((() => void) | undefined)[] = sizes.map(() => undefined)
  for (const [index, bytes] of sizes.entries())
    void budget.take(bytes, who).then((end) => (ends[index] = end))
  await settle()
  return { ends, begun: () => ends.flatMap((end, index) => (end ? [index] : [])) }
}

/** Not by a timer, which may be a fake. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('[S6] large first states take turns', () => {
  test('at most 64 MiB at once, in the order of asking', async () => {
    const { ends, begun } = await asked(
      new StateBudget(),
      [20, 20, 20, 20, 2, 20].map((size) => size * MiB),
    )
    expect(begun()).toEqual([0, 1, 2])
    ends[1]!()
    await settle()
    expect(begun()).toEqual([0, 1, 2, 3, 4])
    ends[0]!()
    ends[0]!() // once
    await settle()
    expect(begun()).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('small ones never wait', async () => {
    const budget = new StateBudget()
    const { begun } = await asked(budget, [64 * MiB, MiB, 1, 2 * MiB])
    expect(begun()).toEqual([0, 1, 2])
    expect(budget.inFlight).toBe(64 * MiB)
  })

  test('one above the whole budget goes alone', async () => {
    const { ends, begun } = await asked(new StateBudget(), [100 * MiB, 2 * MiB])
    expect(begun()).toEqual([0])
    ends[0]!()
    await settle()
    expect(begun()).toEqual([0, 1])
  })

  test('of whoever asks a hundred times, one turn is between two of everybody else', async () => {
    const budget = new StateBudget()
    const flood = await asked(budget, Array<number>(100).fill(64 * MiB), 'mallory')
    const ada = await asked(budget, [2 * MiB, 2 * MiB], 'ada')
    const bob = await asked(budget, [2 * MiB], 'bob')
    const begun = () => [flood, ada, bob].map((one) => one.begun().length)
    expect(begun()).toEqual([1, 0, 0])
    flood.ends[0]!()
    await settle()
    expect(begun()).toEqual([2, 0, 0]) // it asked before the others
    flood.ends[1]!()
    await settle()
    expect(begun()).toEqual([2, 1, 1])
    for (const { ends } of [ada, bob]) ends[0]!()
    await settle()
    expect(begun()).toEqual([3, 1, 1])
    flood.ends[2]!()
    await settle()
    expect(begun()).toEqual([3, 2, 1])
  })

  test('a reader that is slow holds the others up for 10 s and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { ends, begun } = await asked(new StateBudget(), [64 * MiB, 64 * MiB])
    await vi.advanceTimersByTimeAsync(9_900)
    expect(begun()).toEqual([0])
    await vi.advanceTimersByTimeAsync(200)
    expect(begun()).toEqual([0, 1])
    ends[0]!()
    ends[1]!()
  })
})
