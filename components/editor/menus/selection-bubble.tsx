'use client'

import type { Editor } from '@tiptap/react'
import { TextSelection } from '@tiptap/pm/state'
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Toolbar } from '@/components/ui/toolbar.tsx'
import { focusText } from '../focus-text.ts'
import { placeBeside } from '../suggestions/place-beside.ts'
import { BlockMenu } from './block-menu.tsx'
import { FormatMenu } from './format-menu.tsx'
import {
  CommentButton,
  GroupButtons,
  LinkButton,
  ToolbarDivider,
  type EditorToolbarProps,
} from './editor-toolbar.tsx'
import { markGroup } from './toolbar-items.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

const hasLetters = ({ state: { selection } }: Editor): boolean =>
  selection instanceof TextSelection && !selection.empty

/**
 * A toolbar beside letters that were selected with a mouse. Whoever selects by keys has the keys, or the toolbar above; on a phone the
 * system's own menu stands there. It stays where it is while others write.
 */
export function SelectionBubble({ editor, onLink, onComment }: EditorToolbarProps) {
  const bubble = useRef<HTMLDivElement>(null)
  const [isShown, hide] = useMouseSelection(editor)
  const place = useEffectEvent(() => {
    const popup = bubble.current
    if (popup) placeBeside(popup, editor.view.coordsAtPos(editor.state.selection.from), 'above')
  })
  useLayoutEffect(() => {
    if (!isShown) return
    place()
    const stop = new AbortController()
    addEventListener('scroll', () => place(), { capture: true, passive: true, signal: stop.signal })
    addEventListener('resize', () => place(), { signal: stop.signal })
    return () => stop.abort()
  }, [isShown])
  if (!isShown) return null
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') focusText(editor)
  }
  // The form that opens takes its place.
  const hideAnd = (open: () => void) => () => {
    hide()
    open()
  }
  return createPortal(
    <div
      ref={bubble}
      data-screen-only
      className="fixed z-30 rounded-lg border border-line bg-raised shadow-float"
    >
      <Toolbar
        aria-label={editorStrings.toolbar.selection}
        data-selection-bubble
        onKeyDown={onKeyDown}
        className="flex items-center gap-0.5 p-1"
      >
        <BlockMenu editor={editor} />
        <ToolbarDivider />
        <GroupButtons editor={editor} group={markGroup} />
        <FormatMenu editor={editor} />
        <LinkButton editor={editor} onLink={hideAnd(onLink)} />
        <CommentButton onComment={hideAnd(onComment)} />
      </Toolbar>
    </div>,
    document.body,
  )
}

/** From when a mouse has selected letters until they are no longer selected, or somebody types. */
function useMouseSelection(editor: Editor): readonly [isShown: boolean, hide: () => void] {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const { dom } = editor.view
    const onUp = ({ pointerType }: PointerEvent) => {
      // The editor reads the browser's selection after this event.
      if (pointerType === 'mouse') setTimeout(() => setShown(!editor.isDestroyed && hasLetters(editor)))
    }
    dom.addEventListener(
      'pointerdown',
      () => addEventListener('pointerup', onUp, { once: true, signal: stop.signal }),
      stop,
    )
    dom.addEventListener(
      'keydown',
      ({ key }) => (key.length === 1 || key === 'Escape' ? setShown(false) : undefined),
      stop,
    )
    const onSelection = () => {
      if (!hasLetters(editor)) setShown(false)
    }
    editor.on('transaction', onSelection)
    return () => {
      stop.abort()
      editor.off('transaction', onSelection)
    }
  }, [editor])
  return [isShown, () => setShown(false)]
}
