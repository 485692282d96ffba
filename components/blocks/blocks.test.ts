import { getSchema } from '@tiptap/core'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import { Schema } from '@tiptap/pm/model'
import StarterKit from '@tiptap/starter-kit'
import { expect, test } from 'vitest'
import { textSchemaSpec } from '@/lib/blocks/text-schema.ts'
import { blockExtensions } from './blocks.ts'

const rules = [
  'content',
  'group',
  'marks',
  'inline',
  'code',
  'defining',
  'selectable',
  'excludes',
  'inclusive',
]

function rulesOf(spec: Readonly<Record<string, unknown>>) {
  const defaults = Object.entries(spec['attrs'] ?? {}).map(([name, { default: value }]) => [
    name,
    value as unknown,
  ])
  return [...rules.map((rule) => spec[rule]), defaults]
}

/** The order of the blocks counts: the first that fits is what is created without a name. So does the order of the marks. */
const shapeOf = ({ nodes, marks }: Schema, rest: readonly string[] = ['doc', 'text']) => ({
  nodes: Object.values(nodes)
    .filter(({ name }) => !rest.includes(name))
    .map(({ name, spec }) => [name, rulesOf(spec)]),
  rest: rest.map((name) => rulesOf(nodes[name]!.spec)),
  marks: Object.values(marks).map(({ name, spec }) => [name, rulesOf(spec)]),
})

test('the page’s schema is that of the definitions, and has nothing else', () => {
  expect(shapeOf(getSchema(blockExtensions))).toEqual(shapeOf(new Schema(textSchemaSpec)))
})

test('all that a stock Tiptap client writes has the same place here', () => {
  const stock = getSchema([StarterKit, TaskList, TaskItem.configure({ nested: true })])
  const contentOf = ({ nodes, marks }: Schema) => ({
    nodes: Object.fromEntries(
      Object.values(nodes).map(({ name, spec: { content, group, marks: allowed, inline } }) => [
        name,
        [content, group, allowed, inline],
      ]),
    ),
    marks: Object.fromEntries(Object.keys(marks).map((name) => [name, true])),
  })
  expect(contentOf(getSchema(blockExtensions))).toMatchObject(contentOf(stock))
})
