/**
 * The shared text as plain objects: what panels read. Knows Yjs types as Tiptap's binding writes them; does not know the editor.
 *
 * An object stays the same one until something in it changes, so `===` says whether to draw a block again.
 */
import * as Y from 'yjs'

export interface Block {
  /** Unlike any other in this document, and the same in every window. */
  readonly id: string
  /** `paragraph`, `heading`, `bulletList`…: see components/editor/extensions.ts. */
  readonly name: string
  /** Written by whoever may write: trust none of them. */
  readonly attributes: Readonly<Record<string, unknown>>
  readonly children: readonly Part[]
  readonly type: Y.XmlElement
}

export interface TextPart {
  readonly id: string
  readonly runs: readonly Run[]
  readonly type: Y.XmlText
}

export type Part = Block | TextPart

/** Letters with the same marks. */
export interface Run {
  /** What is no letter (an embed, of which no schema here knows any) stands as one U+FFFC, so that indexes hold. */
  readonly text: string
  readonly marks: Marks
}

/** By name (`bold`, `link`…) what each mark carries. */
export type Marks = Readonly<Record<string, unknown>>

export const isText = (part: Part): part is TextPart => 'runs' in part

const isBlock = (part: Part): part is Block => !isText(part)

/** The blocks of a text, the same array until one of them changes. What is not within a block is left out, as by the editor. */
export function treeOf(fragment: Y.XmlFragment): readonly Block[] {
  return treeIn(fragment).read()
}

/** Calls `listener` after changes, at most once a frame. Returns its undo. */
export function watchTree(fragment: Y.XmlFragment, listener: () => void, frames = framesHere): () => void {
  let cancel: (() => void) | undefined
  const changed = (): void => {
    cancel ??= frames(() => {
      cancel = undefined
      listener()
    })
  }
  fragment.observeDeep(changed)
  return () => {
    cancel?.()
    fragment.unobserveDeep(changed)
  }
}

type Frames = (run: () => void) => () => void

/** A hidden page has no frames, and hears of everything when it is seen again. */
const framesHere: Frames = (run) => {
  if (typeof requestAnimationFrame === 'undefined') {
    const timer = setTimeout(run, 0)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(run)
  return () => cancelAnimationFrame(frame)
}

const trees = new WeakMap<Y.XmlFragment, Tree>()

function treeIn(fragment: Y.XmlFragment): Tree {
  const known = trees.get(fragment)
  if (known) return known
  const tree = new Tree(fragment)
  trees.set(fragment, tree)
  return tree
}

/** Lives as long as its document, with which its one listener goes. */
class Tree {
  readonly #fragment: Y.XmlFragment
  readonly #parts = new WeakMap<object, Part>()
  #blocks: readonly Block[] | undefined

  constructor(fragment: Y.XmlFragment) {
    this.#fragment = fragment
    // Before any observer may ask.
    fragment.doc?.on('beforeObserverCalls', (transaction: Y.Transaction) => this.#forget(transaction))
  }

  read(): readonly Block[] {
    const pending = this.#fragment.doc?._transactionCleanups ?? []
    pending.forEach((transaction) => this.#forget(transaction))
    if (this.#blocks) return this.#blocks
    // A transaction that is not over names no change of what it made itself: what is read now may be old at the next line.
    const keeps = this.#fragment.doc !== null && pending.length === 0
    const blocks = this.#childrenOf(this.#fragment, keeps).filter(isBlock)
    if (keeps) this.#blocks = blocks
    return blocks
  }

  #forget({ changed }: Y.Transaction): void {
    for (const type of changed.keys()) {
      let at: Y.AbstractType<unknown> | null = type as Y.AbstractType<unknown>
      while (at !== null && at !== this.#fragment) {
        this.#parts.delete(at)
        at = at.parent
      }
      if (at !== null) this.#blocks = undefined
    }
  }

  #childrenOf(parent: Y.XmlFragment, keeps: boolean): Part[] {
    const parts: Part[] = []
    for (const child of parent.toArray() as unknown[])
      if (child instanceof Y.XmlText || child instanceof Y.XmlElement) parts.push(this.#partOf(child, keeps))
    return parts
  }

  #partOf(type: Y.XmlText | Y.XmlElement, keeps: boolean): Part {
    const known = this.#parts.get(type)
    if (known) return known
    const part =
      type instanceof Y.XmlText
        ? { id: idOf(type), runs: runsOf(type), type }
        : {
            id: idOf(type),
            name: type.nodeName,
            attributes: type.getAttributes() as Record<string, unknown>,
            children: this.#childrenOf(type, keeps),
            type,
          }
    if (keeps) this.#parts.set(type, part)
    return part
  }
}

function idOf({ _item: item }: Y.XmlText | Y.XmlElement): string {
  return item ? `${item.id.client}-${item.id.clock}` : ''
}

interface Insert {
  readonly insert: unknown
  readonly attributes?: Readonly<Record<string, unknown>>
}

const runsOf = (text: Y.XmlText): Run[] =>
  (text.toDelta() as Insert[]).map(({ insert, attributes }) => ({
    text: typeof insert === 'string' ? insert : '\uFFFC',
    marks: marksOf(attributes),
  }))

const noMarks: Marks = {}

/** The binding writes a mark that may overlap itself as `name--hash`. */
function marksOf(attributes: Insert['attributes']): Marks {
  if (!attributes) return noMarks
  const named = Object.entries(attributes).map(
    ([key, value]) => [key.replace(/--[\da-zA-Z+/=]{8}$/, ''), value] as const,
  )
  return Object.fromEntries(named)
}
