/**
 * Highlights ranges of the text that a panel refers to, without changing the text. Knows lines and letters; does not know what a highlight
 * means.
 */
import { Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey, type PluginView } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import type { LinePosition, LineRange } from '@/lib/text/lines.ts'
import { type LineBlock, lineBlocksOf } from '@/components/binding/line-blocks.ts'
import { isDrawn, textBindingOf } from '@/components/binding/text-binding.ts'
import { isStructuralEdit } from '@/components/binding/letter-edits.ts'

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
      init: (_config, state) => ({
        decorationSet: decorate(state, source.get()),
        structuralEdits: 0,
        mappedEdits: 0,
      }),
      apply: (transaction, previous, _before, state) => {
        const { decorationSet, structuralEdits, mappedEdits } = previous
        const { doc } = transaction
        const isStructural = transaction.docChanged && isStructuralEdit(transaction)
        if (transaction.getMeta(key) === true || (isDrawn(transaction) && isStructural))
          return { ...previous, decorationSet: decorate(state, source.get()) }
        if (!transaction.docChanged) return previous
        const mapped = { ...previous, decorationSet: decorationSet.map(transaction.mapping, doc) }
        return isDrawn(transaction)
          ? { ...mapped, mappedEdits: mappedEdits + 1 }
          : { ...mapped, structuralEdits: structuralEdits + Number(isStructural) }
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
      source.onBlocksMoved?.(lineRangesOf(view.state, key.getState(view.state)!.decorationSet))
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
export function editorRangeOf(state: EditorState, lineRange: LineRange): EditorRange | null {
  return editorRangeIn(linesIn(state), lineRange)
}

interface EditorRange {
  readonly from: number
  readonly to: number
}

type ShownLines = readonly (LineBlock | null)[]

function linesIn(state: EditorState): ShownLines {
  const binding = textBindingOf(state)
  return binding ? lineBlocksOf(binding) : []
}

function editorRangeIn(lines: ShownLines, lineRange: LineRange): EditorRange | null {
  const [from, to] = [editorPositionOf(lines, lineRange.from), editorPositionOf(lines, lineRange.to)]
  return from === null || to === null || from >= to ? null : { from, to }
}

function decorate(state: EditorState, highlightList: readonly Highlight[]): DecorationSet {
  if (highlightList.length === 0) return DecorationSet.empty
  const lines = linesIn(state)
  const decorations = highlightList.flatMap((highlight) => {
    const range = editorRangeIn(lines, highlight)
    if (!range || !hasExpectedText(state, range, highlight)) return []
    const { id, className } = highlight
    return [Decoration.inline(range.from, range.to, { class: className }, { id } satisfies HighlightSpec)]
  })
  return DecorationSet.create(state.doc, decorations)
}

function lineRangesOf(state: EditorState, decorationSet: DecorationSet): Map<string, LineRange> {
  const ends = new Map<string, EditorRange>()
  for (const { from, to, spec } of decorationSet.find()) {
    const { id } = spec as HighlightSpec
    const existing = ends.get(id)
    ends.set(id, { from: Math.min(from, existing?.from ?? from), to: Math.max(to, existing?.to ?? to) })
  }
  if (ends.size === 0) return new Map()
  const lines = linesIn(state)
  const lineRangeOf = ({ from, to }: EditorRange): LineRange => ({
    from: linePositionAt(lines, from),
    to: linePositionAt(lines, to),
  })
  return new Map([...ends].map(([id, positions]) => [id, lineRangeOf(positions)]))
}

function editorPositionOf(lines: ShownLines, { line, offset }: LinePosition): number | null {
  const block = lines[line]
  return block && offset <= block.size ? block.start + offset : null
}

const hasExpectedText = (
  { doc }: EditorState,
  { from, to }: EditorRange,
  { expectedText }: Highlight,
): boolean => expectedText === undefined || doc.textBetween(from, to, '\n') === expectedText

/** The range of lines between two positions. */
export function lineRangeBetween(state: EditorState, from: number, to: number): LineRange {
  const lines = linesIn(state)
  return { from: linePositionAt(lines, from), to: linePositionAt(lines, to) }
}

/** A position outside of all lines counts as the end of the line before it. */
function linePositionAt(lines: ShownLines, at: number): LinePosition {
  const line = lines.findLastIndex((block) => block !== null && block.start <= at)
  const block = lines[line]
  return block ? { line, offset: Math.min(at - block.start, block.size) } : { line: 0, offset: 0 }
}
