import { expect, test } from 'vitest'
import { samplesOf } from '../support/histogram.ts'
import { sumTallies, sumCounts, type CrowdTally } from './crowd-tally.ts'

const audit = (of: number) => ({ delivered: of, missing: of + 1, doubled: of + 2, disordered: of + 3 })

const part = (of: number, fields: Partial<CrowdTally> = {}): CrowdTally => ({
  sent: of,
  acknowledged: 10 * of,
  delivered: 100 * of,
  audit: audit(of),
  lost: { count: 0, why: '' },
  delivery: [samplesOf([of])],
  acknowledgement: [samplesOf([10 + of])],
  lateness: [samplesOf([20 + of])],
  perSecond: [{ sent: of, acknowledged: 3 * of, delivered: 2 * of }],
  ...fields,
})

test('the tallies of a crowd’s parts add up, and their samples stay apart', () => {
  const [one, two] = [part(1), part(2)]
  expect(sumTallies([one, two])).toEqual({
    sent: 3,
    acknowledged: 30,
    delivered: 300,
    audit: { delivered: 3, missing: 5, doubled: 7, disordered: 9 },
    lost: { count: 0, why: '' },
    delivery: [...one.delivery, ...two.delivery],
    acknowledgement: [...one.acknowledgement, ...two.acknowledgement],
    lateness: [...one.lateness, ...two.lateness],
    perSecond: [{ sent: 3, acknowledged: 9, delivered: 6 }],
  })
})

test('a second that one part did not have counts as 0', () => {
  const longer = part(5, {
    perSecond: [
      { sent: 5, acknowledged: 4, delivered: 5 },
      { sent: 1, acknowledged: 2, delivered: 9 },
    ],
  })
  expect(sumTallies([part(1), longer]).perSecond).toEqual([
    { sent: 6, acknowledged: 7, delivered: 7 },
    { sent: 1, acknowledged: 2, delivered: 9 },
  ])
})

test('lost connections are counted, and the first gives the reason', () => {
  const lost = (count: number, why: string) => part(1, { lost: { count, why } })
  expect(sumTallies([lost(0, ''), lost(2, 'reset'), lost(1, 'refused')]).lost).toEqual({
    count: 3,
    why: 'reset',
  })
})

test('no tallies add up to 0', () => {
  expect(sumTallies([])).toMatchObject({ sent: 0, perSecond: [], lost: { count: 0, why: '' } })
  expect(sumCounts([])).toEqual({ delivered: 0, missing: 0, doubled: 0, disordered: 0 })
})
