/**
 * Binds a text field to the shared title in both directions, with the smallest changes. Knows Yjs and one field; does not know React.
 *
 * During a composition the field is left alone: remote changes wait and are merged in afterwards.
 */
import type * as Y from 'yjs'
import type { Undo } from '@/lib/undo/undo.ts'
import { editBetween, mapPosition, type TextDelta } from './title-edit.ts'

export class TitleBinding {
  readonly #field: HTMLTextAreaElement
  readonly #title: Y.Text
  readonly #undo: Undo
  readonly #listenerController = new AbortController()
  /** The text of the field at the last exchange with the shared title. */
  #shown = ''
  #isComposing = false
  #pendingDeltas: TextDelta[] = []

  constructor(field: HTMLTextAreaElement, title: Y.Text, undo: Undo) {
    this.#field = field
    this.#title = title
    this.#undo = undo
    this.#renderShared()
    title.observe(this.#onSharedChange)
    this.#listen()
  }

  destroy(): void {
    this.#listenerController.abort()
    this.#title.unobserve(this.#onSharedChange)
  }

  #listen(): void {
    const field = this.#field
    const { signal } = this.#listenerController
    field.addEventListener('focus', () => this.#undo.manager.stopCapturing(), { signal })
    field.addEventListener('blur', () => this.#undo.manager.stopCapturing(), { signal })
    field.addEventListener('input', () => this.#isComposing || this.#writeTyped(), { signal })
    field.addEventListener('compositionstart', () => (this.#isComposing = true), { signal })
    field.addEventListener('compositionend', () => this.#endComposition(), { signal })
    field.addEventListener('beforeinput', (event) => this.#onBeforeInput(event), { signal })
    field.addEventListener('keydown', (event) => this.#onKeyDown(event), { signal })
  }

  #onSharedChange = (event: Y.YTextEvent): void => {
    if (event.transaction.origin === this) return
    const delta = event.delta as TextDelta
    if (this.#isComposing) this.#pendingDeltas.push(delta)
    else this.#renderShared((position) => mapPosition(position, delta))
  }

  /** Writes the shared title into the field and keeps the caret at the same place in the text. */
  #renderShared(map = (position: number) => position): void {
    const { selectionStart, selectionEnd } = this.#field
    this.#shown = this.#title.toJSON()
    if (this.#field.value !== this.#shown) this.#field.value = this.#shown
    // In Safari, setting the selection of an unfocused field would move the focus there.
    if (document.activeElement === this.#field) {
      this.#field.setSelectionRange(map(selectionStart), map(selectionEnd))
    }
  }

  /** Writes what was typed into the shared title. */
  #writeTyped(): void {
    const typed = this.#field.value.replaceAll(/[\r\n]+/g, ' ')
    const { index, remove, insert } = editBetween(this.#shown, typed, this.#field.selectionStart)
    const map = (position: number) => this.#pendingDeltas.reduce(mapPosition, position)
    const [from, to] = [map(index), map(index + remove)]
    this.#title.doc?.transact(() => {
      if (to > from) this.#title.delete(from, to - from)
      if (insert) this.#title.insert(from, insert)
    }, this)
    const caret =
      this.#pendingDeltas.length > 0 || typed !== this.#field.value ? from + insert.length : undefined
    this.#pendingDeltas = []
    this.#renderShared((position) => caret ?? position)
  }

  #endComposition(): void {
    this.#isComposing = false
    this.#writeTyped()
  }

  #onBeforeInput(event: InputEvent): void {
    if (event.inputType === 'historyUndo') this.#undoOrRedo(event, 'undo')
    if (event.inputType === 'historyRedo') this.#undoOrRedo(event, 'redo')
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (!(event.metaKey || event.ctrlKey) || event.altKey) return
    const key = event.key.toLowerCase()
    if (key === 'z' && !event.shiftKey) this.#undoOrRedo(event, 'undo')
    else if (key === 'y' || key === 'z') this.#undoOrRedo(event, 'redo')
  }

  /** Replaces the browser's own undo, which does not know remote changes. */
  #undoOrRedo(event: Event, direction: 'undo' | 'redo'): void {
    event.preventDefault()
    this.#undo[direction]('title')
  }
}
