/**
 * An earlier state of a text becomes its present one by one new edit, as small as can be: blocks that are the same are not touched,
 * so carets and comments in them stay; those that were changed are mended letter by letter.
 */
import type * as Y from 'yjs'
import { align, keyOf } from './align.ts'
import { type Block, isText, type Part, type TextPart, treeOf } from './tree.ts'
import { comparePieces, type Piece } from './words.ts'

/** Body and title of `doc` become those of `version`, in one transaction; where nothing differs nothing is written. */
export function restoreVersion(doc: Y.Doc, version: Y.Doc): void {
  const body = doc.getXmlFragment('default')
  // Read before anything changes.
  const [present, past] = [treeOf(body), treeOf(version.getXmlFragment('default'))]
  doc.transact(() => {
    restoreLetters(doc.getText('title'), version.getText('title'))
    restoreParts(body, present, past)
  })
}

type Node = Y.XmlElement | Y.XmlText

/** What the tree leaves out stays where it is. */
function restoreParts(parent: Y.XmlFragment, present: readonly Part[], past: readonly Part[]): void {
  const gone: Node[] = []
  let last: Node | null = null
  let fresh: Node[] = []
  const flush = () => {
    if (fresh.length > 0) parent.insertAfter(last, fresh)
    last = fresh.at(-1) ?? last
    fresh = []
  }
  for (const [here, wanted] of align(present, past)) {
    if (here && wanted && mend(here, wanted)) {
      flush()
      last = here.type
      continue
    }
    if (here) gone.push(here.type)
    if (wanted) fresh.push(wanted.type.clone())
  }
  flush()
  removeAll(parent, gone)
}

/** False where one cannot become the other. */
function mend(here: Part, wanted: Part): boolean {
  if (keyOf(here) === keyOf(wanted)) return true
  if (isText(here) || isText(wanted)) return mendText(here, wanted)
  if (here.name !== wanted.name) return false
  mendAttributes(here, wanted)
  restoreParts(here.type, here.children, wanted.children)
  return true
}

function mendText(here: Part, wanted: Part): boolean {
  if (!isText(here) || !isText(wanted) || holdsEmbeds(here) || holdsEmbeds(wanted)) return false
  restoreLetters(here.type, wanted.type)
  return true
}

const holdsEmbeds = ({ type }: TextPart): boolean =>
  (type.toDelta() as Insert[]).some(({ insert }) => typeof insert !== 'string')

function mendAttributes({ type, attributes }: Block, { attributes: wanted }: Block): void {
  for (const name of Object.keys(attributes)) if (!Object.hasOwn(wanted, name)) type.removeAttribute(name)
  for (const [name, value] of Object.entries(wanted))
    // The types of Yjs know strings alone; the editor's binding writes any value.
    if (JSON.stringify(attributes[name]) !== JSON.stringify(value)) type.setAttribute(name, value as string)
}

interface Insert {
  readonly insert: unknown
  readonly attributes?: Readonly<Record<string, unknown>>
}

const runsOf = (text: Y.Text) =>
  (text.toDelta() as Insert[]).map(({ insert, attributes = {} }) => ({
    text: String(insert),
    marks: attributes,
  }))

function restoreLetters(text: Y.Text, past: Y.Text): void {
  const pieces = comparePieces(runsOf(text), runsOf(past))
  if (pieces.some(({ kind }) => kind !== 'same')) text.applyDelta(pieces.map(stepOf))
}

function stepOf(piece: Piece): object {
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
function removeAll(parent: Y.XmlFragment, gone: readonly Node[]): void {
  if (gone.length === 0) return
  const doomed = new Set<unknown>(gone)
  const children = parent.toArray()
  let end = children.length
  while (end > 0) {
    let start = end
    while (start > 0 && doomed.has(children[start - 1]!)) start -= 1
    if (start < end) parent.delete(start, end - start)
    end = start - 1
  }
}
