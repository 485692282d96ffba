import type { Schema } from '@tiptap/pm/model'
import { expect, test } from 'vitest'
import { textSchema as importSchema } from '@/server/foreign-documents/text-schema.ts'
import { textSchema } from './schema-extensions.ts'

const shapeOf = ({ nodes, marks }: Schema) => ({
  nodes: Object.fromEntries(
    Object.entries(nodes).map(([name, { spec }]) => [
      name,
      { content: spec.content, group: spec.group, marks: spec.marks, inline: spec.inline },
    ]),
  ),
  marks: Object.keys(marks).toSorted(),
})

test('an import accepts what the editor’s own schema accepts', () => {
  expect(shapeOf(importSchema)).toEqual(shapeOf(textSchema))
})
