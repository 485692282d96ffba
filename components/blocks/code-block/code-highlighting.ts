/**
 * Colours code in the editor. What is coloured of a block is kept by the identity of its node: an edit elsewhere, or one that draws the whole
 * text again, asks for nothing. Until the answer for a changed block is there, its colours move with its letters.
 */
import type { Node } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import { codeBlock, codeLanguageOf } from '@/lib/blocks/code-block/code-block.ts'
import { codeHighlightingKey, type Highlighting } from './code-highlighting-key.ts'
import type { HighlightCode } from './code-tokens.ts'
import type { CodeToken } from './highlight-worker.ts'

/** Letters typed in a row are asked for together. In ms. */
const ASK_DELAY_MS = 40

export function codeHighlighting(highlight: HighlightCode): Plugin<Highlighting> {
  const known = new WeakMap<Node, readonly CodeToken[]>()

  const redraw = (decorations: DecorationSet, doc: Node, node: Node, at: number): DecorationSet => {
    const drawn = decorations.find(at + 1, at + node.nodeSize - 1)
    const added = known.get(node)!.map(({ from, to, classes }) =>
      // A letter typed at its end belongs to it until the answer is there.
      Decoration.inline(at + 1 + from, at + 1 + to, { class: classes }, { inclusiveEnd: true }),
    )
    return decorations.remove(drawn).add(doc, added)
  }

  return new Plugin<Highlighting>({
    key: codeHighlightingKey,
    state: {
      init: () => ({ decorations: DecorationSet.empty, isIncomplete: true }),
      apply(transaction, { decorations, isIncomplete }, { doc: before }) {
        const { doc } = transaction
        const answered = transaction.getMeta(codeHighlightingKey) as ReadonlySet<Node> | undefined
        let drawn = transaction.docChanged ? decorations.map(transaction.mapping, doc) : decorations
        let isMissing = isIncomplete && !answered
        forEachCode(answered ? null : before, doc, 0, (node, at) => {
          if (answered && !answered.has(node)) return
          if (known.has(node)) drawn = redraw(drawn, doc, node, at)
          else isMissing = true
        })
        return { decorations: drawn, isIncomplete: isMissing }
      },
    },
    props: { decorations: (state) => codeHighlightingKey.getState(state)?.decorations },
    view: (view) => new CodeAsker(view, known, highlight),
  })
}

/** Asks for the tokens of code that has none, and has them drawn. */
class CodeAsker {
  readonly #view: EditorView
  readonly #known: WeakMap<Node, readonly CodeToken[]>
  readonly #highlight: HighlightCode
  readonly #asked = new WeakSet<Node>()
  #answered = new Set<Node>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(view: EditorView, known: WeakMap<Node, readonly CodeToken[]>, highlight: HighlightCode) {
    this.#view = view
    this.#known = known
    this.#highlight = highlight
    this.update()
  }

  update(): void {
    if (codeHighlightingKey.getState(this.#view.state)?.isIncomplete ?? true) this.#schedule()
  }

  destroy(): void {
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#run()
    }, ASK_DELAY_MS)
  }

  #run(): void {
    const { doc, tr } = this.#view.state
    forEachCode(null, doc, 0, (node) => {
      if (!this.#known.has(node) && !this.#asked.has(node)) void this.#ask(node)
    })
    const answered = this.#answered
    this.#answered = new Set()
    this.#view.dispatch(tr.setMeta(codeHighlightingKey, answered))
  }

  async #ask(node: Node): Promise<void> {
    this.#asked.add(node)
    this.#known.set(node, await this.#highlight(codeLanguageOf(node.attrs), node.textContent))
    this.#answered.add(node)
    if (!this.#view.isDestroyed) this.#schedule()
  }
}

/** Visits the code blocks that are in one document and not in the other, which it may have been made from. */
function forEachCode(
  before: Node | null,
  after: Node,
  start: number,
  visit: (node: Node, at: number) => void,
): void {
  if (before === after) return
  const [first, last] = changedChildren(before, after)
  const isOneForOne = before?.childCount === after.childCount
  let at = start
  after.forEach((child, _offset, index) => {
    if (index >= first && index < last) {
      if (child.type.name === codeBlock.name) visit(child, at)
      else if (!child.isTextblock && !child.isLeaf)
        forEachCode(isOneForOne ? before.child(index) : null, child, at + 1, visit)
    }
    at += child.nodeSize
  })
}

/** The children that differ are those from the first index up to the second. */
function changedChildren(before: Node | null, after: Node): readonly [number, number] {
  let first = 0
  let last = after.childCount
  if (!before) return [first, last]
  while (first < last && before.maybeChild(first) === after.child(first)) first++
  const shift = before.childCount - after.childCount
  while (last > first && last + shift > first && before.child(last - 1 + shift) === after.child(last - 1))
    last--
  return [first, last]
}
