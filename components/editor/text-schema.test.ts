import { Schema } from '@tiptap/pm/model'
import { expect, test } from 'vitest'
import { textSchema } from '@/server/foreign-documents/text-schema.ts'
import { schemaNames } from './extensions.ts'

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
  expect(schemaNames).toBeInstanceOf(Schema)
  expect(shapeOf(textSchema)).toEqual(shapeOf(schemaNames as unknown as Schema))
})
