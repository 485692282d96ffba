'use client'

import { Menu } from '@base-ui/react/menu'
import type { Editor } from '@tiptap/react'
import { TableMenuItems } from '@/components/blocks/table/table-menu-items.tsx'
import { MenuPopup } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { focusText } from '../focus-text.ts'

export interface TableMenuPopupProps {
  readonly editor: Editor
}

export default function TableMenuPopup({ editor, anchor, ...popup }: TableMenuPopupProps & PopupProps) {
  const onOpenChangeComplete = (isOpen: boolean): void => {
    if (!isOpen) focusText(editor)
  }
  return (
    <Menu.Root {...popup} onOpenChangeComplete={onOpenChangeComplete}>
      <MenuPopup anchor={anchor} align="start" returnsFocus={() => false}>
        <TableMenuItems editor={editor} parts={['row', 'column', 'table']} />
      </MenuPopup>
    </Menu.Root>
  )
}
