import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanFileName, createFileId, fileIdOf, readFileAddress, writeFileAddress } from './file-reference.ts'

test('an id is read as what it is, and anything else as none', () => {
  const id = createFileId()
  expect(fileIdOf({ file: id })).toBe(id)
  for (const file of [`${id}A`, id.slice(1), '', null, 7, [id], { toString: () => id }])
    expect(fileIdOf({ file })).toBe('')
})

test.each([
  ['cat.png', 'cat.png'],
  ['../../etc/passwd', '.. .. etc passwd'],
  ['C:\\Users\\a.exe', 'C Users a.exe'],
  ['a\u202Egpj.exe', 'a gpj.exe'],
  ['a\n\0b.txt', 'a b.txt'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(116)}.pdf`],
  ['\uD800.png', '\uFFFD.png'],
  ['猫.png', '猫.png'],
])('the name %j is kept as %j', (name, cleaned) => {
  expect(cleanFileName(name)).toBe(cleaned)
})

test('an address leads back to what it was made of', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 20 }).map(cleanFileName),
      fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 3 }),
      (name, details) => {
        const address = { file: createFileId(), name, details }
        expect(readFileAddress(writeFileAddress(address))).toEqual(address)
      },
    ),
  )
})

test.each(['https://example.org/', 'diptych-file:short/a', 'diptych-file:', 'javascript:alert(1)'])(
  '%j names no file',
  (address) => expect(readFileAddress(address)).toBeNull(),
)

test('an address of damaged signs names a file without a name', () => {
  expect(readFileAddress('diptych-file:AAAAAAAAAAAAAAAAAAAAAA/%E0%A4%A#%')).toEqual({
    file: 'AAAAAAAAAAAAAAAAAAAAAA',
    name: '',
    details: [''],
  })
})
