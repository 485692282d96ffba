import { expect, test } from 'vitest'
import { match } from './match.ts'
import type { ReaderRecord, WriterRecord } from './edit-recorder.ts'

const writer = (clocks: number[], keys = clocks.length): WriterRecord => ({
  timeOrigin: 1000,
  client: 7,
  keys: Array.from({ length: keys }, (_, index) => index * 10),
  edits: clocks.map((clock, index) => ({
    clock,
    edited: index * 10 + 1,
    sent: index * 10 + 2,
    answered: index * 10 + 5,
  })),
})

const reader = (...clocks: [client: number, clock: number][][]): ReaderRecord => ({
  timeOrigin: 990,
  arrivals: clocks.map((of, index) => ({
    clocks: of,
    applied: index * 10 + 13,
    rendered: index * 10 + 14,
    painted: index * 10 + 18,
  })),
})

test('each key finds its edit’s arrival, on one clock', () => {
  const [first, second] = match(writer([1, 2]), reader([[7, 1]], [[7, 2]]))
  expect(first).toEqual({
    key: 1000,
    edited: 1001,
    sent: 1002,
    answered: 1005,
    applied: 1003,
    rendered: 1004,
    painted: 1008,
  })
  expect(second).toMatchObject({ key: 1010, applied: 1013 })
})

test('changes by others are not taken for it, and edits that came together arrived together', () => {
  const times = match(
    writer([1, 2]),
    reader(
      [[8, 5]],
      [
        [8, 6],
        [7, 2],
      ],
    ),
  ).map(({ applied }) => applied)
  expect(times).toEqual([1013, 1013])
})

test('an edit that did not arrive, or a key that made none, is no measurement', () => {
  expect(() => match(writer([1, 2]), reader([[7, 1]]))).toThrow('the edit up to clock 2 did not arrive')
  expect(() => match(writer([1], 2), reader([[7, 1]]))).toThrow('2 keys made 1 edits')
})
