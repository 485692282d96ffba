import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeBlock } from '../block.contract.ts'
import { fileCard, fileLabelOf } from './file-card.ts'

describeBlock(fileCard, {
  attributes: fc.record({
    file: fc.stringMatching(/^[\w-]{22}$/),
    name: fc.constantFrom('', 'a.pdf', 'Plan (2) – 100 %.docx'),
    type: fc.constantFrom('', 'application/pdf', 'application/vnd.oasis.opendocument.text'),
    bytes: fc.constantFrom(null, 0, 12_345),
  }),
})

test.each([
  [{ name: 'a.pdf', bytes: 1_234_567 }, 'PDF, 1.2 MB'],
  [{ name: 'a.tar.gz', bytes: 999 }, 'GZ, 999 bytes'],
  [{ name: 'LICENSE', bytes: 12_000 }, 'File, 12 kB'],
  [{ name: 'a.txt' }, 'TXT'],
  [{ bytes: 0 }, 'File, 0 bytes'],
])('%j is labelled %j', (attributes, label) => {
  expect(fileLabelOf(attributes)).toBe(label)
})
