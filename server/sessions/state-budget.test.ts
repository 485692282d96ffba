import { afterEach, describe, expect, test, vi } from 'vitest'
import { StateBudget } from './state-budget.ts'

const MiB = 1024 * 1024

afterEach(() => vi.useRealTimers())

/** Asks for turns; which of them have begun, and their ends. */
async function asked(budget: StateBudget, sizes: readonly number[]) {
  const ends: ((() => void) | undefined)[] = sizes.map(() => undefined)
  for (const [index, bytes] of sizes.entries()) void budget.take(bytes).then((end) => (ends[index] = end))
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
