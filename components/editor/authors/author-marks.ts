/**
 * Marks in the text who wrote what: a line below the letters in the author's colour, and their sign where the author changes, since colour
 * alone would tell some readers nothing. Only what is on screen is marked, however long the text is.
 */
import { Plugin, type EditorState, type PluginView } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import { textBindingOf } from '@/components/binding/text-binding.ts'
import { authorMarksKey } from './author-marks-key.ts'
import { createDecorations, type PendingDecoration } from './create-decorations.ts'
import { type ShownRun, shownRunsIn } from './shown-runs.ts'

/** How an author is marked. */
export interface AuthorLook {
  /** Differs from author to author. */
  readonly id: string
  /** One or a few letters, another one for each author on screen. */
  readonly sign: string
  /** Null for those who have none. */
  readonly colour: string | null
  /** For a pointer that stays on the letters. */
  readonly title: string
}

export interface AuthorMarksSource {
  lookOf(client: number): AuthorLook
  /** The clients of what is on screen, in the order of the text, and that of the letter before the caret. */
  onShown(clients: readonly number[], atCaret: number | null): void
}

/** In positions of the editor: the plugin marks so much above and below the screen, so that scrolling shows marks at once. */
const MARGIN = 3_000
/** A screen of which each letter has another author has no more. */
const MAX_RUNS = 2_000

/** The plugin draws the marks anew after a scroll or an edit, and when `redrawAuthorMarks` asks for it. */
export function authorMarks(source: AuthorMarksSource): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key: authorMarksKey,
    state: {
      init: () => DecorationSet.empty,
      apply: (transaction, marks) => {
        const drawn = transaction.getMeta(authorMarksKey) as DecorationSet | undefined
        return drawn ?? (transaction.docChanged ? marks.map(transaction.mapping, transaction.doc) : marks)
      },
    },
    props: { decorations: (state) => authorMarksKey.getState(state) },
    view: (view) => new MarksOnScreen(view, source),
  })
}

/** Asks for new marks in the next frame. */
export const redrawAuthorMarks = (view: EditorView): void =>
  void view.dom.dispatchEvent(new CustomEvent(REDRAW_EVENT))

const REDRAW_EVENT = 'diptych-authors'

class MarksOnScreen implements PluginView {
  readonly #view: EditorView
  readonly #source: AuthorMarksSource
  readonly #end = new AbortController()
  #frame: number | undefined

  constructor(view: EditorView, source: AuthorMarksSource) {
    this.#view = view
    this.#source = source
    const { signal } = this.#end
    const options = { signal, capture: true, passive: true }
    document.addEventListener('scroll', this.#schedule, options)
    addEventListener('resize', this.#schedule, options)
    view.dom.addEventListener(REDRAW_EVENT, this.#schedule, { signal })
    view.dom.addEventListener('compositionend', this.#schedule, { signal })
    this.#schedule()
  }

  update({ state }: EditorView, before: EditorState): void {
    if (state.doc !== before.doc || !state.selection.eq(before.selection)) this.#schedule()
  }

  destroy(): void {
    this.#end.abort()
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
  }

  readonly #schedule = (): void => {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#draw()
    })
  }

  #draw(): void {
    const view = this.#view
    const reading = textBindingOf(view.state)?.reading
    // New elements would end a composition. What is typed is not read before the next turn.
    if (view.isDestroyed || view.composing || reading?.node !== view.state.doc) return
    const { from, to } = rangeOnScreen(view)
    const runs = shownRunsIn(reading, from - MARGIN, to + MARGIN).slice(0, MAX_RUNS)
    const marks = createDecorations(
      view.state.doc,
      runs.flatMap((run, index) => this.#decorationsOf(run, runs[index - 1])),
    )
    const { from: caret } = view.state.selection
    const atCaret = runs.find((run) => run.from < caret && caret <= run.to) ?? null
    const onScreen = runs.filter((run) => run.to > from && run.from < to)
    this.#source.onShown([...new Set(onScreen.map(({ client }) => client))], atCaret?.client ?? null)
    if (!isSameMarks(authorMarksKey.getState(view.state)?.find() ?? [], marks.find()))
      view.dispatch(view.state.tr.setMeta(authorMarksKey, marks))
  }

  #decorationsOf(run: ShownRun, previous: ShownRun | undefined): PendingDecoration[] {
    const { from, to, line } = run
    const look = this.#source.lookOf(run.client)
    const { id, sign, colour, title } = look
    const attributes = {
      class: colour === null ? 'author-run author-unknown' : 'author-run',
      title,
      ...(colour !== null && { style: `--author: ${colour}` }),
    }
    const key = `${id} ${sign} ${colour} ${title}`
    if (line === null)
      return [{ from, to, create: (start, end) => Decoration.node(start, end, attributes, { key }) }]
    const inline: PendingDecoration = {
      from,
      to,
      create: (start, end) => Decoration.inline(start, end, attributes, { key }),
    }
    const isContinued = previous?.line === line && this.#source.lookOf(previous.client).id === id
    if (isContinued) return [inline]
    const spec = { key: `sign ${key}`, side: -1, ignoreSelection: true, marks: [] }
    const create = (at: number) => Decoration.widget(at, () => createSign(look), spec)
    return [{ from, to: from, create }, inline]
  }
}

/** The letters come from a style sheet: they are not in the text, and no screen reader says them in mid-sentence. */
function createSign({ sign, colour }: AuthorLook): HTMLElement {
  const element = document.createElement('span')
  element.className = 'author-sign'
  element.ariaHidden = 'true'
  element.dataset['sign'] = sign
  if (colour !== null) element.style.setProperty('--author', colour)
  return element
}

/** The positions of the first and the last letters on screen. */
function rangeOnScreen(view: EditorView): { from: number; to: number } {
  const { left, right, top, bottom } = view.dom.getBoundingClientRect()
  const middle = (left + right) / 2
  const positionAt = (y: number) => view.posAtCoords({ left: middle, top: y })?.pos
  const end = view.state.doc.content.size
  if (bottom <= 0) return { from: end, to: end }
  if (top >= innerHeight) return { from: 0, to: 0 }
  const from = top >= 0 ? 0 : (positionAt(1) ?? view.state.selection.from)
  const to = bottom <= innerHeight ? end : (positionAt(innerHeight - 1) ?? from + MARGIN)
  return { from: Math.min(from, to), to: Math.max(from, to) }
}

interface MarkSpec {
  readonly key: string
}

const isSameMarks = (a: readonly Decoration[], b: readonly Decoration[]): boolean =>
  a.length === b.length &&
  a.every((mark, index) => {
    const other = b[index]!
    return (
      mark.from === other.from &&
      mark.to === other.to &&
      (mark.spec as MarkSpec).key === (other.spec as MarkSpec).key
    )
  })
