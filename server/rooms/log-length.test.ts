import { describe, expect, test } from 'vitest'
import { LogLength } from './log-length.ts'

const createLogLength = (sequence: number, logLength = sequence) => new LogLength({ sequence, logLength })

describe('[D5] a log is worth a compaction', () => {
  test.each<[what: string, entries: number, isTopHeavy: boolean, isLong: boolean]>([
    ['from 500 edits on', 500, false, true],
    ['not before', 499, false, false],
    ['or with more bytes than its snapshot has', 1, true, true],
  ])('%s', (_what, entries, isLogLargerThanSnapshot, isDue) => {
    expect(createLogLength(entries).isCompactionDue(isLogLargerThanSnapshot)).toBe(isDue)
  })

  test('from as many edits on as are set', () => {
    expect(new LogLength({ sequence: 10, logLength: 10 }, 10).isCompactionDue(false)).toBe(true)
    expect(new LogLength({ sequence: 9, logLength: 9 }, 10).isCompactionDue(false)).toBe(false)
  })

  test('is compacted again after as many more, counted from the end of the snapshot', () => {
    const log = createLogLength(500)
    log.record(501, 10)
    log.recordCompaction(500)
    expect(log.isCompactionDue(false)).toBe(false)
    log.record(511, 489)
    expect(log.isCompactionDue(false)).toBe(false)
    log.record(1_000, 1)
    expect(log.isCompactionDue(false)).toBe(true)
  })

  test('is compacted after as many more if that failed, whatever their bytes; then as before', () => {
    const log = createLogLength(1)
    log.recordFailedCompaction()
    log.record(2, 499)
    expect(log.isCompactionDue(true)).toBe(false)
    log.record(501, 1)
    expect(log.isCompactionDue(true)).toBe(true)
    log.recordCompaction(501)
    expect([log.isCompactionDue(false), log.isCompactionDue(true)]).toEqual([false, true])
  })
})

describe('[D10] where several nodes append', () => {
  test('a gap stays open until its entries are recorded, in whatever order', () => {
    const log = createLogLength(7, 0)
    log.record(8, 2)
    expect([log.hasGap, log.sequence]).toEqual([false, 9])
    log.record(14, 1)
    log.record(11, 2)
    expect([log.hasGap, log.sequence]).toEqual([true, 9])
    expect([9, 10, 11, 12, 13, 14, 15].filter((sequence) => log.knows(sequence))).toEqual([9, 11, 12, 14])
    log.record(10, 1)
    expect([log.hasGap, log.sequence]).toEqual([true, 12])
    log.record(13, 1)
    expect([log.hasGap, log.sequence]).toEqual([false, 14])
  })

  test('entries that a snapshot of another node contains do not count', () => {
    const log = createLogLength(0)
    log.recordCompaction(400)
    log.record(1, 899)
    expect(log.isCompactionDue(false)).toBe(false)
    log.record(900, 1)
    expect(log.isCompactionDue(false)).toBe(true)
  })
})
