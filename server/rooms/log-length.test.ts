import { describe, expect, test } from 'vitest'
import { LogLength } from './log-length.ts'

const loaded = (sequence: number, logLength = sequence) => new LogLength({ sequence, logLength })

describe('[D5] a log is worth a compaction', () => {
  test.each<[what: string, entries: number, isTopHeavy: boolean, isLong: boolean]>([
    ['from 500 edits on', 500, false, true],
    ['not before', 499, false, false],
    ['or with more bytes than its snapshot has', 1, true, true],
  ])('%s', (_what, entries, isTopHeavy, isLong) => {
    expect(loaded(entries).isLong(isTopHeavy)).toBe(isLong)
  })

  test('again after as many more, counted from what the snapshot left', () => {
    const log = loaded(500)
    log.appended(501, 10)
    expect([log.compacted(500), log.isLong(false)]).toEqual([10, false])
    log.appended(511, 489)
    expect(log.isLong(false)).toBe(false)
    log.appended(1_000, 1)
    expect(log.isLong(false)).toBe(true)
  })

  test('where it could not be shortened after as many more, however many bytes they are; then as before', () => {
    const log = loaded(1)
    log.notCompacted()
    log.appended(2, 499)
    expect(log.isLong(true)).toBe(false)
    log.appended(501, 1)
    expect(log.isLong(true)).toBe(true)
    log.compacted(501)
    expect([log.isLong(false), log.isLong(true)]).toEqual([false, true])
  })
})

test('it is this room’s own until a number is missing between two appends', () => {
  const log = loaded(7, 0)
  log.appended(8, 2)
  expect([log.isOurs, log.sequence]).toEqual([true, 9])
  log.appended(11, 2)
  log.appended(13, 1)
  expect([log.isOurs, log.sequence]).toEqual([false, 13])
})
