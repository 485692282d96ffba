import { expect, test } from 'vitest'
import { pairHashOf, readPairHash } from './version-pair.ts'

test('the address of a window names its version and the one in the other window', () => {
  const pair = { version: 'abc', other: 'x-y_z' }
  expect(readPairHash(pairHashOf(pair))).toEqual(pair)
})

test.each(['', '#', '#at=abc', '#version=abc', '#other=abc', '#version=&other=b'])(
  'the fragment %j names no two versions',
  (hash) => expect(readPairHash(hash)).toBeNull(),
)
