/**
 * Whether a merge of a whole proposal gives what its review shows. A merge follows the letters of Yjs; a review finds words and blocks again
 * that the original has written anew or moved, and there a merge would bring them twice, or put them into what is deleted.
 */
import * as Y from 'yjs'
import { contentKeyOf } from '../text/align-nodes.ts'
import { storedTreeOf } from '../text/tree.ts'
import { amountIn } from '../yjs-internals/struct-store.ts'
import { acceptChanges, type ProposalTexts, type ProposedChange } from './proposed-changes.ts'

/** Costs nothing where nobody has written in the original since the proposal began; else it makes two copies of it. */
export function mergesAsShown(texts: ProposalTexts, changes: readonly ProposedChange[]): boolean {
  const [before, now] = [amountIn(texts.base), amountIn(texts.original)]
  if (before.written === now.written && before.deleted === now.deleted) return true
  const state = Y.encodeStateAsUpdate(texts.original)
  const [merged, shown] = [docOf(state), docOf(state)]
  Y.applyUpdate(merged, Y.encodeStateAsUpdate(texts.proposal))
  acceptChanges({ ...texts, original: shown }, changes)
  return contentOf(merged) === contentOf(shown)
}

function docOf(update: Uint8Array): Y.Doc {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, update)
  return doc
}

/** Alike for texts that look alike. */
const contentOf = (doc: Y.Doc): string =>
  JSON.stringify([
    doc.getText('title').toDelta(),
    storedTreeOf(doc.getXmlFragment('default')).map((block) => contentKeyOf(block)),
  ])
