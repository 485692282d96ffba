'use client'

import { Menu } from '@base-ui/react/menu'
import type { Editor } from '@tiptap/react'
import { MenuPopup } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { restoreSelection } from './table-caret.ts'
import type { TableMenuPart } from './table-items.ts'
import { TableMenuItems } from './table-menu-items.tsx'

interface TablePartMenuProps {
  readonly editor: Editor
  readonly part: TableMenuPart
}

/** Opened by the handle of a row or a column, which is selected by then. */
export function TablePartMenu({
  editor,
  part,
  anchor,
  open,
  onOpenChange,
  onOpenChangeComplete,
}: TablePartMenuProps & PopupProps) {
  const onChange = (isOpen: boolean): void => {
    onOpenChange(isOpen)
    if (isOpen || editor.isDestroyed) return
    restoreSelection(editor.view)
    // A letter may follow on Escape before the menu has disappeared.
    editor.view.focus()
  }
  const onComplete = (isOpen: boolean): void => {
    if (!isOpen && !editor.isDestroyed) editor.view.focus()
    onOpenChangeComplete?.(isOpen)
  }
  return (
    <Menu.Root open={open} onOpenChange={onChange} onOpenChangeComplete={onComplete}>
      <MenuPopup anchor={anchor} align="start" returnsFocus={() => false}>
        <TableMenuItems editor={editor} parts={[part, 'table']} />
      </MenuPopup>
    </Menu.Root>
  )
}
