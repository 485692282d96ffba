import type { JsonNode } from '../json-node.ts'

export const createCaption = (line: string): JsonNode => ({
  type: 'caption',
  ...(line !== '' && { content: [{ type: 'text', text: line }] }),
})
