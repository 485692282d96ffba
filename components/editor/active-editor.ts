import type { Editor } from '@tiptap/react'
import { useEffect } from 'react'
import { create } from 'zustand'

interface ActiveEditor {
  /** The editor of this page that had the focus last, while it is on screen. */
  readonly editor: Editor | null
}

const useStore = create<ActiveEditor>(() => ({ editor: null }))

/** Notes when the editor gets the focus. */
export function useActivation(editor: Editor): void {
  useEffect(() => {
    const onFocus = () => useStore.setState({ editor })
    editor.on('focus', onFocus)
    return () => {
      editor.off('focus', onFocus)
      if (useStore.getState().editor === editor) useStore.setState({ editor: null })
    }
  }, [editor])
}

/** Whether the commands of this page are about the editor: of several that of the focus has them. */
export const useIsActive = (editor: Editor): boolean => useStore((active) => active.editor === editor)
