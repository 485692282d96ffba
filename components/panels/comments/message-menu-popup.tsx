'use client'

import { Menu } from '@base-ui/react/menu'
import { Pencil, Trash2 } from 'lucide-react'
import { MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { commentsStrings } from '@/lib/strings/comments.ts'

export interface MessageActions {
  readonly onEdit: () => void
  readonly onDelete: () => void
}

export interface MessageMenuPopupProps extends MessageActions {}

export default function MessageMenuPopup({
  anchor,
  onEdit,
  onDelete,
  open,
  onOpenChange,
}: MessageMenuPopupProps & PopupProps) {
  return (
    <Menu.Root open={open} onOpenChange={onOpenChange}>
      <MenuPopup anchor={anchor}>
        <Menu.Item onClick={onEdit} className={menuItemClass}>
          <Pencil size={15} aria-hidden /> {commentsStrings.message.edit}
        </Menu.Item>
        <Menu.Item onClick={onDelete} className={menuItemClass}>
          <Trash2 size={15} aria-hidden /> {commentsStrings.message.delete}
        </Menu.Item>
      </MenuPopup>
    </Menu.Root>
  )
}
