import { expect, test } from 'vitest'
import { DOCUMENT, documentOf, ORIGIN, sourceOf } from './fixtures/export-sources.ts'
import { CARD_FILE, PICTURE_FILE } from './fixtures/random-documents.ts'
import { writeMarkdownFile } from './write-markdown.ts'

const picture = {
  type: 'picture',
  attrs: { file: PICTURE_FILE, name: 'a.png', alt: 'A dot' },
  content: [{ type: 'caption', content: [{ type: 'text', text: 'Below' }] }],
}
const card = {
  type: 'fileCard',
  attrs: { file: CARD_FILE, name: 'b.pdf' },
  content: [{ type: 'caption', content: [{ type: 'text', text: 'Report' }] }],
}
const mention = (attrs: object) => ({
  type: 'paragraph',
  content: [{ type: 'mention', attrs: { ...attrs } }],
})

const source = sourceOf(
  documentOf(
    { type: 'blockquote', content: [picture] },
    card,
    mention({ kind: 'person', id: 'user:ada', label: 'Ada' }),
    mention({ kind: 'document', id: DOCUMENT, label: 'Plan' }),
  ),
)

test('files and documents are named by addresses that other programs can follow', () => {
  expect(writeMarkdownFile(source, (file) => `files/${file}.png`)).toBe(`# A title

> ![A dot](files/${PICTURE_FILE}.png "Below")

[Report](files/${CARD_FILE}.png)

@Ada

[Plan](${ORIGIN}/d/${DOCUMENT})
`)
})

test('what nobody has is named in words', () => {
  const written = writeMarkdownFile(source, () => null)
  expect(written).toContain('> Picture: A dot – Below\n\nReport\n')
})
