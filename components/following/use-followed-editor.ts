'use client'

import type { Editor } from '@tiptap/react'
import { useContext, useEffect } from 'react'
import { FollowingContext, isLoaded, useGoTo } from './following-context.ts'
import { onShowInText } from './show-in-text.ts'
import { loadFollowingCode } from './window-following.ts'

/** Links an editor to the other windows once following has loaded. */
export function useFollowedEditor(editor: Editor): void {
  const context = useContext(FollowingContext)
  const goTo = useGoTo()
  useEffect(() => {
    // Tiptap destroys an editor that was not on screen soon enough, and creates another.
    if (editor.isDestroyed) return
    return onShowInText(editor.view.dom, (position) => goTo(position, { within: true }))
  }, [editor, goTo])
  useEffect(() => {
    if (!isLoaded(context)) return
    let stop: (() => void) | null = () => {}
    void loadFollowingCode().then(({ linkEditor }) => {
      if (stop && !editor.isDestroyed) stop = linkEditor(editor, context)
    })
    return () => {
      stop?.()
      stop = null
    }
  }, [context, editor])
}
