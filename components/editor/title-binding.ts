/**
 * Binds a text field to the shared title, both ways, by the smallest changes. Knows Yjs and one field; does not know React.
 *
 * While an input method composes, the field is left alone: others' changes wait and are laid under what was composed.
 */
import type * as Y from 'yjs'
import type { Undo } from '@/lib/undo/undo.ts'
import { editBetween, mapPosition, type TextDelta } from './title-edit.ts'

export class TitleBinding {
  readonly #field: HTMLTextAreaElement
  readonly #title: Y.Text
  readonly #undo: Undo
  readonly #listening = new AbortController()
  /** The text of the field as of the latest exchange with the shared one. */
  #shown = ''
  #composing = false
  #waiting: TextDelta[] = []

  constructor(field: HTMLTextAreaElement, title: Y.Text, undo: Undo) {
    this.#field = field
    this.#title = title
    this.#undo = undo
    this.#show()
    title.observe(this.#onShared)
    this.#listen()
  }

  destroy(): void {
    this.#listening.abort()
    this.#title.unobserve(this.#onShared)
  }

  #listen(): void {
    const field = this.#field
    const { signal } = this.#listening
    field.addEventListener('focus', () => this.#undo.manager.stopCapturing(), { signal })
    field.addEventListener('blur', () => this.#undo.manager.stopCapturing(), { signal })
    field.addEventListener('input', () => this.#composing || this.#push(), { signal })
    field.addEventListener('compositionstart', () => (this.#composing = true), { signal })
    field.addEventListener('compositionend', () => this.#endComposition(), { signal })
    field.addEventListener('beforeinput', (event) => this.#onBeforeInput(event), { signal })
    field.addEventListener('keydown', (event) => this.#onKeyDown(event), { signal })
  }

  #onShared = (event: Y.YTextEvent): void => {
    if (event.transaction.origin === this) return
    const delta = event.delta as TextDelta
    if (this.#composing) this.#waiting.push(delta)
    else this.#show((position) => mapPosition(position, delta))
  }

  /** Writes the shared text into the field and keeps the caret where it was in the text. */
  #show(map = (position: number) => position): void {
    const { selectionStart, selectionEnd } = this.#field
    this.#shown = this.#title.toJSON()
    if (this.#field.value !== this.#shown) this.#field.value = this.#shown
    // Setting the selection of a field that is not in use would take the focus in Safari.
    if (document.activeElement === this.#field) {
      this.#field.setSelectionRange(map(selectionStart), map(selectionEnd))
    }
  }

  /** Brings what was typed into the shared text. */
  #push(): void {
    const typed = this.#field.value.replaceAll(/[\r\n]+/g, ' ')
    const { index, remove, insert } = editBetween(this.#shown, typed, this.#field.selectionStart)
    const map = (position: number) => this.#waiting.reduce(mapPosition, position)
    const [from, to] = [map(index), map(index + remove)]
    this.#title.doc?.transact(() => {
      if (to > from) this.#title.delete(from, to - from)
      if (insert) this.#title.insert(from, insert)
    }, this)
    const caret = this.#waiting.length > 0 || typed !== this.#field.value ? from + insert.length : undefined
    this.#waiting = []
    this.#show((position) => caret ?? position)
  }

  #endComposition(): void {
    this.#composing = false
    this.#push()
  }

  #onBeforeInput(event: InputEvent): void {
    if (event.inputType === 'historyUndo') this.#step(event, 'undo')
    if (event.inputType === 'historyRedo') this.#step(event, 'redo')
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (!(event.metaKey || event.ctrlKey) || event.altKey) return
    const key = event.key.toLowerCase()
    if (key === 'z' && !event.shiftKey) this.#step(event, 'undo')
    else if (key === 'y' || key === 'z') this.#step(event, 'redo')
  }

  /** The browser's own undo knows nothing of others' changes. */
  #step(event: Event, direction: 'undo' | 'redo'): void {
    event.preventDefault()
    this.#undo[direction]('title')
  }
}
