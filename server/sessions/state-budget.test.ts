import { afterEach, describe, expect, test, vi } from 'vitest'
import { StateBudget, type StateTurn } from './state-budget.ts'

const MiB = 1024 * 1024

afterEach(() => vi.useRealTimers())

/** Asks for turns; which of them have begun. */
async function asked(budget: StateBudget, sizes: readonly number[], who = 'ada') {
  const turns: (StateTurn | undefined)[] = sizes.map(() => undefined)
  for (const [index, bytes] of sizes.entries())
    void budget.take(bytes, who).then((turn) => (turns[index] = turn))
  await settle()
  return { turns, begun: () => turns.flatMap((turn, index) => (turn ? [index] : [])) }
}

/** Not by a timer, which may be a fake. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('[S6] large first states take turns', () => {
  test('at most 64 MiB at once, in the order of asking', async () => {
    const { turns, begun } = await asked(
      new StateBudget(),
      [20, 20, 20, 20, 2, 20].map((size) => size * MiB),
    )
    expect(begun()).toEqual([0, 1, 2])
    turns[1]!.end()
    await settle()
    expect(begun()).toEqual([0, 1, 2, 3, 4])
    turns[0]!.end()
    turns[0]!.end() // once
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
    const { turns, begun } = await asked(new StateBudget(), [100 * MiB, 2 * MiB])
    expect(begun()).toEqual([0])
    turns[0]!.end()
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
    flood.turns[0]!.end()
    await settle()
    expect(begun()).toEqual([2, 0, 0]) // it asked before the others
    flood.turns[1]!.end()
    await settle()
    expect(begun()).toEqual([2, 1, 1])
    for (const { turns } of [ada, bob]) turns[0]!.end()
    await settle()
    expect(begun()).toEqual([3, 1, 1])
    flood.turns[2]!.end()
    await settle()
    expect(begun()).toEqual([3, 2, 1])
  })

  test('who confirmed the last state goes before a thousand who never did, and not after leaving one', async () => {
    const budget = new StateBudget()
    const { turns } = await asked(budget, [2 * MiB], 'ada')
    turns[0]!.confirm()
    const flood = await Promise.all(
      Array.from({ length: 1_000 }, (_, guest) => asked(budget, [64 * MiB], `guest ${guest}`)),
    )
    const ada = await asked(budget, [2 * MiB], 'ada')
    const begun = () => [flood.filter((one) => one.begun().length > 0).length, ada.begun().length]
    expect(begun()).toEqual([1, 0])
    flood[0]!.turns[0]!.end()
    await settle()
    expect(begun()).toEqual([1, 1])
    ada.turns[0]!.end()
    await settle()
    expect(begun()).toEqual([2, 1])
    const again = await asked(budget, [2 * MiB], 'ada')
    flood[1]!.turns[0]!.end()
    await settle()
    expect([...begun(), again.begun().length]).toEqual([3, 1, 0])
  })

  test('a reader that is slow holds the others up for 10 s and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { turns, begun } = await asked(new StateBudget(), [64 * MiB, 64 * MiB])
    await vi.advanceTimersByTimeAsync(9_900)
    expect(begun()).toEqual([0])
    await vi.advanceTimersByTimeAsync(200)
    expect(begun()).toEqual([0, 1])
    turns[0]!.end()
    turns[1]!.end()
  })
})
