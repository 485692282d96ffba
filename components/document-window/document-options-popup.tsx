'use client'

import { Menu } from '@base-ui/react/menu'
import {
  Command,
  Copy,
  Download,
  GitPullRequestArrow,
  Link2,
  type LucideIcon,
  Pencil,
  Settings,
  Trash2,
  UsersRound,
} from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { isCommandAvailable, pageCommands } from '@/components/commands/command-registry.ts'
import { useDuplicateAction } from '@/components/documents/use-duplicate-action.ts'
import { useTrashAction } from '@/components/documents/use-trash-action.ts'
import { authorsStrings } from '@/lib/strings/authors.ts'
import { copyRedeemedLink } from '@/components/share/copy-redeemed-link.ts'
import { MenuItem, MenuPopup } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'
import { proposeStrings } from '@/lib/strings/propose.ts'
import { exportStrings } from '@/lib/strings/export.ts'
import { windowsStrings } from '@/lib/strings/windows.ts'

export interface DocumentOptionsPopupProps {
  readonly document: string
  readonly title: string
  readonly isOwner: boolean
  /** No link leads to a proposal, so the menu offers none to copy. */
  readonly isProposal: boolean
  /** Null for people who may only read. */
  readonly onRename: (() => void) | null
  readonly onExport: () => void
}

export default function DocumentOptionsPopup({
  document,
  title,
  isOwner,
  isProposal,
  onRename,
  onExport,
  anchor,
  ...popup
}: DocumentOptionsPopupProps & PopupProps) {
  const router = useRouter()
  const duplicate = useDuplicateAction()
  const moveToTrash = useTrashAction()
  const entry = { id: document, title }
  // The action runs after the menu has closed, because it may move the focus.
  const chosen = useRef<(() => void) | null>(null)
  const onOpenChangeComplete = (isOpen: boolean) => {
    const action = chosen.current
    chosen.current = null
    // Commands are available only when no overlay is open.
    if (!isOpen && action) setTimeout(action)
  }
  const mayPropose = pageCommands.list().some((one) => one.id === 'propose' && isCommandAvailable(one))
  const trash = async () => {
    if (await moveToTrash(entry, () => undefined)) router.push('/')
  }
  const item = (name: string, Icon: LucideIcon, action: () => void, isDanger = false) => (
    <MenuItem name={name} Icon={Icon} isDanger={isDanger} onClick={() => (chosen.current = action)} />
  )
  return (
    <Menu.Root {...popup} onOpenChangeComplete={onOpenChangeComplete}>
      <MenuPopup anchor={anchor} returnsFocus={() => chosen.current === null}>
        {onRename && item(documentsStrings.menu.rename, Pencil, onRename)}
        {item(documentsStrings.menu.duplicate, Copy, () => void duplicate(entry))}
        {mayPropose && item(proposeStrings.command, GitPullRequestArrow, () => pageCommands.run('propose'))}
        {item(exportStrings.menu, Download, onExport)}
        {item(authorsStrings.menu, UsersRound, () => pageCommands.run('authors'))}
        {onRename &&
          !isOwner &&
          !isProposal &&
          item(documentsStrings.menu.copyLink, Link2, () => void copyRedeemedLink(document))}
        {isOwner && item(documentsStrings.menu.moveToTrash, Trash2, () => void trash(), true)}
        <Menu.Separator className="mx-1 my-1 h-px bg-line" />
        {item(windowsStrings.menu.allCommands, Command, () => pageCommands.run('palette'))}
        {item(windowsStrings.menu.settings, Settings, () => pageCommands.run('settings'))}
      </MenuPopup>
    </Menu.Root>
  )
}
