import { expect, test } from 'vitest'
import { ClientIdBudget, DOCUMENT_ID_RATE, PRINCIPAL_ID_RATE } from './client-id-budget.ts'
import { RoomRefusal } from './rooms.ts'

function openBudget() {
  let now = 0
  const budget = new ClientIdBudget(() => now)
  return {
    passTime: (ms: number) => void (now += ms),
    /** Undefined if these new ids of the document are admitted. */
    refusalOf(principal: string, ids: number, document = 'one') {
      try {
        budget.admit(principal, document, ids)
      } catch (error) {
        if (error instanceof RoomRefusal) return error.reason
        throw error
      }
      budget.charge(principal, document, ids)
      return undefined
    },
  }
}

test('[A6] a document takes 2,000 ids of a principal at once and 10,000 of all, then one in two seconds and one a second', () => {
  expect(PRINCIPAL_ID_RATE).toEqual({ atOnce: 2_000, perSecond: 0.5 })
  expect(DOCUMENT_ID_RATE).toEqual({ atOnce: 10_000, perSecond: 1 })
})

test('[A6] a principal that brings too many waits for that document, and nobody else does', () => {
  const { passTime, refusalOf } = openBudget()
  for (let edit = 0; edit < 4; edit++) expect(refusalOf('eve', 500)).toBeUndefined()
  expect(refusalOf('eve', 1)).toMatchObject({ code: 'overloaded', retryAfterMs: 2_000 })
  expect(refusalOf('eve', 0)).toBeUndefined()
  expect(refusalOf('eve', 1, 'another')).toBeUndefined()
  expect(refusalOf('ada', 1)).toBeUndefined()
  passTime(2_000)
  expect(refusalOf('eve', 1)).toBeUndefined()
})

test('[A6] many principals together stay within the document’s limit, and lock out nobody who opens a window', () => {
  const { passTime, refusalOf } = openBudget()
  for (let eve = 0; eve < 5; eve++) expect(refusalOf(`eve ${eve}`, 2_000)).toBeUndefined()
  expect(refusalOf('mallory', 6)).toMatchObject({ code: 'overloaded', retryAfterMs: 6_000 })
  for (let window = 0; window < 5; window++) expect(refusalOf('ada', 1)).toBeUndefined()
  expect(refusalOf('ada', 1)).toMatchObject({ code: 'overloaded', retryAfterMs: 6_000 })
  passTime(6_000)
  expect(refusalOf('ada', 1)).toBeUndefined()
})
