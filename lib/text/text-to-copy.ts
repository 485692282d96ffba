/** Returns a document's title and text as one string, for a window that can no longer save them. Knows no clipboard. */
import type * as Y from 'yjs'
import { type Block, treeOf } from './tree.ts'

/** @param writeBlocks `markdownOf`, or `plainText` where the Markdown writer cannot be loaded. */
export function textToCopy(doc: Y.Doc, writeBlocks: (blocks: readonly Block[]) => string): string {
  const title = doc.getText('title').toJSON().trim()
  const text = writeBlocks(treeOf(doc.getXmlFragment('default'))).trimEnd()
  return [title, text].filter((part) => part !== '').join('\n\n')
}
