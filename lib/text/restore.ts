/**
 * Turns the present text into an earlier state by one new edit, as small as possible: blocks that are the same are not touched, so carets
 * and comments in them stay; changed blocks are patched letter by letter.
 */
import * as Y from 'yjs'
import { alignNodes, contentKeyOf } from './align-nodes.ts'
import {
  type Block,
  isTextNode,
  readableAttributesOf,
  type TreeNode,
  type TextNode,
  storedTreeOf,
} from './tree.ts'
import { diffRuns, type DiffPiece } from './word-diff.ts'

/** Makes body and title of `doc` those of `version`, in one transaction; where nothing differs nothing is written. */
export function restoreVersion(doc: Y.Doc, version: Y.Doc): void {
  const body = doc.getXmlFragment('default')
  // Both trees are read before anything changes.
  const [currentNodes, versionNodes] = [storedTreeOf(body), storedTreeOf(version.getXmlFragment('default'))]
  doc.transact(() => {
    restoreText(doc.getText('title'), version.getText('title'))
    restoreNodes(body, currentNodes, versionNodes)
  })
}

/** The ids of a block of the body as it is and as it was; null where there is none. */
export interface ChangedPlace {
  readonly current: string | null
  readonly past: string | null
}

/** Makes one block what it was in `version`, brings it back, or removes it. All others stay as they are. */
export function restorePlace(doc: Y.Doc, version: Y.Doc, place: ChangedPlace): void {
  const body = doc.getXmlFragment('default')
  const [currentNodes, versionNodes] = [storedTreeOf(body), storedTreeOf(version.getXmlFragment('default'))]
  const isPlace = (current: TreeNode | null, wanted: TreeNode | null): boolean =>
    (current !== null && current.id === place.current) || (wanted !== null && wanted.id === place.past)
  doc.transact(() => restoreNodes(body, currentNodes, versionNodes, isPlace))
}

type YjsNode = Y.XmlElement | Y.XmlText

type IsRestored = (current: TreeNode | null, wanted: TreeNode | null) => boolean

/**
 * What the tree leaves out of `parent` goes: only another program writes it, and with it the editor could not go on.
 *
 * @param isRestored Which pairs become what they were: then all else stays, what the tree leaves out as well.
 */
function restoreNodes(
  parent: Y.XmlFragment,
  present: readonly TreeNode[],
  past: readonly TreeNode[],
  isRestored?: IsRestored,
): void {
  const removed: YjsNode[] = []
  let last: YjsNode | null = null
  let inserted: YjsNode[] = []
  const flush = () => {
    if (inserted.length > 0) parent.insertAfter(last, inserted)
    last = inserted.at(-1) ?? last
    inserted = []
  }
  for (const [current, wanted] of alignNodes(present, past)) {
    if (isRestored && !isRestored(current, wanted)) {
      flush()
      last = current?.type ?? last
      continue
    }
    if (current && wanted && patchNode(current, wanted)) {
      flush()
      last = current.type
      continue
    }
    if (current) removed.push(current.type)
    if (wanted) inserted.push(copyOfType(wanted.type))
  }
  flush()
  const removedSet = new Set<unknown>(removed)
  removeChildren(parent, (child) => removedSet.has(child) || (!isRestored && !isYjsNode(child)))
}

/** Makes a node what another one is, letter by letter. Returns false, and writes nothing, where it cannot become that. */
export function patchNode(current: TreeNode, wanted: TreeNode): boolean {
  if (!isWhole(current.type) || isTextInBlock(current) !== isTextInBlock(wanted)) return false
  if (contentKeyOf(current) === contentKeyOf(wanted)) return true
  if (isTextNode(current) || isTextNode(wanted)) return patchText(current, wanted)
  if (current.name !== wanted.name || isTextInBlock(current)) return false
  patchAttributes(current, wanted)
  restoreNodes(current.type, current.children, wanted.children)
  return true
}

/** Letters beside the blocks are no block for Yjs. */
const isTextInBlock = (node: TreeNode): boolean => !isTextNode(node) && !(node.type instanceof Y.XmlElement)

/** Whether the tree shows all of it: a part that the tree leaves out could not be seen to differ. */
function isWhole(type: unknown): boolean {
  if (type instanceof Y.XmlText) return type.length === lengthOf(type.toDelta() as DeltaInsert[])
  if (!(type instanceof Y.XmlElement)) return false
  const [attributes, readable] = [type.getAttributes(), readableAttributesOf(type)]
  return Object.keys(attributes).length === Object.keys(readable).length && type.toArray().every(isWhole)
}

const lengthOf = (delta: readonly DeltaInsert[]): number =>
  delta.reduce((sum, { insert }) => sum + (typeof insert === 'string' ? insert.length : 1), 0)

/** A copy of what the tree shows. Yjs's own copies fail where a shared type stands among letters. */
export function copyOfType(type: YjsNode): YjsNode {
  if (type instanceof Y.XmlText) {
    const text = new Y.XmlText()
    const delta = type.toDelta() as DeltaInsert[]
    text.applyDelta(delta.filter(({ insert }) => !(insert instanceof Y.AbstractType)))
    return text
  }
  const element = new Y.XmlElement(type.nodeName)
  for (const [name, value] of Object.entries(readableAttributesOf(type)))
    element.setAttribute(name, value as string)
  element.insert(0, type.toArray().filter(isYjsNode).map(copyOfType))
  return element
}

const isYjsNode = (child: unknown): child is YjsNode =>
  child instanceof Y.XmlElement || child instanceof Y.XmlText

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
  applyPieces(text, 0, pieces)
}

/** @param from The index of the letter with which the pieces begin. */
export function applyPieces(text: Y.Text, from: number, pieces: readonly DiffPiece[]): void {
  if (pieces.some(({ kind }) => kind !== 'same'))
    text.applyDelta([...(from > 0 ? [{ retain: from }] : []), ...pieces.map(deltaOf)])
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
function removeChildren(parent: Y.XmlFragment, isRemoved: (child: unknown) => boolean): void {
  const children: readonly unknown[] = parent.toArray()
  let end = children.length
  while (end > 0) {
    let start = end
    while (start > 0 && isRemoved(children[start - 1])) start -= 1
    if (start < end) parent.delete(start, end - start)
    end = start - 1
  }
}
