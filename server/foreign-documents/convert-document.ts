/**
 * Turns a document of another program into one that the editor can open: its text is moved to the root that the editor reads, and all
 * is checked as edits of windows are. It knows Yjs; it does not know the store.
 */
import * as Y from 'yjs'
import { MAX_DOCUMENT_BYTES } from '../../lib/protocol/limits.ts'
import { firstItemOf, valuesByKeyOf } from '../../lib/yjs-internals/shared-type.ts'
import { hasPendingStructs } from '../../lib/yjs-internals/struct-store.ts'
import { MAX_TITLE_LENGTH } from '../api/document-rows.ts'
import { writeTitle } from '../store/write-title.ts'
import { checkUpdate } from '../rooms/check-update.ts'
import { integrateUpdate, RoomDoc } from '../rooms/integrate-update.ts'
import { RoomRefusal } from '../rooms/rooms.ts'
import { piecesOf } from '../rooms/text-pieces.ts'
import type { MergedState } from '../store/document-merger.ts'
import type { ForeignDocument } from './foreign-document.ts'

/** The root that the editor reads; Tiptap writes it, too, also with Hocuspocus. */
const TEXT_ROOT = 'default'
const TITLE_ROOT = 'title'
/** Where y-prosemirror's examples keep their text. */
const OTHER_TEXT_ROOTS = ['prosemirror']

export interface ConvertedDocument extends MergedState {
  readonly title: string
}

/** Why a document stays out: ends a sentence that names it. */
export class UnsuitableDocument extends Error {
  override readonly name = 'UnsuitableDocument'
}

/**
 * @param textRoot Where the text is, for a program that keeps it elsewhere.
 * @throws {UnsuitableDocument}
 */
export function convertDocument({ name, updates }: ForeignDocument, textRoot?: string): ConvertedDocument {
  const doc = mergeUpdates(updates)
  moveRoots(doc, textRoot === undefined ? OTHER_TEXT_ROOTS : [textRoot])
  const checked = checkAsEdits(Y.encodeStateAsUpdate(doc))
  const title = checked.getText(TITLE_ROOT).toJSON().trim() || titleOf(name)
  writeTitle(checked, title)
  const state = Y.encodeStateAsUpdate(checked).slice()
  if (state.length > MAX_DOCUMENT_BYTES)
    throw new UnsuitableDocument(`it has ${state.length} bytes, and ${MAX_DOCUMENT_BYTES} is the most`)
  return { title, state, stateVector: Y.encodeStateVector(checked).slice() }
}

const titleOf = (name: string): string =>
  name.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH).toWellFormed()

function mergeUpdates(updates: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  try {
    doc.transact((transaction) => {
      for (const update of updates) Y.applyUpdate(doc, update)
      // A remote transaction would make Yjs tidy formatting up.
      transaction.local = true
    })
  } catch (error) {
    throw new UnsuitableDocument(`Yjs cannot read it (${String(error)})`, { cause: error })
  }
  if (hasPendingStructs(doc)) throw new UnsuitableDocument('it waits for edits that are not there')
  return doc
}

function moveRoots(doc: Y.Doc, textRoots: readonly string[]): void {
  const textRoot = [TEXT_ROOT, ...textRoots].find((root) => doc.share.has(root) && hasNodes(doc, root))
  if (textRoot === undefined) {
    const others = [...doc.share.keys()].filter((root) => root !== TITLE_ROOT)
    if (others.length === 0) throw new UnsuitableDocument('it is empty')
    throw new UnsuitableDocument(
      `it has no text under ${[TEXT_ROOT, ...textRoots].join(' or ')}, but something under ${others.join(', ')}`,
    )
  }
  if (textRoot !== TEXT_ROOT) swapRoots(doc, textRoot, TEXT_ROOT)
  if (doc.share.has(TITLE_ROOT) && !isText(doc.share.get(TITLE_ROOT)!))
    swapRoots(doc, TITLE_ROOT, `${TITLE_ROOT} before the import`)
}

const hasNodes = (doc: Y.Doc, root: string): boolean => doc.getXmlFragment(root).length > 0

/** The encoding names a root by its key in the document: so all that is in it keeps its ids. */
function swapRoots(doc: Y.Doc, one: string, other: string): void {
  const [first, second] = [doc.share.get(one)!, doc.share.get(other)]
  doc.share.set(other, first)
  if (second) doc.share.set(one, second)
  else doc.share.delete(one)
}

function isText(type: Parameters<typeof firstItemOf>[0] & Parameters<typeof valuesByKeyOf>[0]): boolean {
  if (valuesByKeyOf(type).size > 0) return false
  for (let item = firstItemOf(type); item; item = item.right)
    if (
      !item.deleted &&
      !(item.content instanceof Y.ContentString || item.content instanceof Y.ContentFormat)
    )
      return false
  return true
}

/** Integrates the text as a room does with edits: in pieces, each with all the checks. */
function checkAsEdits(state: Uint8Array): RoomDoc {
  const doc = new RoomDoc()
  const knownClocks = new Map<number, number>()
  try {
    for (const piece of piecesOf([state])) {
      const checked = checkUpdate(knownClocks, piece.slice())
      for (const [client, clock] of checked.clocks) knownClocks.set(client, clock)
      integrateUpdate(doc, checked)
    }
  } catch (error) {
    if (!(error instanceof RoomRefusal)) throw error
    throw new UnsuitableDocument(error.message, { cause: error })
  }
  return doc
}
