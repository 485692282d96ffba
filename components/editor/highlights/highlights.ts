/**
 * Highlights ranges of the text that a panel refers to, without changing the text. Knows lines and letters; does not know what a highlight
 * means.
 */
import { Extension } from '@tiptap/core'
import type { Fragment, Node } from '@tiptap/pm/model'
import { Plugin, PluginKey, type PluginView, type Transaction } from '@tiptap/pm/state'
import { Mapping, ReplaceAroundStep, ReplaceStep, StepMap } from '@tiptap/pm/transform'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import type { LinePosition, LineRange } from '@/lib/text/lines.ts'
import { isVirtual } from '../binding/text-reader.ts'
import { isFromSharedText } from '../binding/y-tiptap-binding.ts'

export interface Highlight extends LineRange {
  readonly id: string
  /** The CSS class. */
  readonly className: string
  /** The range is highlighted only if it contains this text. */
  readonly expectedText?: string
}

export interface HighlightSource {
  /** The highlights for the text as it is now. */
  get(): readonly Highlight[]
  subscribe(listener: () => void): () => void
  /** Called when a person clicked a highlight. */
  onClick?(id: string): void
  /** Called when an edit in this window moved whole blocks, or split or joined them. Gives the new ranges of the highlights that remain. */
  onBlocksMoved?(lineRanges: ReadonlyMap<string, LineRange>): void
}

export interface HighlightState {
  readonly decorationSet: DecorationSet
  /** The number so far of this window's edits that were more than typing. */
  readonly structuralEdits: number
  /** The number so far of remote edits for which the highlights were only mapped. */
  readonly mappedEdits: number
}

/**
 * The delay in ms between a remote edit and new highlights. Mapping moves the existing ones with each letter, so they need not be searched
 * again each time.
 */
const REDECORATE_DELAY_MS = 150

/** The plugins of an editor that highlight. */
const highlightKeys = {
  commentMarks: new PluginKey<HighlightState>('commentMarks'),
  foundMarks: new PluginKey<HighlightState>('foundMarks'),
}

export const highlightPluginKeys: readonly PluginKey[] = Object.values(highlightKeys)

export const highlightExtension = (name: keyof typeof highlightKeys, source: HighlightSource): Extension =>
  Extension.create({
    name,
    addProseMirrorPlugins: () => [highlightPlugin(highlightKeys[name], source)],
  })

export function highlightPlugin(
  key: PluginKey<HighlightState>,
  source: HighlightSource,
): Plugin<HighlightState> {
  return new Plugin<HighlightState>({
    key,
    state: {
      init: (_config, { doc }) => ({
        decorationSet: decorate(doc, source.get()),
        structuralEdits: 0,
        mappedEdits: 0,
      }),
      apply: (transaction, previous) => {
        const { decorationSet, structuralEdits, mappedEdits } = previous
        const { doc } = transaction
        if (transaction.getMeta(key) === true)
          return { ...previous, decorationSet: decorate(doc, source.get()) }
        if (!transaction.docChanged) return previous
        if (!isFromSharedText(transaction))
          return {
            ...previous,
            decorationSet: decorationSet.map(transaction.mapping, doc),
            structuralEdits: structuralEdits + Number(isStructuralEdit(transaction)),
          }
        const mapping = mappingWithinBlock(transaction.before, doc)
        return mapping
          ? { ...previous, decorationSet: decorationSet.map(mapping, doc), mappedEdits: mappedEdits + 1 }
          : { ...previous, decorationSet: decorate(doc, source.get()) }
      },
    },
    props: {
      decorations: (state) => key.getState(state)?.decorationSet,
      handleClick: (view, at) => {
        const id = idsAt(key.getState(view.state)?.decorationSet, at).at(-1)
        if (id !== undefined) source.onClick?.(id)
        return false
      },
    },
    view: (view) => watchSource(view, key, source),
  })
}

function watchSource(view: EditorView, key: PluginKey<HighlightState>, source: HighlightSource): PluginView {
  // Runs after the binding has written the edit.
  const reportMoved = oncePerTurn(() => {
    if (!view.isDestroyed)
      source.onBlocksMoved?.(lineRangesOf(view.state.doc, key.getState(view.state)!.decorationSet))
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const redecorate = (): void => {
    timer = undefined
    const hasNothingToMark =
      key.getState(view.state)?.decorationSet === DecorationSet.empty && source.get().length === 0
    if (!hasNothingToMark) requestRedecoration(view, key)
  }
  const stop = source.subscribe(oncePerTurn(() => requestRedecoration(view, key)))
  return {
    update(_view, before) {
      const [formerState, currentState] = [key.getState(before), key.getState(view.state)]
      if (formerState?.structuralEdits !== currentState?.structuralEdits) reportMoved()
      if (formerState?.mappedEdits !== currentState?.mappedEdits)
        timer ??= setTimeout(redecorate, REDECORATE_DELAY_MS)
    },
    destroy() {
      clearTimeout(timer)
      stop()
    },
  }
}

/**
 * The binding replaces the whole text for each remote edit. Returns how positions moved within the one block that changed; null if more
 * changed, or the block moved.
 */
function mappingWithinBlock({ content: before }: Node, { content: after }: Node): Mapping | null {
  const [oldBlocks, newBlocks] = [before.content, after.content]
  const first = oldBlocks.findIndex((block, index) => block !== newBlocks[index])
  if (first === -1 || oldBlocks.length !== newBlocks.length) return null
  if (oldBlocks.findLastIndex((block, index) => block !== newBlocks[index]) !== first) return null
  const start = oldBlocks.slice(0, first).reduce((size, block) => size + block.nodeSize, 1)
  return mappingBetween(oldBlocks[first]!.content, newBlocks[first]!.content, start)
}

function mappingBetween(before: Fragment, after: Fragment, start: number): Mapping {
  const from = before.findDiffStart(after, start)
  const end = before.findDiffEnd(after, start + before.size, start + after.size)
  // Formatting letters moves no positions.
  if (from === null || !end || end.a === end.b) return new Mapping()
  // If letters repeat, both searches may count the same ones.
  const shared = Math.max(0, from - Math.min(end.a, end.b))
  return new Mapping([new StepMap([from, end.a + shared - from, end.b + shared - from])])
}

/** True for any edit that is more than letters within one block. */
function isStructuralEdit({ docs, steps }: Transaction): boolean {
  return steps.some((step, index) => {
    if (!(step instanceof ReplaceStep)) return step instanceof ReplaceAroundStep
    const [from, to] = [docs[index]!.resolve(step.from), docs[index]!.resolve(step.to)]
    return !from.sameParent(to) || !from.parent.isTextblock || !isInline(step.slice.content)
  })
}

const isInline = (content: Fragment): boolean => content.firstChild?.isInline ?? true

/** Runs once per turn, however often it is called. */
function oncePerTurn(run: () => void): () => void {
  let isScheduled = false
  return () => {
    if (isScheduled) return
    isScheduled = true
    queueMicrotask(() => {
      isScheduled = false
      run()
    })
  }
}

function requestRedecoration(view: EditorView, key: PluginKey): void {
  if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, true))
}

interface HighlightSpec {
  readonly id: string
}

const idsAt = (marks: DecorationSet | undefined, at: number): string[] =>
  (marks?.find(at, at) ?? []).map(({ spec }) => (spec as HighlightSpec).id)

/** Converts a range of lines into editor positions. Returns null if the range does not exist or is empty. */
export function editorRangeOf(doc: Node, lineRange: LineRange): EditorRange | null {
  return editorRangeIn(textBlocksOf(doc), lineRange)
}

interface EditorRange {
  readonly from: number
  readonly to: number
}

function editorRangeIn(blocks: readonly TextBlock[], lineRange: LineRange): EditorRange | null {
  const [from, to] = [editorPositionOf(blocks, lineRange.from), editorPositionOf(blocks, lineRange.to)]
  return from === null || to === null || from >= to ? null : { from, to }
}

function decorate(doc: Node, highlightList: readonly Highlight[]): DecorationSet {
  if (highlightList.length === 0) return DecorationSet.empty
  const blocks = textBlocksOf(doc)
  const decorations = highlightList.flatMap((highlight) => {
    const range = editorRangeIn(blocks, highlight)
    if (!range || !hasExpectedText(doc, range, highlight)) return []
    const { id, className } = highlight
    return [Decoration.inline(range.from, range.to, { class: className }, { id } satisfies HighlightSpec)]
  })
  return DecorationSet.create(doc, decorations)
}

interface TextBlock {
  /** The position at which the block's letters begin. */
  readonly start: number
  readonly size: number
}

function lineRangesOf(doc: Node, decorationSet: DecorationSet): Map<string, LineRange> {
  const ends = new Map<string, EditorRange>()
  for (const { from, to, spec } of decorationSet.find()) {
    const { id } = spec as HighlightSpec
    const existing = ends.get(id)
    ends.set(id, { from: Math.min(from, existing?.from ?? from), to: Math.max(to, existing?.to ?? to) })
  }
  const blocks = textBlocksOf(doc)
  const lineRangeOf = ({ from, to }: EditorRange): LineRange => ({
    from: linePositionAt(blocks, from),
    to: linePositionAt(blocks, to),
  })
  return new Map([...ends].map(([id, positions]) => [id, lineRangeOf(positions)]))
}

function textBlocksOf(doc: Node): TextBlock[] {
  const blocks: TextBlock[] = []
  doc.descendants((node, at) => {
    // The reader fills such a line in on screen; the shared text does not have it.
    if (node.isTextblock && !isVirtual(node)) blocks.push({ start: at + 1, size: node.content.size })
    return !node.isTextblock
  })
  return blocks
}

function editorPositionOf(blocks: readonly TextBlock[], { line, offset }: LinePosition): number | null {
  const block = blocks[line]
  return block && offset <= block.size ? block.start + offset : null
}

const hasExpectedText = (doc: Node, { from, to }: EditorRange, { expectedText }: Highlight): boolean =>
  expectedText === undefined || doc.textBetween(from, to, '\n') === expectedText

/** The range of lines between two positions. */
export function lineRangeBetween(doc: Node, from: number, to: number): LineRange {
  const blocks = textBlocksOf(doc)
  return { from: linePositionAt(blocks, from), to: linePositionAt(blocks, to) }
}

/** A position outside of all lines counts as the end of the line before it. */
function linePositionAt(blocks: readonly TextBlock[], at: number): LinePosition {
  const line = blocks.findLastIndex(({ start }) => start <= at)
  const block = blocks[line]
  return block ? { line, offset: Math.min(at - block.start, block.size) } : { line: 0, offset: 0 }
}
