import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { toast } from '@/components/ui/toast'
import { strings } from '@/lib/strings/editor.ts'

const showHowToLeave = (): boolean => {
  toast(strings.text.leaveByTab, { id: 'tab' })
  return true
}

/**
 * Tab indents in lists and code. Elsewhere it does nothing but say how to leave: who presses it in a paragraph means to indent, as in a
 * word processor, and not to be in another part of the page; and Markdown would read a tab there as code. After Escape it leaves the
 * text, so that the keyboard is never caught.
 */
export const TabKey = Extension.create({
  name: 'tabKey',
  // After lists and code blocks.
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
