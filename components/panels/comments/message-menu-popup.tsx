'use client'

import { Menu } from '@base-ui/react/menu'
import { Pencil, Trash2 } from 'lucide-react'
import { MenuItem, MenuPopup } from '@/components/ui/menu.tsx'
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
        <MenuItem name={commentsStrings.message.edit} Icon={Pencil} onClick={onEdit} />
        <MenuItem name={commentsStrings.message.delete} Icon={Trash2} onClick={onDelete} />
      </MenuPopup>
    </Menu.Root>
  )
}
