import { Node } from '@tiptap/pm/model'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textSchema } from '../blocks/fixtures/block-documents.ts'
import { documentOf, sourceOf } from './fixtures/export-sources.ts'
import { anyDocument } from './fixtures/random-documents.ts'
import { writeJson } from './write-json.ts'

const read = (json: string) => JSON.parse(json) as Record<string, never>

test('JSON leads back to the same text, whatever its blocks are', () => {
  fc.assert(
    fc.property(anyDocument, (doc) => {
      const { text } = read(writeJson(sourceOf(doc)))
      expect(Node.fromJSON(textSchema, text).toJSON()).toEqual(doc.toJSON())
    }),
    { numRuns: 100 },
  )
})

test('it has the title, a version, and comments with their place', () => {
  const doc = documentOf({ type: 'paragraph', content: [{ type: 'text', text: 'one two three' }] })
  expect(read(writeJson(sourceOf(doc, { commentOn: 'two' })))).toMatchObject({
    format: 'diptych',
    version: 1,
    title: 'A title',
    comments: [
      {
        quote: 'two',
        range: { from: { line: 0, offset: 4 }, to: { line: 0, offset: 7 } },
        messages: [{ author: 'Bo', text: 'Why?' }],
      },
    ],
  })
})

test('files are listed where the text shows them', () => {
  const doc = documentOf({ type: 'paragraph', content: [{ type: 'text', text: 'none' }] })
  expect(read(writeJson(sourceOf(doc)))['files']).toEqual([])
})
