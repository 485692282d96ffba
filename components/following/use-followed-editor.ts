'use client'

import type { Editor, EditorEvents } from '@tiptap/react'
import { useContext, useEffect } from 'react'
import { isDrawn } from '@/components/editor/binding/text-binding.ts'
import { FollowingContext } from './following-context.ts'
import { onShowInText } from './show-in-text.ts'
import { EditorSurface } from './editor-surface.ts'
import { TextScroller } from './text-scroller.ts'
import { keepScrollAnchored } from './scroll-anchoring.ts'

/** Links an editor to the other windows, and keeps it still during remote edits. */
export function useFollowedEditor(editor: Editor): void {
  const context = useContext(FollowingContext)
  useEffect(() => {
    // Tiptap destroys an editor that was not on screen soon enough, and creates another.
    if (!context || editor.isDestroyed) return
    const scroller = new TextScroller(editor.view.dom)
    const surface = new EditorSurface(editor, context.fragment, scroller)
    const handle = context.following.addSurface(surface)
    const { doc } = context.fragment
    const stopAnchoring = doc ? keepScrollAnchored(doc, surface) : () => {}
    scroller.watch({
      ...handle,
      onScroll() {
        surface.onScroll()
        handle.onScroll()
      },
    })
    const onSelection = ({ transaction }: EditorEvents['selectionUpdate']) => {
      // Remote edits shift the selection, too.
      if (isDrawn(transaction) || !editor.isFocused) return
      surface.onSelect()
      handle.onSelect()
    }
    editor.on('selectionUpdate', onSelection)
    const stopShowing = onShowInText(editor.view.dom, (position) =>
      context.following.goTo(position, { within: true }),
    )
    return () => {
      editor.off('selectionUpdate', onSelection)
      stopShowing()
      stopAnchoring()
      scroller.stop()
      surface.markSelection(null)
      handle.remove()
    }
  }, [context, editor])
}
