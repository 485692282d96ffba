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
    log.recordAppend(501, 10)
    expect([log.recordCompaction(500), log.isCompactionDue(false)]).toEqual([10, false])
    log.recordAppend(511, 489)
    expect(log.isCompactionDue(false)).toBe(false)
    log.recordAppend(1_000, 1)
    expect(log.isCompactionDue(false)).toBe(true)
  })

  test('is compacted after as many more if that failed, whatever their bytes; then as before', () => {
    const log = createLogLength(1)
    log.recordFailedCompaction()
    log.recordAppend(2, 499)
    expect(log.isCompactionDue(true)).toBe(false)
    log.recordAppend(501, 1)
    expect(log.isCompactionDue(true)).toBe(true)
    log.recordCompaction(501)
    expect([log.isCompactionDue(false), log.isCompactionDue(true)]).toEqual([false, true])
  })
})

test('belongs to this room until a number is missing between two appends', () => {
  const log = createLogLength(7, 0)
  log.recordAppend(8, 2)
  expect([log.hasOnlyOwnEdits, log.sequence]).toEqual([true, 9])
  log.recordAppend(11, 2)
  log.recordAppend(13, 1)
  expect([log.hasOnlyOwnEdits, log.sequence]).toEqual([false, 13])
})
