import type { JsonNode } from '../blocks/json-node.ts'

/** The letters in a block, on one line. */
export const lettersOfJson = ({ text, content = [], type }: JsonNode): string =>
  type === 'hardBreak' ? ' ' : (text ?? content.map(lettersOfJson).join(''))

/** A paragraph of some letters, which become one line. */
export const paragraphOf = (letters: string): JsonNode =>
  letters === ''
    ? { type: 'paragraph' }
    : { type: 'paragraph', content: [{ type: 'text', text: letters.replaceAll('\n', ' ') }] }
