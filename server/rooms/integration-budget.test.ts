import { describe, expect, test } from 'vitest'
import { DOCUMENT_WORK_RATE, IntegrationBudget, PRINCIPAL_WORK_RATE } from './integration-budget.ts'
import { RoomRefusal } from './rooms.ts'

function openBudget() {
  let now = 0
  const budget = new IntegrationBudget(() => now)
  return {
    budget,
    passTime: (ms: number) => void (now += ms),
    /** Undefined if it may send. */
    refusalOf(principal: string, document = 'one') {
      try {
        budget.admit(principal, document)
        return undefined
      } catch (error) {
        if (error instanceof RoomRefusal) return error.reason
        throw error
      }
    },
  }
}

describe('[A6] the cost of edits', () => {
  test('is limited to a tenth of a core for a principal, and to twice as much for a document', () => {
    expect(PRINCIPAL_WORK_RATE).toEqual({ atOnce: 2_000_000, perSecond: 100_000 })
    expect(DOCUMENT_WORK_RATE).toEqual({ atOnce: 4_000_000, perSecond: 200_000 })
  })

  test('is not charged for ordinary edits, however many there are', () => {
    const { budget, refusalOf } = openBudget()
    for (let edit = 0; edit < 100_000; edit++) budget.charge('ada', 'one', 0)
    expect(refusalOf('ada')).toBeUndefined()
  })

  test('makes a principal over its budget wait in every document until the budget is there again', () => {
    const { budget, passTime, refusalOf } = openBudget()
    budget.charge('eve', 'one', PRINCIPAL_WORK_RATE.atOnce + 500_000)
    const waitMs = (501_000 / PRINCIPAL_WORK_RATE.perSecond) * 1_000 // until a thousand units are left
    const reason = { code: 'overloaded', retryAfterMs: waitMs }
    expect(refusalOf('eve')).toMatchObject(reason)
    expect(refusalOf('eve', 'another')).toMatchObject(reason)
    expect(refusalOf('ada')).toBeUndefined()
    passTime(waitMs + 1)
    expect(refusalOf('eve')).toBeUndefined()
  })

  test('makes those wait who empty one document’s budget together, but nobody who just types', () => {
    const { budget, passTime, refusalOf } = openBudget()
    const strangers = Array.from({ length: 10 }, (_, index) => `stranger ${index}`)
    for (const stranger of strangers) budget.charge(stranger, 'one', DOCUMENT_WORK_RATE.atOnce / 10)
    expect(strangers.map((stranger) => refusalOf(stranger)?.code)).toEqual(strangers.map(() => 'overloaded'))
    expect(refusalOf(strangers[0]!, 'another')).toBeUndefined()
    budget.charge('ada', 'one', 20_000)
    expect(refusalOf('ada')).toBeUndefined()
    passTime(110)
    expect(refusalOf(strangers[0]!)).toBeUndefined()
  })

  test('is a debt that ends', () => {
    const { budget, passTime, refusalOf } = openBudget()
    budget.charge('eve', 'one', 10 * 60_000_000)
    passTime(((PRINCIPAL_WORK_RATE.atOnce + 1_000) / PRINCIPAL_WORK_RATE.perSecond) * 1_000 + 1)
    expect(refusalOf('eve')).toBeUndefined()
  })
})
