'use client'

import type { Editor } from '@tiptap/react'
import { TableProperties } from 'lucide-react'
import { Hint } from '@/components/ui/hint.tsx'
import { ToolbarButton } from '@/components/ui/toolbar.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import { editorStrings } from '@/lib/strings/editor.ts'
import type { TableMenuPopupProps } from './table-menu-popup.tsx'

const loadPopup = () => import('./table-menu-popup.tsx')

export default function TableMenuButton({ editor }: { editor: Editor }) {
  const { trigger, Popup, popup } = usePopup<TableMenuPopupProps>('menu', loadPopup)
  return (
    <>
      <Hint text={editorStrings.toolbar.tableOptions}>
        <ToolbarButton
          {...trigger}
          aria-label={editorStrings.toolbar.tableOptions}
          className="grid size-8 pointer-coarse:size-10 shrink-0 place-items-center rounded-md text-ink hover:bg-sunk aria-expanded:bg-sunk"
        >
          <TableProperties size={17} aria-hidden />
        </ToolbarButton>
      </Hint>
      {Popup && <Popup editor={editor} {...popup} />}
    </>
  )
}
