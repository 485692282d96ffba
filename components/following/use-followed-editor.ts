'use client'

import type { Editor } from '@tiptap/react'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import { useContext, useEffect } from 'react'
import { FollowingContext } from './following-context.ts'
import { EditorSurface } from './editor-surface.ts'
import { TextScroller } from './text-scroller.ts'
import { keepScrollAnchored } from './scroll-anchoring.ts'

interface EditorTransactionEvent {
  readonly transaction: { getMeta(key: unknown): unknown }
}

/** Tells remote edits apart, because they shift the selection, too. */
const isRemote = ({ transaction }: EditorTransactionEvent): boolean =>
  (transaction.getMeta(ySyncPluginKey) as { isChangeOrigin?: boolean } | undefined)?.isChangeOrigin === true

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
    const onSelection = (event: EditorTransactionEvent) => {
      if (isRemote(event) || !editor.isFocused) return
      surface.onSelect()
      handle.onSelect()
    }
    editor.on('selectionUpdate', onSelection)
    return () => {
      editor.off('selectionUpdate', onSelection)
      stopAnchoring()
      scroller.stop()
      surface.markSelection(null)
      handle.remove()
    }
  }, [context, editor])
}
