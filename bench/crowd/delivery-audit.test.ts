import { expect, test } from 'vitest'
import { DeliveryAudit } from './delivery-audit.ts'

/** Its authors are 10, 11 and 12, and 11 is the client's own. */
const auditOf = (...received: readonly (readonly [author: number, clock: number])[]): DeliveryAudit => {
  const audit = new DeliveryAudit(10, 3, 11)
  for (const [author, clock] of received) audit.receive(author, clock)
  return audit
}

test('each edit of another author counts once, the client’s own never', () => {
  const { counts } = auditOf([10, 0], [11, 0], [12, 0], [10, 1])
  expect(counts).toEqual({ delivered: 3, missing: 0, doubled: 0, disordered: 0 })
})

test('an edit that comes twice is doubled, and not delivered again', () => {
  expect(auditOf([10, 0], [10, 0], [10, 1], [10, 0]).counts).toMatchObject({ delivered: 2, doubled: 2 })
})

test('an edit behind a later one of its author is delivered out of order', () => {
  expect(auditOf([10, 0], [10, 3], [10, 1], [10, 1]).counts).toMatchObject({
    delivered: 3,
    disordered: 1,
    doubled: 1,
  })
})

test('edits of others that did not arrive are missing', () => {
  expect(auditOf([10, 0], [10, 1], [12, 1]).missingOf(2)).toBe(1)
  expect(auditOf().missingOf(2)).toBe(4)
})

test('an author of another document is an error', () => {
  expect(() => auditOf([13, 0])).toThrow('who is not in this document')
})

test('after an edit that overtook others, the next of its author is due', () => {
  const clean = { missing: 0, doubled: 0, disordered: 0 }
  expect(auditOf([10, 0], [10, 3], [10, 4], [12, 0]).counts).toEqual({ delivered: 4, ...clean })
  expect(auditOf([10, 3], [10, 3]).counts).toEqual({ delivered: 1, ...clean, doubled: 1 })
})
