import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { toast } from '@/components/ui/toast.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

const showHowToLeave = (): boolean => {
  toast(editorStrings.text.leaveByTab, { id: 'tab' })
  return true
}

/**
 * Tab indents in lists and code. Elsewhere it only says how to leave the text: a person who presses it in a paragraph means to indent, as
 * in a word processor, not to move to another part of the page; and Markdown would read a tab there as code. After Escape, Tab leaves the
 * text, so that the keyboard focus is never trapped.
 */
export const TabKey = Extension.create({
  name: 'tabKey',
  // Runs after lists and code blocks.
  priority: 1,
  addKeyboardShortcuts: () => ({ Tab: showHowToLeave, 'Shift-Tab': showHowToLeave }),
  addProseMirrorPlugins() {
    let isLeaveArmed = false
    const keydown = (_view: unknown, event: KeyboardEvent) => {
      const isTab = event.key === 'Tab'
      const leavesNow = isLeaveArmed && isTab
      isLeaveArmed = event.key === 'Escape' || (isLeaveArmed && event.key === 'Shift')
      return leavesNow
    }
    return [new Plugin({ props: { handleDOMEvents: { keydown } } })]
  },
})
