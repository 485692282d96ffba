/** Gives an extension of Tiptap the schema of a definition, in place of any that it has itself. */
import type { Attribute, MarkConfig, NodeConfig } from '@tiptap/core'
import type { AttributeSpec, NodeSpec } from '@tiptap/pm/model'
import type { MarkDefinition, NodeDefinition } from '@/lib/blocks/definitions.ts'

type Attributes = Readonly<Record<string, Partial<Attribute>>>

/** @param attributes What Tiptap's commands need to know of attributes, besides the schema. */
export const nodeFields = (
  { name, schema, text }: Pick<NodeDefinition, 'name' | 'schema' | 'text'>,
  attributes: Attributes = {},
) =>
  ({
    name,
    content: schema.content as string,
    marks: schema.marks as string,
    group: schema.group as string,
    inline: schema.inline as boolean,
    atom: schema.atom as boolean,
    selectable: schema.selectable as boolean,
    draggable: schema.draggable as boolean,
    code: schema.code as boolean,
    defining: schema.defining as boolean,
    isolating: schema.isolating as boolean,
    linebreakReplacement: schema.linebreakReplacement as boolean,
    addAttributes: () => attributesOf(schema.attrs, attributes),
    parseHTML: () => schema.parseDOM,
    renderHTML: ({ node }) => schema.toDOM!(node),
    ...(text !== undefined && { renderText: () => text }),
    extendNodeSchema: (extension) => (extension.name === name ? moreOf(schema, text) : {}),
  }) satisfies Partial<NodeConfig>

/** Returns the fields of ProseMirror for which Tiptap has none. */
const moreOf = ({ tableRole }: NodeSpec, text: string | undefined) => ({
  ...(tableRole !== undefined && { tableRole: tableRole as string }),
  ...(text !== undefined && { leafText: () => text }),
})

export const markFields = ({ name, schema }: MarkDefinition) =>
  ({
    name,
    inclusive: schema.inclusive as boolean,
    excludes: schema.excludes as string,
    code: schema.code as boolean,
    addAttributes: () => attributesOf(schema.attrs),
    parseHTML: () => schema.parseDOM,
    renderHTML: ({ mark }) => schema.toDOM!(mark, true),
  }) satisfies Partial<MarkConfig>

/** The schema's own rules read and write attributes: Tiptap adds nothing to them. */
const attributesOf = (specs: Readonly<Record<string, AttributeSpec>> = {}, more: Attributes = {}) =>
  Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      {
        default: spec.default,
        ...(spec.validate !== undefined && { validate: spec.validate }),
        rendered: false,
        parseHTML: () => null,
        ...more[name],
      },
    ]),
  )
