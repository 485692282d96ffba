'use client'

import { Menu } from '@base-ui/react/menu'
import { Copy, Download, FolderInput, LayoutTemplate, Pencil, Star, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import { exportStrings } from '@/lib/strings/export.ts'

export interface DocumentActions {
  readonly onRename: () => void
  readonly onDuplicate: () => void
  readonly onExport: () => void
  readonly onDelete: () => void
  readonly onMove: () => void
  readonly onFavourite: () => void
  readonly onTemplate: () => void
}

export interface DocumentMenuPopupProps extends DocumentActions {
  readonly isOwner: boolean
  readonly isFavourite: boolean
  readonly isTemplate: boolean
}

export default function DocumentMenuPopup({
  isOwner,
  isFavourite,
  isTemplate,
  onMove,
  onFavourite,
  onTemplate,
  onRename,
  onDuplicate,
  onExport,
  onDelete,
  anchor,
  ...popup
}: DocumentMenuPopupProps & PopupProps) {
  // The action runs after the menu has closed: a dialog that opens earlier would lose the focus again.
  const chosenAction = useRef<(() => void) | null>(null)
  const choose = (action: () => void) => () => {
    chosenAction.current = action
  }
  const onOpenChangeComplete = (open: boolean) => {
    if (open) return
    chosenAction.current?.()
    chosenAction.current = null
  }
  return (
    <Menu.Root {...popup} onOpenChangeComplete={onOpenChangeComplete}>
      <MenuPopup anchor={anchor}>
        {isOwner && (
          <Menu.Item className={menuItemClass} onClick={choose(onRename)}>
            <Pencil size={16} aria-hidden className="text-muted" /> {documentsStrings.menu.rename}
          </Menu.Item>
        )}
        <Menu.Item className={menuItemClass} onClick={choose(onDuplicate)}>
          <Copy size={16} aria-hidden className="text-muted" /> {documentsStrings.menu.duplicate}
        </Menu.Item>
        <Menu.Item className={menuItemClass} onClick={choose(onMove)}>
          <FolderInput size={16} aria-hidden className="text-muted" /> {foldersStrings.move}
        </Menu.Item>
        <Menu.Item className={menuItemClass} onClick={choose(onFavourite)}>
          <Star size={16} aria-hidden className="text-muted" />{' '}
          {documentsStrings.menu[isFavourite ? 'notFavourite' : 'favourite']}
        </Menu.Item>
        <Menu.Item className={menuItemClass} onClick={choose(onTemplate)}>
          <LayoutTemplate size={16} aria-hidden className="text-muted" />{' '}
          {documentsStrings.menu[isTemplate ? 'notTemplate' : 'template']}
        </Menu.Item>
        <Menu.Item className={menuItemClass} onClick={choose(onExport)}>
          <Download size={16} aria-hidden className="text-muted" /> {exportStrings.menu}
        </Menu.Item>
        {isOwner && (
          <Menu.Item className={`${menuItemClass} text-danger`} onClick={choose(onDelete)}>
            <Trash2 size={16} aria-hidden /> {documentsStrings.menu.moveToTrash}
          </Menu.Item>
        )}
      </MenuPopup>
    </Menu.Root>
  )
}
