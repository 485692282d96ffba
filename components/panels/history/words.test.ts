import { describe, expect, test } from 'vitest'
import { changeOfMarks, summaryWords } from './words.ts'

describe('what the history says', () => {
  test.each([
    [{ blocks: 0, added: 0, removed: 0 }, 'The text is the same.'],
    [{ blocks: 1, added: 1, removed: 0 }, '1 place differs: 1 word came.'],
    [{ blocks: 3, added: 12, removed: 4 }, '3 places differ: 12 words came, 4 words went.'],
    [{ blocks: 2, added: 0, removed: 0 }, '2 places differ.'],
  ])('%j', (summary, expected) => expect(summaryWords(summary)).toBe(expected))

  test('of letters that carry other marks', () => {
    expect(changeOfMarks({}, { bold: {} })).toBe('was plain, now bold')
    expect(changeOfMarks({ link: { href: 'a' } }, { link: { href: 'b' } })).toBe('the link changed')
  })
})
