import type { JSONContent } from '@tiptap/core'
import * as Y from 'yjs'

/**
 * The content to create an editor with: the way to the first text of the shared text, where that is within a list or a quote. The binding
 * draws the shared text afterwards and puts the caret at the number that it had, which must be within a text both times.
 */
export const initialContentOf = (fragment: Y.XmlFragment): JSONContent | undefined => {
  const [block] = blocksTo(fragment)
  return block?.content ? { type: 'doc', content: [block] } : undefined
}

function blocksTo(parent: Y.XmlFragment): JSONContent[] {
  const first = parent.length > 0 ? parent.get(0) : undefined
  if (!(first instanceof Y.XmlElement)) return []
  const content = blocksTo(first)
  return [{ type: first.nodeName, ...(content.length > 0 && { content }) }]
}
