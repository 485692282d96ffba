/**
 * The shared text as plain objects, for panels to read. Knows Yjs types as Tiptap's binding writes them; does not know the editor. An
 * object stays the same one until something in it changes, so `===` says whether to draw a block again.
 */
import { runLater } from '../run-later.ts'
import * as Y from 'yjs'
import { formatColumns } from '../blocks/table/table-columns.ts'
import { type StoredSpan, storedSpansIn } from '../blocks/table/merges.ts'
import { table, tableCell, tableRow } from '../blocks/table/table.ts'
import { layoutTable, rowKeysOf, shownCellsOf, type TableLayout } from '../blocks/table/table-layout.ts'
import { itemOf } from '../yjs-internals/shared-type.ts'
import { openTransactionsOf } from '../yjs-internals/transaction.ts'

export interface Block {
  /** Unique in this document, and the same in every window. */
  readonly id: string
  /** `paragraph`, `heading`, `bulletList`…: see lib/blocks/blocks.ts. */
  readonly name: string
  /** Anybody with write access may have written these: trust none of them. */
  readonly attributes: Readonly<Record<string, unknown>>
  readonly children: readonly TreeNode[]
  /** For letters that stand beside the blocks, which only another program writes, this is their text. */
  readonly type: Y.XmlElement
}

export interface TextNode {
  readonly id: string
  readonly runs: readonly TextRun[]
  readonly type: Y.XmlText
}

export type TreeNode = Block | TextNode

/** Letters with the same marks. */
export interface TextRun {
  /** Anything that is no letter (an embed, which no schema here has) is one U+FFFC, so that indexes hold. */
  readonly text: string
  readonly marks: TextMarks
}

/** What each mark carries, by its name (`bold`, `link`…). */
export type TextMarks = Readonly<Record<string, unknown>>

export const isTextNode = (node: TreeNode): node is TextNode => 'runs' in node

/** Those among some nodes that are no letters. */
export const blocksAmong = (nodes: readonly TreeNode[]): Block[] =>
  nodes.filter((node): node is Block => !isTextNode(node))

/**
 * The blocks of a text, the same array until one of them changes. Letters beside them are a paragraph, as in the editor, and tables have
 * the rows and cells that the editor shows.
 */
export const treeOf = (fragment: Y.XmlFragment): readonly Block[] => cachedTreeOf(fragment, shownTrees).read()

/** The blocks as they are stored: the children of a table are those of its shared type, in their order. */
export const storedTreeOf = (fragment: Y.XmlFragment): readonly Block[] =>
  cachedTreeOf(fragment, storedTrees).read()

/** Calls `listener` after changes, at most once a frame. Returns a function that stops it. */
export function watchTree(
  fragment: Y.XmlFragment,
  listener: () => void,
  schedule = scheduleFrame,
): () => void {
  let cancel: (() => void) | undefined
  const onChange = (): void => {
    cancel ??= schedule(() => {
      cancel = undefined
      listener()
    })
  }
  fragment.observeDeep(onChange)
  return () => {
    cancel?.()
    fragment.unobserveDeep(onChange)
  }
}

type FrameScheduler = (run: () => void) => () => void

/** A hidden page has no frames, and is notified of everything when it is visible again. */
const scheduleFrame: FrameScheduler = (run) => {
  if (typeof requestAnimationFrame === 'undefined') return runLater(0, run)
  const frame = requestAnimationFrame(run)
  return () => cancelAnimationFrame(frame)
}

const shownTrees = new WeakMap<Y.XmlFragment, CachedTree>()
const storedTrees: typeof shownTrees = new WeakMap()

function cachedTreeOf(fragment: Y.XmlFragment, trees: typeof shownTrees): CachedTree {
  const cached = trees.get(fragment)
  if (cached) return cached
  const tree = new CachedTree(fragment, trees === shownTrees)
  trees.set(fragment, tree)
  return tree
}

/** Lives as long as its document, and so does its one listener. */
class CachedTree {
  readonly #fragment: Y.XmlFragment
  readonly #hasShownTables: boolean
  readonly #nodes = new WeakMap<object, TreeNode>()
  /** The rows of tables, with all that they show of their table. */
  readonly #rows = new WeakMap<object, { readonly key: string; readonly row: Block }>()
  readonly #spans = new WeakMap<object, readonly StoredSpan[]>()
  #blocks: readonly Block[] | undefined

  constructor(fragment: Y.XmlFragment, hasShownTables: boolean) {
    this.#fragment = fragment
    this.#hasShownTables = hasShownTables
    // Runs before any observer can read the tree.
    fragment.doc?.on('beforeObserverCalls', (transaction: Y.Transaction) => this.#invalidate(transaction))
  }

  read(): readonly Block[] {
    const { doc } = this.#fragment
    const pending = doc ? openTransactionsOf(doc) : []
    pending.forEach((transaction) => this.#invalidate(transaction))
    if (this.#blocks) return this.#blocks
    // An unfinished transaction does not list its own changes: what is read now may be out of date at the next line.
    const isCacheable = doc !== null && pending.length === 0
    const blocks = this.#childrenOf(this.#fragment, isCacheable).map(blockOf)
    if (isCacheable) this.#blocks = blocks
    return blocks
  }

  #invalidate({ changed }: Y.Transaction): void {
    for (const type of changed.keys()) {
      let at: Y.AbstractType<unknown> | null = type as Y.AbstractType<unknown>
      while (at !== null && at !== this.#fragment) {
        this.#nodes.delete(at)
        this.#rows.delete(at)
        this.#spans.delete(at)
        at = at.parent
      }
      if (at !== null) this.#blocks = undefined
    }
  }

  #childrenOf(parent: Y.XmlFragment, isCacheable: boolean): TreeNode[] {
    const nodes: TreeNode[] = []
    for (const child of parent.toArray() as unknown[])
      if (child instanceof Y.XmlText || child instanceof Y.XmlElement)
        nodes.push(this.#nodeOf(child, isCacheable))
    return nodes
  }

  #nodeOf(type: Y.XmlText | Y.XmlElement, isCacheable: boolean): TreeNode {
    const cached = this.#nodes.get(type)
    if (cached) return cached
    const node =
      type instanceof Y.XmlText
        ? { id: idOf(type), runs: runsOf(type), type }
        : (this.#tableOf(type, isCacheable) ?? {
            id: idOf(type),
            name: type.nodeName,
            attributes: readableAttributesOf(type),
            children: this.#childrenOf(type, isCacheable),
            type,
          })
    if (isCacheable) this.#nodes.set(type, node)
    return node
  }

  /** Null for what is no table, or none that can be shown. */
  #tableOf(type: Y.XmlElement, isCacheable: boolean): Block | null {
    const layout =
      this.#hasShownTables && type.nodeName === table.name
        ? layoutTable(type, isCacheable ? this.#spansIn : storedSpansIn)
        : null
    if (!layout) return null
    const keys = rowKeysOf(layout)
    const children = layout.rows.map((_row, index) => this.#rowOf(index, keys[index]!, layout, isCacheable))
    const { columns, headerRow, headerColumn } = layout
    const attributes = { columns: formatColumns(columns), headerRow, headerColumn }
    return children.every((row) => row !== null)
      ? { id: idOf(type), name: table.name, attributes, children, type }
      : null
  }

  readonly #spansIn = (row: Y.XmlElement): readonly StoredSpan[] => {
    const kept = this.#spans.get(row) ?? storedSpansIn(row)
    this.#spans.set(row, kept)
    return kept
  }

  /** @param key Null for a row that shows what is in others, or that others show. */
  #rowOf(index: number, key: string | null, layout: TableLayout, isCacheable: boolean): Block | null {
    const type = layout.rows[index]!
    const cached = this.#rows.get(type)
    if (cached && cached.key === key) return cached.row
    const cells = shownCellsOf(index, layout)
    if (!cells) return null
    const id = idOf(type)
    const children = cells.map(({ sources, ...attributes }): Block => ({
      id: sources[0] ? idOf(sources[0]) : `${id}:${attributes.col}`,
      name: tableCell.name,
      attributes,
      children: shownTogether(sources.map((cell) => this.#childrenOf(cell, isCacheable))),
      type: sources[0] ?? new Y.XmlElement(tableCell.name),
    }))
    const row = { id, name: tableRow.name, attributes: {}, children, type }
    if (isCacheable && key !== null) this.#rows.set(type, { key, row })
    return row
  }
}

/** Of cells that are shown as one, an empty line is none. */
function shownTogether(contents: readonly (readonly TreeNode[])[]): readonly TreeNode[] {
  const filled = contents.filter((content) => !isBlank(content))
  return filled.length > 0 ? filled.flat() : (contents[0] ?? [])
}

function isBlank(content: readonly TreeNode[]): boolean {
  const [only] = content
  if (!only || content.length > 1) return content.length === 0
  return !isTextNode(only) && only.children.every((node) => isTextNode(node) && node.runs.length === 0)
}

const looseParagraphs = new WeakMap<TextNode, Block>()

function blockOf(node: TreeNode): Block {
  if (!isTextNode(node)) return node
  const cached = looseParagraphs.get(node)
  if (cached) return cached
  const type = node.type as unknown as Y.XmlElement
  const block: Block = { id: node.id, name: 'paragraph', attributes: {}, children: [node], type }
  looseParagraphs.set(node, block)
  return block
}

/** Leaves out shared types and big integers, which JSON does not have. */
export const readableAttributesOf = (type: Y.XmlElement): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(type.getAttributes() as Record<string, unknown>).filter(
      ([, value]) => typeof value !== 'bigint' && !(value instanceof Y.AbstractType),
    ),
  )

function idOf(type: Y.XmlText | Y.XmlElement): string {
  const item = itemOf(type)
  return item ? `${item.id.client}-${item.id.clock}` : ''
}

interface DeltaInsert {
  readonly insert: unknown
  readonly attributes?: Readonly<Record<string, unknown>>
}

const runsOf = (text: Y.XmlText): TextRun[] =>
  (text.toDelta() as DeltaInsert[]).map(({ insert, attributes }) => ({
    text: typeof insert === 'string' ? insert : '\uFFFC',
    marks: marksOf(attributes),
  }))

/** The marks of what is no letter are attributes `mark:name` of its element. */
export const nodeMarksOf = ({ attributes }: Block): TextMarks =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]) =>
      key.startsWith('mark:') ? [[key.slice('mark:'.length), value]] : [],
    ),
  )

const noMarks: TextMarks = {}

/** The binding writes a mark that may overlap itself as `name--hash`. */
function marksOf(attributes: DeltaInsert['attributes']): TextMarks {
  if (!attributes) return noMarks
  const named = Object.entries(attributes).map(
    ([key, value]) => [key.replace(/--[\da-zA-Z+/=]{8}$/, ''), value] as const,
  )
  return Object.fromEntries(named)
}
