import { expect, test } from 'vitest'
import { isDocumentId, newDocumentId } from './ids.ts'

test('a document id carries 128 random bits in one spelling', () => {
  const ids = new Set(Array.from({ length: 2000 }, newDocumentId))
  expect(ids.size).toBe(2000)
  for (const id of ids) {
    expect(isDocumentId(id)).toBe(true)
    expect(id).not.toMatch(/^-/)
    expect(Buffer.from(id, 'base64url')).toHaveLength(16)
    expect(Buffer.from(id, 'base64url').toString('base64url')).toBe(id)
  }
  const everyCharacter = new Set([...ids].join(''))
  expect(everyCharacter.size).toBe(64)
})

test.each([
  '',
  'x',
  '../../etc/passwd',
  'a'.repeat(21),
  'a'.repeat(23),
  `${'a'.repeat(21)}B`,
  `${'a'.repeat(21)}A\n`,
])('is not a document id: %j', (text) => expect(isDocumentId(text)).toBe(false))
