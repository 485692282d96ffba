import type { Editor } from '@tiptap/react'

/** At once: Tiptap's own `focus` waits for the next frame, and a letter typed meanwhile goes where the focus was. */
export function focusText({ view, commands }: Editor): void {
  view.focus()
  commands.scrollIntoView()
}

export function focusTextStart(editor: Editor): void {
  editor.commands.setTextSelection(0)
  focusText(editor)
}
