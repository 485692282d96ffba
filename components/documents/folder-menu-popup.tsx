'use client'

import { Menu } from '@base-ui/react/menu'
import { FolderInput, FolderPlus, Pencil, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import type { FolderEntry } from '@/components/http-api.ts'
import { MenuItem, MenuPopup } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import { showFolderDialog } from './folder-dialogs.ts'

export interface FolderMenuProps {
  readonly folder: FolderEntry
  readonly onDelete: () => void
}

export default function FolderMenuPopup({
  folder,
  onDelete,
  anchor,
  ...popup
}: FolderMenuProps & PopupProps) {
  // The action runs after the menu has closed: a dialog that opens earlier would lose the focus again.
  const chosen = useRef<(() => void) | null>(null)
  const items = [
    {
      name: foldersStrings.createInside,
      Icon: FolderPlus,
      run: () => showFolderDialog({ kind: 'create', parent: folder }),
    },
    { name: foldersStrings.rename, Icon: Pencil, run: () => showFolderDialog({ kind: 'rename', folder }) },
    {
      name: foldersStrings.move,
      Icon: FolderInput,
      run: () => showFolderDialog({ kind: 'move', movable: { kind: 'folder', folder } }),
    },
    { name: foldersStrings.delete, Icon: Trash2, run: onDelete },
  ]
  const onOpenChangeComplete = (open: boolean) => {
    if (open) return
    chosen.current?.()
    chosen.current = null
  }
  return (
    <Menu.Root {...popup} onOpenChangeComplete={onOpenChangeComplete}>
      <MenuPopup anchor={anchor}>
        {items.map(({ name, Icon, run }) => (
          <MenuItem
            key={name}
            name={name}
            Icon={Icon}
            onClick={(event) => {
              // React passes what happens in the menu to the folder's row, too.
              event.stopPropagation()
              chosen.current = run
            }}
            onKeyDown={(event) => event.stopPropagation()}
          />
        ))}
      </MenuPopup>
    </Menu.Root>
  )
}
