import type { Editor } from '@tiptap/react'

/** Focuses the text at once. Tiptap's own `focus` waits for the next frame, and a letter typed meanwhile would go to the former focus. */
export function focusText({ view, commands }: Editor): void {
  view.focus()
  commands.scrollIntoView()
}

export function focusTextStart(editor: Editor): void {
  editor.commands.setTextSelection(0)
  focusText(editor)
}
