'use client'

import { Menu } from '@base-ui/react/menu'
import { Copy, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { buttonClass } from '@/components/ui/button.tsx'
import { MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
import { strings } from '@/lib/strings/documents.ts'

export interface DocumentActions {
  readonly onRename: () => void
  readonly onDuplicate: () => void
  readonly onDelete: () => void
}

interface DocumentMenuProps extends DocumentActions {
  readonly title: string
  readonly isOwner: boolean
}

export function DocumentMenu({ title, isOwner, onRename, onDuplicate, onDelete }: DocumentMenuProps) {
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
    <Menu.Root onOpenChangeComplete={onOpenChangeComplete}>
      <Menu.Trigger
        className={`${buttonClass({ look: 'quiet', shape: 'icon' })} relative z-10 hover:bg-line`}
        aria-label={strings.menu.label(title)}
      >
        <Ellipsis size={18} aria-hidden />
      </Menu.Trigger>
      <MenuPopup>
        {isOwner && (
          <Menu.Item className={menuItemClass} onClick={choose(onRename)}>
            <Pencil size={16} aria-hidden className="text-muted" /> {strings.menu.rename}
          </Menu.Item>
        )}
        <Menu.Item className={menuItemClass} onClick={choose(onDuplicate)}>
          <Copy size={16} aria-hidden className="text-muted" /> {strings.menu.duplicate}
        </Menu.Item>
        {isOwner && (
          <Menu.Item className={`${menuItemClass} text-danger`} onClick={choose(onDelete)}>
            <Trash2 size={16} aria-hidden /> {strings.menu.moveToTrash}
          </Menu.Item>
        )}
      </MenuPopup>
    </Menu.Root>
  )
}
