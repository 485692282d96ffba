/**
 * An earlier state of a text becomes its present one by one new edit, as small as can be: blocks that are the same are not touched,
 * so carets and comments in them stay; those that were changed are mended letter by letter.
 */
import type * as Y from 'yjs'
import { alignNodes, contentKeyOf } from './align-nodes.ts'
import { type Block, isTextNode, type TreeNode, type TextNode, treeOf } from './tree.ts'
import { diffRuns, type DiffPiece } from './word-diff.ts'

/** Body and title of `doc` become those of `version`, in one transaction; where nothing differs nothing is written. */
export function restoreVersion(doc: Y.Doc, version: Y.Doc): void {
  const body = doc.getXmlFragment('default')
  // Read before anything changes.
  const [currentNodes, versionNodes] = [treeOf(body), treeOf(version.getXmlFragment('default'))]
  doc.transact(() => {
    restoreText(doc.getText('title'), version.getText('title'))
    restoreNodes(body, currentNodes, versionNodes)
  })
}

type YjsNode = Y.XmlElement | Y.XmlText

/** What the tree leaves out stays where it is. */
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

/** False where one cannot become the other. */
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
    // The types of Yjs know strings alone; the editor's binding writes any value.
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
  // A copy: Yjs writes into what it is given.
  return piece.kind === 'added' ? { insert: piece.text, attributes: { ...piece.marks } } : { retain: length }
}

/** Stretches at once, from the end: each deletion walks the list from its beginning. */
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
