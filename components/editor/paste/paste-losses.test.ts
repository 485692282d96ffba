import { expect, test } from 'vitest'
import { type PasteLosses, pasteLossSentence } from './paste-losses.ts'

test.each<[PasteLosses, string | null]>([
  [{}, null],
  [{ table: 0, image: 0 }, null],
  [{ image: 1 }, '1 image could not be pasted.'],
  [{ table: 2, image: 1 }, '2 tables and 1 image could not be pasted. The text of the tables is kept.'],
  [
    { table: 1, video: 1, page: 3 },
    '1 table, 1 video and 3 embedded pages could not be pasted. The text of the table is kept.',
  ],
])('%j is reported as %j', (losses, sentence) => {
  expect(pasteLossSentence(losses)).toBe(sentence)
})
