'use client'

import type { Editor } from '@tiptap/core'
import { ChevronDown } from 'lucide-react'
import { ToolbarButton } from '@/components/ui/toolbar.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import { useEditorFormat } from '../use-editor-format.ts'
import type { BlockMenuPopupProps } from './block-menu-popup.tsx'
import { blockStyleName, blockStyleOf } from './block-styles.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

const loadPopup = () => import('./block-menu-popup.tsx')

/** Chooses what the paragraph is: text or a heading. */
export function BlockMenu({ editor }: { editor: Editor }) {
  const current = useEditorFormat(editor, blockStyleOf)
  const { trigger, Popup, popup } = usePopup<BlockMenuPopupProps>('menu', loadPopup)
  const name = blockStyleName(current)
  return (
    <>
      <ToolbarButton
        {...trigger}
        aria-label={editorStrings.paragraphStyle.label(name)}
        className="flex h-8 w-[6.75rem] shrink-0 items-center justify-between rounded-md px-2 text-sm hover:bg-sunk aria-expanded:bg-sunk"
      >
        {name}
        <ChevronDown size={14} aria-hidden className="text-muted" />
      </ToolbarButton>
      {Popup && <Popup editor={editor} current={current} {...popup} />}
    </>
  )
}
