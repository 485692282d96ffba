/**
 * Watches for a sign that opens a list beside the caret: `/` that of blocks, `@` that of people, documents and dates. It counts where a word begins, and only as the person types it: what
 * others write, a paste or an undo opens nothing. Knows the text; does not know what the list offers, whose code is loaded late.
 */
import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { isDrawn } from '@/components/binding/text-binding.ts'
import { areMenusComing, holdKey } from '@/components/blocks/late-keys.ts'

export interface Suggestion {
  readonly sign: string
  /** The position of the sign. */
  readonly from: number
  /** The position of the caret. */
  readonly to: number
  /** What stands between both. */
  readonly query: string
}

const signs = ['/', '@']

/** Those of the list, which may still be on its way. */
const listKeys = ['ArrowDown', 'ArrowUp', 'Enter', 'Tab']

const LONGEST_QUERY = 40

/** Stands for what is no letter. */
const OBJECT = '\ufffc'

const key = new PluginKey<Suggestion | null>('suggestion')

export const suggestionOf = (state: EditorState): Suggestion | null => key.getState(state) ?? null

export const closeSuggestion = (transaction: Transaction): Transaction => transaction.setMeta(key, true)

export function suggestionPlugin(): Plugin<Suggestion | null> {
  /** Where the person has just typed a sign, in the document after that. */
  let typedAt: number | null = null
  return new Plugin<Suggestion | null>({
    key,
    state: {
      init: () => null,
      apply(transaction, open, _before, state) {
        const isClosed = transaction.getMeta(key) !== undefined
        const isTyped = typedAt !== null && transaction.docChanged && !isDrawn(transaction)
        const from = isTyped ? typedAt : open && !isClosed ? mappedStart(transaction, open) : null
        if (isTyped) typedAt = null
        return from === null ? null : readSuggestion(state, from)
      },
    },
    props: {
      handleTextInput({ state }, from, _to, text) {
        if (!signs.includes(text.slice(-1))) return false
        const isBetweenBlocks = !state.doc.resolve(from).parent.inlineContent
        // A line is made there for what is typed.
        const at = isBetweenBlocks ? from + 1 : from
        typedAt = isBetweenBlocks || beginsWord(state, from, text) ? at + text.length - 1 : null
        return false
      },
      handleKeyDown(view, event) {
        if (!suggestionOf(view.state)) return false
        if (listKeys.includes(event.key) && !event.shiftKey && areMenusComing(view))
          return holdKey(view, event)
        // Also where the list is empty and not shown.
        if (event.key !== 'Escape') return false
        view.dispatch(closeSuggestion(view.state.tr))
        return true
      },
      handleDOMEvents: {
        blur(view) {
          // A window that loses the focus keeps its active element.
          if (suggestionOf(view.state) && document.activeElement !== view.dom)
            view.dispatch(closeSuggestion(view.state.tr))
        },
      },
    },
  })
}

export const Suggestions = Extension.create({
  name: 'suggestions',
  // Before Escape selects the block, or is held.
  priority: 1_200,
  addProseMirrorPlugins: () => [suggestionPlugin()],
})

function mappedStart({ mapping }: Transaction, { from }: Suggestion): number | null {
  const { pos, deletedAfter } = mapping.mapResult(from)
  return deletedAfter ? null : pos
}

function readSuggestion({ selection: { empty, $head } }: EditorState, from: number): Suggestion | null {
  const start = $head.depth > 0 ? $head.start() : $head.pos
  if (!empty || from < start || from >= $head.pos) return null
  const text = $head.parent.textBetween(from - start, $head.parentOffset, null, OBJECT)
  const [sign, query] = [text.slice(0, 1), text.slice(1)]
  const isQuery = query.length <= LONGEST_QUERY && !/^\s|\ufffc/.test(query)
  return signs.includes(sign) && isQuery ? { sign, from, to: $head.pos, query } : null
}

function beginsWord({ doc, storedMarks }: EditorState, from: number, typed: string): boolean {
  const $from = doc.resolve(from)
  const isCode = [...(storedMarks ?? $from.marks()), $from.parent].some(({ type }) => type.spec.code)
  if (isCode) return false
  const signOf = (leaf: Node): string => (leaf.type.spec.linebreakReplacement === true ? '\n' : OBJECT)
  const before = $from.parent.textBetween(0, $from.parentOffset, null, signOf) + typed.slice(0, -1)
  return before === '' || /\s$/.test(before)
}
