import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { checkUpdate } from './check-update.ts'
import { type WrittenStruct, writeUpdate } from './fixtures/update-writer.ts'
import { IntegrationCost } from './integration-cost.ts'
import { RoomDoc, integrateUpdate } from './integrate-update.ts'

const MiB = 1024 * 1024

function openCost(bytes = 0) {
  let now = 0
  return { cost: new IntegrationCost(bytes, () => now), passTime: (ms: number) => void (now += ms) }
}

describe('[A6] the processor time of an edit', () => {
  test.each([
    [0, 50],
    [MiB, 100],
    [24 * MiB, 1_250],
  ])('is, of %i bytes, %i ms', (bytes, ms) => {
    const { cost, passTime } = openCost(bytes)
    cost.measure(() => {
      passTime(ms)
      cost.checkDeadline()
      passTime(1)
      expect(() => cost.checkDeadline()).toThrow(`more than ${ms} ms of processor time`)
    })
  })

  test('is checked after 2,000 structs', () => {
    const { cost, passTime } = openCost()
    cost.measure(() => {
      passTime(51)
      cost.countSteps(1_999)
      expect(() => cost.countSteps()).toThrow('processor time')
    })
  })

  test('has a higher limit for what the edit deletes', () => {
    const { cost, passTime } = openCost()
    cost.measure(() => {
      cost.countDeletions(10_000)
      passTime(80)
      cost.checkDeadline()
      passTime(1)
      expect(() => cost.checkDeadline()).toThrow('processor time')
    })
  })

  test('does not include work for others, and includes work that threw', () => {
    const { cost, passTime } = openCost()
    const fail = (): void => {
      passTime(20)
      cost.excludeTime(() => passTime(1_000))
      throw new Error('it threw')
    }
    expect(() => cost.measure(fail)).toThrow('it threw')
    expect([cost.spentMs, cost.excessMs]).toEqual([20, 19.5])
    cost.countAllTime()
    expect(cost.excessMs).toBe(20)
  })
})

test('[A6] 65,536 items may be compared, and as many for each MiB', () => {
  const { cost } = openCost(2 * MiB)
  cost.countComparisons(3 * 65_536)
  expect(() => cost.countComparisons(1)).toThrow('among more than 196608 items')
})

describe('[A6] an edit that takes too long is stopped in the middle', () => {
  const AUTHOR = 50
  /** Each read of the clock is a second later. */
  const createExceededCost = (): IntegrationCost => {
    let now = 0
    return new IntegrationCost(0, () => (now += 1_000))
  }

  const letters = (count: number): Uint8Array => {
    const structs = Array.from({ length: count }, (_, clock): WrittenStruct => {
      const origin = clock === 0 ? null : { client: AUTHOR, clock: clock - 1 }
      return { content: { kind: 'string', text: 'x' }, origin, rightOrigin: null, parent: 'trace', key: null }
    })
    return writeUpdate({ runs: [{ client: AUTHOR, clock: 0, structs }], deletions: [] })
  }

  /** Deletes every second letter. */
  const deletions = (count: number): Uint8Array => {
    const ranges = Array.from({ length: count }, (_, index): [number, number] => [2 * index, 1])
    return writeUpdate({ runs: [], deletions: [{ client: AUTHOR, ranges }] })
  }

  const checkWithCost = (update: Uint8Array, cost: IntegrationCost, known = new Map<number, number>()) =>
    checkUpdate(known, update.slice(), undefined, cost)

  test('while its structs are read', () => {
    const cost = createExceededCost()
    expect(() => cost.measure(() => checkWithCost(letters(2_000), cost))).toThrow('processor time')
  })

  test('while its deletions are read', () => {
    const cost = createExceededCost()
    const known = new Map([[AUTHOR, 10_000]])
    expect(() => cost.measure(() => checkWithCost(deletions(2_000), cost, known))).toThrow('processor time')
  })

  test('while its structs are integrated', () => {
    const doc = new RoomDoc()
    const checked = checkWithCost(letters(4_000), new IntegrationCost(0))
    const cost = createExceededCost()
    expect(() => cost.measure(() => integrateUpdate(doc, checked, cost))).toThrow('processor time')
    expect(Y.getState(doc.store, AUTHOR)).toBeLessThan(2_000)
    expect(doc.isHalfIntegrated).toBe(true)
  })

  test('while its deletions are made', () => {
    const doc = new RoomDoc()
    integrateUpdate(doc, checkWithCost(letters(10_000), new IntegrationCost(0)))
    const checked = checkWithCost(deletions(4_000), new IntegrationCost(0), new Map([[AUTHOR, 10_000]]))
    const cost = createExceededCost()
    expect(() => cost.measure(() => integrateUpdate(doc, checked, cost))).toThrow('processor time')
    expect(doc.getText('trace').length).toBeGreaterThan(8_900)
  })
})
