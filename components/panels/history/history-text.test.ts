import { describe, expect, test } from 'vitest'
import { marksChangeText, summaryText } from './history-text.ts'

describe("the history's texts", () => {
  test.each([
    [{ blocks: 0, added: 0, removed: 0 }, 'The text is the same.'],
    [{ blocks: 1, added: 1, removed: 0 }, '1 change: 1 word added'],
    [{ blocks: 3, added: 12, removed: 4 }, '3 changes: 12 words added, 4 removed'],
    [{ blocks: 2, added: 0, removed: 0 }, '2 changes'],
    [{ blocks: 1, added: 0, removed: 1 }, '1 change: 1 word removed'],
  ])('%j', (summary, expected) => expect(summaryText(summary)).toBe(expected))

  test('changed marks are described', () => {
    expect(marksChangeText({}, { bold: {} })).toBe('was plain, now bold')
    expect(marksChangeText({ link: { href: 'a' } }, { link: { href: 'b' } })).toBe('the link changed')
  })
})
