/** A caption on one line and without marks, where Markdown has room for no more. */
import type { PhrasingContent } from 'mdast'
import { blocksTextOf } from '../../text/plain-text.ts'
import type { Block } from '../../text/tree.ts'

export const captionLineOf = ({ children }: Block): string => onOneLine(blocksTextOf(children))

/** The letters in a node of the parser. */
export const lettersIn = (node: PhrasingContent): string => onOneLine(readLetters(node))

const readLetters = (node: PhrasingContent): string => {
  if ('children' in node) return node.children.map(readLetters).join('')
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? ''
  return 'value' in node ? node.value : ' '
}

const onOneLine = (text: string): string => text.replaceAll('\0', '\uFFFD').replaceAll(/\s+/g, ' ').trim()
