import { afterEach, describe, expect, test, vi } from 'vitest'
import { StateBudget, type StatePermit } from './state-budget.ts'
import { settle } from '../../lib/fixtures/wait.ts'

const MiB = 1024 * 1024

afterEach(() => vi.useRealTimers())

/** Requests permits, and records which of them have begun. */
async function requestPermits(budget: StateBudget, sizes: readonly number[], who = 'ada') {
  const permits: (StatePermit | undefined)[] = sizes.map(() => undefined)
  for (const [index, bytes] of sizes.entries())
    void budget.acquire(bytes, who).then((permit) => (permits[index] = permit))
  await settle()
  return { permits, grantedIndices: () => permits.flatMap((permit, index) => (permit ? [index] : [])) }
}

/** Uses no timer, which may be a fake. */
describe('[S6] large first states are sent a few at a time', () => {
  test('at most 64 MiB at once, in the order of the requests', async () => {
    const { permits, grantedIndices } = await requestPermits(
      new StateBudget(),
      [20, 20, 20, 20, 2, 20].map((size) => size * MiB),
    )
    expect(grantedIndices()).toEqual([0, 1, 2])
    permits[1]!.release()
    await settle()
    expect(grantedIndices()).toEqual([0, 1, 2, 3, 4])
    permits[0]!.release()
    permits[0]!.release() // once
    await settle()
    expect(grantedIndices()).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('small ones never wait', async () => {
    const budget = new StateBudget()
    const { grantedIndices } = await requestPermits(budget, [64 * MiB, MiB, 1, 2 * MiB])
    expect(grantedIndices()).toEqual([0, 1, 2])
    expect(budget.inFlight).toBe(64 * MiB)
  })

  test('one above the whole budget is sent alone', async () => {
    const { permits, grantedIndices } = await requestPermits(new StateBudget(), [100 * MiB, 2 * MiB])
    expect(grantedIndices()).toEqual([0])
    permits[0]!.release()
    await settle()
    expect(grantedIndices()).toEqual([0, 1])
  })

  test('a principal with a hundred requests gets one turn between two of everybody else', async () => {
    const budget = new StateBudget()
    const flood = await requestPermits(budget, Array<number>(100).fill(64 * MiB), 'mallory')
    const ada = await requestPermits(budget, [2 * MiB, 2 * MiB], 'ada')
    const bob = await requestPermits(budget, [2 * MiB], 'bob')
    const grantedIndices = () => [flood, ada, bob].map((one) => one.grantedIndices().length)
    expect(grantedIndices()).toEqual([1, 0, 0])
    flood.permits[0]!.release()
    await settle()
    expect(grantedIndices()).toEqual([2, 0, 0]) // its request came before the others
    flood.permits[1]!.release()
    await settle()
    expect(grantedIndices()).toEqual([2, 1, 1])
    for (const { permits } of [ada, bob]) permits[0]!.release()
    await settle()
    expect(grantedIndices()).toEqual([3, 1, 1])
    flood.permits[2]!.release()
    await settle()
    expect(grantedIndices()).toEqual([3, 2, 1])
  })

  test('a principal that acknowledged its last state goes before a thousand that never did, but not after it left one', async () => {
    const budget = new StateBudget()
    const { permits } = await requestPermits(budget, [2 * MiB], 'ada')
    permits[0]!.acknowledge()
    const flood = await Promise.all(
      Array.from({ length: 1_000 }, (_, guest) => requestPermits(budget, [64 * MiB], `guest ${guest}`)),
    )
    const ada = await requestPermits(budget, [2 * MiB], 'ada')
    const grantedIndices = () => [
      flood.filter((one) => one.grantedIndices().length > 0).length,
      ada.grantedIndices().length,
    ]
    expect(grantedIndices()).toEqual([1, 0])
    flood[0]!.permits[0]!.release()
    await settle()
    expect(grantedIndices()).toEqual([1, 1])
    ada.permits[0]!.release()
    await settle()
    expect(grantedIndices()).toEqual([2, 1])
    const again = await requestPermits(budget, [2 * MiB], 'ada')
    flood[1]!.permits[0]!.release()
    await settle()
    expect([...grantedIndices(), again.grantedIndices().length]).toEqual([3, 1, 0])
  })

  test('a slow reader holds up the others for 10 s and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { permits, grantedIndices } = await requestPermits(new StateBudget(), [64 * MiB, 64 * MiB])
    await vi.advanceTimersByTimeAsync(9_900)
    expect(grantedIndices()).toEqual([0])
    await vi.advanceTimersByTimeAsync(200)
    expect(grantedIndices()).toEqual([0, 1])
    permits[0]!.release()
    permits[1]!.release()
  })
})
