import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeBlock } from '../block.contract.ts'
import { hostileValues } from '../fixtures/hostile-values.ts'
import { date, dayFromToday, dayOf, shownDay } from './date.ts'

describeBlock(date, {
  attributes: fc.record({ day: fc.constantFrom('2026-11-28', '2024-02-29', '1900-01-01') }),
})

test.each(hostileValues)('%s is no day', (_label, day) => {
  expect(dayOf({ day })).toBeNull()
})

test.each(['2026-02-29', '2026-13-01', '2026-1-1', '20260101', '2026-01-01T00:00', '0000-00-00'])(
  '%s is no day of the calendar',
  (day) => {
    expect(dayOf({ day })).toBeNull()
  },
)

test('days are counted where the person is, over the ends of months and of summer time', () => {
  expect(dayFromToday(0, new Date(2026, 10, 30, 23, 59))).toBe('2026-11-30')
  expect(dayFromToday(1, new Date(2026, 11, 31, 0, 1))).toBe('2027-01-01')
  expect(dayFromToday(-1, new Date(2026, 2, 1))).toBe('2026-02-28')
})

test('a day is shown in the language of its reader, the same in every time zone', () => {
  expect(shownDay('2026-11-28', 'en')).toBe('Nov 28, 2026')
  expect(shownDay('2026-11-28', 'de')).toBe('28.11.2026')
})
