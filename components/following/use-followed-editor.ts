'use client'

import type { Editor } from '@tiptap/react'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import { useContext, useEffect } from 'react'
import { FollowingContext } from './context'
import { EditorSurface } from './editor-surface'
import { Scroller } from './scroller'
import { keepSteady } from './steady'

interface Transacted {
  readonly transaction: { getMeta(key: unknown): unknown }
}

/** Others' edits shift the selection, too. */
const isRemote = ({ transaction }: Transacted): boolean =>
  (transaction.getMeta(ySyncPluginKey) as { isChangeOrigin?: boolean } | undefined)?.isChangeOrigin === true

/** Lets an editor move along with the other windows, and stand still while others write. */
export function useFollowedEditor(editor: Editor): void {
  const here = useContext(FollowingContext)
  useEffect(() => {
    // One that was not on screen soon enough its library has destroyed, and makes another.
    if (!here || editor.isDestroyed) return
    const scroller = new Scroller(editor.view.dom)
    const surface = new EditorSurface(editor, here.fragment, scroller)
    const handle = here.following.add(surface)
    const { doc } = here.fragment
    const stopSteady = doc ? keepSteady(doc, surface) : () => {}
    scroller.watch({
      ...handle,
      scrolled() {
        surface.scrolled()
        handle.scrolled()
      },
    })
    const onSelection = (event: Transacted) => {
      if (isRemote(event) || !editor.isFocused) return
      surface.selected()
      handle.selected()
    }
    editor.on('selectionUpdate', onSelection)
    return () => {
      editor.off('selectionUpdate', onSelection)
      stopSteady()
      scroller.stop()
      surface.mark(null)
      handle.remove()
    }
  }, [here, editor])
}
