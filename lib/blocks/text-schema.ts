import type { MarkSpec, NodeSpec, SchemaSpec } from 'prosemirror-model'
import { blocks, marks } from './blocks.ts'
import type { NodeDefinition } from './definitions.ts'

/** The text as a whole, and its letters. */
export const rootNodes: readonly Pick<NodeDefinition, 'name' | 'schema'>[] = [
  { name: 'doc', schema: { content: 'block+' } },
  { name: 'text', schema: { group: 'inline' } },
]

const specsOf = <Spec>(definitions: readonly { readonly name: string; readonly schema: Spec }[]) =>
  Object.fromEntries(definitions.map(({ name, schema }): [string, Spec] => [name, schema]))

/** What a stored text may contain. A page may show more (components/blocks/blocks.ts), and stores none of that. */
export const textSchemaSpec: SchemaSpec = {
  topNode: 'doc',
  nodes: specsOf<NodeSpec>([...rootNodes, ...blocks]),
  marks: specsOf<MarkSpec>(marks),
}
