/**
 * Marks stretches of the text that a panel speaks of, without touching the text. Knows lines and letters; does not know what a mark
 * means.
 */
import { Extension } from '@tiptap/core'
import type { Fragment, Node } from '@tiptap/pm/model'
import { Plugin, PluginKey, type PluginView, type Transaction } from '@tiptap/pm/state'
import { Mapping, ReplaceAroundStep, ReplaceStep, StepMap } from '@tiptap/pm/transform'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import type { LinePlace, Stretch } from '@/lib/text/lines.ts'
import { isOfSharedText } from './binding'

export interface Highlight extends Stretch {
  readonly id: string
  /** CSS class. */
  readonly look: string
  /** Shown only where these stand there. */
  readonly letters?: string
}

export interface Highlighted {
  /** Of the text as it is now. */
  get(): readonly Highlight[]
  subscribe(listener: () => void): () => void
  /** A person clicked on one. */
  onClick?(id: string): void
  /** An edit made here moved whole blocks, or split or joined them: where those that are still marked stand now. */
  onMoved?(stretches: ReadonlyMap<string, Stretch>): void
}

export interface Marks {
  readonly set: DecorationSet
  /** Edits made here that were more than typing, ever. */
  readonly moves: number
  /** Edits of others that the marks were only mapped through, ever. */
  readonly mapped: number
}

/** From an edit of others to marks that are made anew, in ms: they follow each letter, and need not be looked for at each. */
const ANEW_MS = 150

export const highlights = (name: string, source: Highlighted): Extension =>
  Extension.create({
    name,
    addProseMirrorPlugins: () => [highlightPlugin(new PluginKey<Marks>(name), source)],
  })

export function highlightPlugin(key: PluginKey<Marks>, source: Highlighted): Plugin<Marks> {
  return new Plugin<Marks>({
    key,
    state: {
      init: (_config, { doc }) => ({ set: decorate(doc, source.get()), moves: 0, mapped: 0 }),
      apply: (transaction, marks) => {
        const { set, moves, mapped } = marks
        const { doc } = transaction
        if (transaction.getMeta(key) === true) return { ...marks, set: decorate(doc, source.get()) }
        if (!transaction.docChanged) return marks
        if (!isOfSharedText(transaction))
          return {
            ...marks,
            set: set.map(transaction.mapping, doc),
            moves: moves + Number(isMove(transaction)),
          }
        const mapping = mappingWithinBlock(transaction.before, doc)
        return mapping
          ? { ...marks, set: set.map(mapping, doc), mapped: mapped + 1 }
          : { ...marks, set: decorate(doc, source.get()) }
      },
    },
    props: {
      decorations: (state) => key.getState(state)?.set,
      handleClick: (view, at) => {
        const id = idsAt(key.getState(view.state)?.set, at).at(-1)
        if (id !== undefined) source.onClick?.(id)
        return false
      },
    },
    view: (view) => watch(view, key, source),
  })
}

function watch(view: EditorView, key: PluginKey<Marks>, source: Highlighted): PluginView {
  // Once the binding has written the edit.
  const tellMoved = inOneGo(() => {
    if (!view.isDestroyed) source.onMoved?.(stretchesOf(view.state.doc, key.getState(view.state)!.set))
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const markAnew = (): void => {
    timer = undefined
    const isNothing = key.getState(view.state)?.set === DecorationSet.empty && source.get().length === 0
    if (!isNothing) tell(view, key)
  }
  const stop = source.subscribe(inOneGo(() => tell(view, key)))
  return {
    update(_view, before) {
      const [known, now] = [key.getState(before), key.getState(view.state)]
      if (known?.moves !== now?.moves) tellMoved()
      if (known?.mapped !== now?.mapped) timer ??= setTimeout(markAnew, ANEW_MS)
    },
    destroy() {
      clearTimeout(timer)
      stop()
    },
  }
}

/**
 * The binding replaces the whole text for each edit of others. What became of positions within the one block that they changed; null
 * where they changed more than that, or it moved.
 */
function mappingWithinBlock({ content: before }: Node, { content: after }: Node): Mapping | null {
  const [was, is] = [before.content, after.content]
  const first = was.findIndex((block, index) => block !== is[index])
  if (first === -1 || was.length !== is.length) return null
  if (was.findLastIndex((block, index) => block !== is[index]) !== first) return null
  const start = was.slice(0, first).reduce((size, block) => size + block.nodeSize, 1)
  return mappingBetween(was[first]!.content, is[first]!.content, start)
}

function mappingBetween(before: Fragment, after: Fragment, start: number): Mapping {
  const from = before.findDiffStart(after, start)
  const end = before.findDiffEnd(after, start + before.size, start + after.size)
  // Letters that got other marks stay where they are.
  if (from === null || !end || end.a === end.b) return new Mapping()
  // Both searches may count the same letters where letters repeat.
  const shared = Math.max(0, from - Math.min(end.a, end.b))
  return new Mapping([new StepMap([from, end.a + shared - from, end.b + shared - from])])
}

/** Whatever is more than letters within one block. */
function isMove({ docs, steps }: Transaction): boolean {
  return steps.some((step, index) => {
    if (!(step instanceof ReplaceStep)) return step instanceof ReplaceAroundStep
    const [from, to] = [docs[index]!.resolve(step.from), docs[index]!.resolve(step.to)]
    return !from.sameParent(to) || !from.parent.isTextblock || !isInline(step.slice.content)
  })
}

const isInline = (content: Fragment): boolean => content.firstChild?.isInline ?? true

/** However often it is called within one turn. */
function inOneGo(run: () => void): () => void {
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    queueMicrotask(() => {
      waiting = false
      run()
    })
  }
}

function tell(view: EditorView, key: PluginKey): void {
  if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, true).setMeta('addToHistory', false))
}

interface Mark {
  readonly id: string
}

const idsAt = (marks: DecorationSet | undefined, at: number): string[] =>
  (marks?.find(at, at) ?? []).map(({ spec }) => (spec as Mark).id)

/** Where a stretch of lines is in the editor's own counting; null where it is not there, or empty. */
export function rangeOf(doc: Node, stretch: Stretch): Range | null {
  return rangeIn(textBlocksOf(doc), stretch)
}

interface Range {
  readonly from: number
  readonly to: number
}

function rangeIn(blocks: readonly TextBlock[], stretch: Stretch): Range | null {
  const [from, to] = [positionOf(blocks, stretch.from), positionOf(blocks, stretch.to)]
  return from === null || to === null || from >= to ? null : { from, to }
}

function decorate(doc: Node, found: readonly Highlight[]): DecorationSet {
  if (found.length === 0) return DecorationSet.empty
  const blocks = textBlocksOf(doc)
  const decorations = found.flatMap((highlight) => {
    const range = rangeIn(blocks, highlight)
    if (!range || !holds(doc, range, highlight)) return []
    const { id, look } = highlight
    return [Decoration.inline(range.from, range.to, { class: look }, { id } satisfies Mark)]
  })
  return DecorationSet.create(doc, decorations)
}

interface TextBlock {
  /** Where its letters begin. */
  readonly start: number
  readonly size: number
}

function stretchesOf(doc: Node, set: DecorationSet): Map<string, Stretch> {
  const ends = new Map<string, Range>()
  for (const { from, to, spec } of set.find()) {
    const { id } = spec as Mark
    const known = ends.get(id)
    ends.set(id, { from: Math.min(from, known?.from ?? from), to: Math.max(to, known?.to ?? to) })
  }
  const blocks = textBlocksOf(doc)
  const stretchOf = ({ from, to }: Range): Stretch => ({
    from: placeOf(blocks, from),
    to: placeOf(blocks, to),
  })
  return new Map([...ends].map(([id, positions]) => [id, stretchOf(positions)]))
}

function textBlocksOf(doc: Node): TextBlock[] {
  const blocks: TextBlock[] = []
  doc.descendants((node, at) => {
    if (node.isTextblock) blocks.push({ start: at + 1, size: node.content.size })
    return !node.isTextblock
  })
  return blocks
}

function positionOf(blocks: readonly TextBlock[], { line, offset }: LinePlace): number | null {
  const block = blocks[line]
  return block && offset <= block.size ? block.start + offset : null
}

const holds = (doc: Node, { from, to }: Range, { letters }: Highlight): boolean =>
  letters === undefined || doc.textBetween(from, to, '\n', '\n') === letters

/** The stretch of lines that lies between two positions. */
export function stretchBetween(doc: Node, from: number, to: number): Stretch {
  const blocks = textBlocksOf(doc)
  return { from: placeOf(blocks, from), to: placeOf(blocks, to) }
}

/** Outside of all lines: the end of the one before. */
function placeOf(blocks: readonly TextBlock[], at: number): LinePlace {
  const line = blocks.findLastIndex(({ start }) => start <= at)
  const block = blocks[line]
  return block ? { line, offset: Math.min(at - block.start, block.size) } : { line: 0, offset: 0 }
}
