'use client'

import { Menu } from '@base-ui/react/menu'
import { Copy, Download, FolderInput, LayoutTemplate, Pencil, Star, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { MenuItem, MenuPopup } from '@/components/ui/menu.tsx'
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
        {isOwner && <MenuItem name={documentsStrings.menu.rename} Icon={Pencil} onClick={choose(onRename)} />}
        <MenuItem name={documentsStrings.menu.duplicate} Icon={Copy} onClick={choose(onDuplicate)} />
        <MenuItem name={foldersStrings.move} Icon={FolderInput} onClick={choose(onMove)} />
        <MenuItem
          name={documentsStrings.menu[isFavourite ? 'notFavourite' : 'favourite']}
          Icon={Star}
          onClick={choose(onFavourite)}
        />
        <MenuItem
          name={documentsStrings.menu[isTemplate ? 'notTemplate' : 'template']}
          Icon={LayoutTemplate}
          onClick={choose(onTemplate)}
        />
        <MenuItem name={exportStrings.menu} Icon={Download} onClick={choose(onExport)} />
        {isOwner && (
          <MenuItem
            name={documentsStrings.menu.moveToTrash}
            Icon={Trash2}
            onClick={choose(onDelete)}
            isDanger
          />
        )}
      </MenuPopup>
    </Menu.Root>
  )
}
