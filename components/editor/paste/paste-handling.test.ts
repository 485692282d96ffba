import { getSchema } from '@tiptap/core'
import { Fragment, Node } from '@tiptap/pm/model'
import { EditorState, TextSelection } from '@tiptap/pm/state'
import StarterKit from '@tiptap/starter-kit'
import { expect, test } from 'vitest'
import { parseMarkdown } from '@/lib/text/from-markdown.ts'
import { closedSliceOf } from './paste-handling.ts'

const schema = getSchema([StarterKit])

test.each([
  ['after a paragraph', 'A paragraph.', 12, '<paragraph("A paragraph."), FILE>'],
  ['within a paragraph', 'One two', 4, '<paragraph("One "), FILE, paragraph("two")>'],
  ['before a paragraph', 'One', 0, '<FILE, paragraph("One")>'],
  ['in an empty paragraph', '', 0, '<FILE>'],
])('a Markdown file that is dropped %s arrives as blocks of its own', (_where, letters, offset, outcome) => {
  const text = letters ? [schema.text(letters)] : []
  const doc = Node.fromJSON(schema, {
    type: 'doc',
    content: [schema.node('paragraph', null, text).toJSON()],
  })
  const { tr } = EditorState.create({ doc, selection: TextSelection.create(doc, 1 + offset) })
  const { blocks } = parseMarkdown('# Dropped heading\n\nfrom *a file*')
  const content = Fragment.from(blocks.map((block) => schema.nodeFromJSON(block)))
  tr.replaceSelection(closedSliceOf(content))
  const file = 'heading("Dropped heading"), paragraph("from ", italic("a file"))'
  expect(tr.doc.content.toString()).toBe(outcome.replace('FILE', file))
})
