/** What the schema draws for attributes as they are stored. Knows no document of ProseMirror. */
import type { DOMOutputSpec, Mark, Node } from 'prosemirror-model'
import type { MarkDefinition, NodeDefinition, StoredAttributes } from './definitions.ts'

export const drawBlock = ({ schema }: NodeDefinition, attrs: StoredAttributes): DOMOutputSpec =>
  schema.toDOM!({ attrs } as unknown as Node)

export const drawMark = ({ schema }: MarkDefinition, attrs: StoredAttributes): DOMOutputSpec =>
  schema.toDOM!({ attrs } as unknown as Mark, true)
