import { expect, test } from 'vitest'
import { Ledger } from './ledger.ts'

/** Authors 10, 11 and 12, of which 11 is one's own. */
const ledger = (...taken: readonly (readonly [author: number, clock: number])[]): Ledger => {
  const made = new Ledger(10, 3, 11)
  for (const [author, clock] of taken) made.take(author, clock)
  return made
}

test('each edit of the others counts once, one’s own never', () => {
  const { audit } = ledger([10, 0], [11, 0], [12, 0], [10, 1])
  expect(audit).toEqual({ delivered: 3, missing: 0, doubled: 0, disordered: 0 })
})

test('what comes twice is doubled, and not delivered again', () => {
  expect(ledger([10, 0], [10, 0], [10, 1], [10, 0]).audit).toMatchObject({ delivered: 2, doubled: 2 })
})

test('what comes behind a later one of its author is delivered, and out of order', () => {
  expect(ledger([10, 0], [10, 3], [10, 1], [10, 1]).audit).toMatchObject({
    delivered: 3,
    disordered: 1,
    doubled: 1,
  })
})

test('what is lacking is what the others wrote and did not arrive', () => {
  expect(ledger([10, 0], [10, 1], [12, 1]).lacking(2)).toBe(1)
  expect(ledger().lacking(2)).toBe(4)
})

test('an author of another document is an error', () => {
  expect(() => ledger([13, 0])).toThrow('who is not in this document')
})

test('after a jump the next of its author is due again, and what was jumped to is not missed', () => {
  const clean = { missing: 0, doubled: 0, disordered: 0 }
  expect(ledger([10, 0], [10, 3], [10, 4], [12, 0]).audit).toEqual({ delivered: 4, ...clean })
  expect(ledger([10, 3], [10, 3]).audit).toEqual({ delivered: 1, ...clean, doubled: 1 })
})
