'use client'

import type { Editor } from '@tiptap/react'
import { Plus } from 'lucide-react'
import { Hint } from '@/components/ui/hint.tsx'
import { ToolbarButton } from '@/components/ui/toolbar.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import type { InsertMenuPopupProps } from './insert-menu-popup.tsx'
import { editorStrings } from '@/lib/strings/editor.ts'

const loadPopup = () => import('./insert-menu-popup.tsx')

/** All blocks, and what is done with the block at the caret: on a phone the toolbar has no room for them. */
export function InsertMenu({ editor }: { editor: Editor }) {
  const { trigger, Popup, popup } = usePopup<InsertMenuPopupProps>('menu', loadPopup)
  return (
    <>
      <Hint text={editorStrings.toolbar.allBlocks} keys="/">
        <ToolbarButton
          {...trigger}
          aria-label={editorStrings.toolbar.allBlocks}
          className="grid size-8 pointer-coarse:size-10 shrink-0 place-items-center rounded-md text-ink hover:bg-sunk aria-expanded:bg-sunk"
        >
          <Plus size={17} aria-hidden />
        </ToolbarButton>
      </Hint>
      {Popup && <Popup editor={editor} {...popup} />}
    </>
  )
}
