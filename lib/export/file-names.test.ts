import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { safeFileName, UniqueNames } from './file-names.ts'

describe('a name for a file', () => {
  test.each([
    ['../../etc/passwd', 'etc passwd'],
    ['..\\..\\a', 'a'],
    ['a/b:c*d?"<>|', 'a b c d'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['com1', '_com1'],
    ['.htaccess', 'htaccess'],
    ['name. ', 'name'],
    ['a\u202Egpj.exe', 'a gpj.exe'],
    ['', 'Untitled'],
    ['...', 'Untitled'],
    ['\0\n', 'Untitled'],
  ])('%j is %j', (name, expected) => {
    expect(safeFileName(name, 'Untitled')).toBe(expected)
  })

  test('is never a path, a device or longer than a file system takes, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const safe = safeFileName(name, 'Untitled')
        expect(safe).not.toMatch(/[/\\\p{Cc}]|^\.|[. ]$|^(?:con|nul|aux|prn)$/iu)
        expect(Buffer.byteLength(`${safe} (99).html`)).toBeLessThan(500)
        expect(safe.isWellFormed()).toBe(true)
        expect(safe).not.toBe('')
      }),
    )
  })
})

describe('names that are each once', () => {
  test('are told apart as a file system does', () => {
    const names = new UniqueNames()
    expect(['a.png', 'A.png', 'a (2).png', 'a.png', 'b', 'B'].map((name) => names.add(name))).toEqual([
      'a.png',
      'A (2).png',
      'a (2) (2).png',
      'a (3).png',
      'b',
      'B (2)',
    ])
  })

  test('10,000 of the same are 10,000', () => {
    const names = new UniqueNames()
    expect(new Set(Array.from({ length: 10_000 }, () => names.add('a.png'))).size).toBe(10_000)
  })
})
