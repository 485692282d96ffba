/**
 * Turns the present text into an earlier state by one new edit, as small as possible: blocks that are the same are not touched, so carets
 * and comments in them stay; changed blocks are patched letter by letter.
 */
import type * as Y from 'yjs'
import { alignNodes, contentKeyOf } from './align-nodes.ts'
import { type Block, isTextNode, type TreeNode, type TextNode, treeOf } from './tree.ts'
import { diffRuns, type DiffPiece } from './word-diff.ts'

/** Makes body and title of `doc` those of `version`, in one transaction; where nothing differs nothing is written. */
export function restoreVersion(doc: Y.Doc, version: Y.Doc): void {
  const body = doc.getXmlFragment('default')
  // Both trees are read before anything changes.
  const [currentNodes, versionNodes] = [treeOf(body), treeOf(version.getXmlFragment('default'))]
  doc.transact(() => {
    restoreText(doc.getText('title'), version.getText('title'))
    restoreNodes(body, currentNodes, versionNodes)
  })
}

type YjsNode = Y.XmlElement | Y.XmlText

/** Nodes that the tree leaves out stay where they are. */
function restoreNodes(parent: Y.XmlFragment, present: readonly TreeNode[], past: readonly TreeNode[]): void {
  const removed: YjsNode[] = []
  let last: YjsNode | null = null
  let inserted: YjsNode[] = []
  const flush = () => {
    if (inserted.length > 0) parent.insertAfter(last, inserted)
    last = inserted.at(-1) ?? last
    inserted = []
  }
  for (const [current, wanted] of alignNodes(present, past)) {
    if (current && wanted && patchNode(current, wanted)) {
      flush()
      last = current.type
      continue
    }
    if (current) removed.push(current.type)
    if (wanted) inserted.push(wanted.type.clone())
  }
  flush()
  removeNodes(parent, removed)
}

/** Returns false where one node cannot become the other. */
function patchNode(current: TreeNode, wanted: TreeNode): boolean {
  if (contentKeyOf(current) === contentKeyOf(wanted)) return true
  if (isTextNode(current) || isTextNode(wanted)) return patchText(current, wanted)
  if (current.name !== wanted.name) return false
  patchAttributes(current, wanted)
  restoreNodes(current.type, current.children, wanted.children)
  return true
}

function patchText(current: TreeNode, wanted: TreeNode): boolean {
  if (!isTextNode(current) || !isTextNode(wanted) || holdsEmbeds(current) || holdsEmbeds(wanted)) return false
  restoreText(current.type, wanted.type)
  return true
}

const holdsEmbeds = ({ type }: TextNode): boolean =>
  (type.toDelta() as DeltaInsert[]).some(({ insert }) => typeof insert !== 'string')

function patchAttributes({ type, attributes }: Block, { attributes: wanted }: Block): void {
  for (const name of Object.keys(attributes)) if (!Object.hasOwn(wanted, name)) type.removeAttribute(name)
  for (const [name, value] of Object.entries(wanted))
    // The types of Yjs allow only strings; the editor's binding writes any value.
    if (JSON.stringify(attributes[name]) !== JSON.stringify(value)) type.setAttribute(name, value as string)
}

interface DeltaInsert {
  readonly insert: unknown
  readonly attributes?: Readonly<Record<string, unknown>>
}

const runsOf = (text: Y.Text) =>
  (text.toDelta() as DeltaInsert[]).map(({ insert, attributes = {} }) => ({
    text: String(insert),
    marks: attributes,
  }))

function restoreText(text: Y.Text, past: Y.Text): void {
  const pieces = diffRuns(runsOf(text), runsOf(past))
  if (pieces.some(({ kind }) => kind !== 'same')) text.applyDelta(pieces.map(deltaOf))
}

function deltaOf(piece: DiffPiece): object {
  const { length } = piece.text
  if (piece.kind === 'marked') {
    const cleared = Object.fromEntries(Object.keys(piece.before).map((name) => [name, null]))
    return { retain: length, attributes: { ...cleared, ...piece.marks } }
  }
  if (piece.kind === 'removed') return { delete: length }
  // The attributes are copied, because Yjs writes into what it is given.
  return piece.kind === 'added' ? { insert: piece.text, attributes: { ...piece.marks } } : { retain: length }
}

/** Removes stretches at once, from the end: each deletion walks the list from its beginning. */
function removeNodes(parent: Y.XmlFragment, removed: readonly YjsNode[]): void {
  if (removed.length === 0) return
  const removedSet = new Set<unknown>(removed)
  const children = parent.toArray()
  let end = children.length
  while (end > 0) {
    let start = end
    while (start > 0 && removedSet.has(children[start - 1]!)) start -= 1
    if (start < end) parent.delete(start, end - start)
    end = start - 1
  }
}
