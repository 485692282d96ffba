'use client'

import { Menu } from '@base-ui/react/menu'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useRef } from 'react'
import type { DocumentEntry, Role } from '@/components/api'
import { buttonClass } from '@/components/ui/button'
import { MenuPopup, menuItemClass } from '@/components/ui/menu'
import { RelativeTime } from '@/components/ui/relative-time'
import { titleOf } from './title'

const roleNames: Record<Role, string> = { owner: 'Owner', editor: 'Can edit', viewer: 'Can read' }

interface RowProps {
  readonly entry: DocumentEntry
  readonly onRename: () => void
  readonly onRemove: () => void
}

export function DocumentRow({ entry, onRename, onRemove }: RowProps) {
  return (
    <li className="relative -mx-3 flex items-center gap-3 rounded-xl px-3 not-first:before:absolute not-first:before:inset-x-3 not-first:before:top-0 not-first:before:h-px not-first:before:bg-line focus-within:bg-sunk/70 hover:bg-sunk/70">
      <div className="min-w-0 flex-1 py-3.5">
        <Link
          href={`/d/${entry.id}`}
          prefetch={false}
          className="block truncate font-serif text-lg/snug font-semibold outline-offset-4 after:absolute after:inset-0 after:content-['']"
        >
          <bdi>{titleOf(entry.title)}</bdi>
        </Link>
        <p className="mt-0.5 text-sm text-muted">
          Edited <RelativeTime at={entry.updatedAt} />
        </p>
      </div>
      <span className="shrink-0 rounded-full border border-line bg-paper px-2.5 py-0.5 text-xs text-muted">
        {roleNames[entry.role]}
      </span>
      {entry.role === 'owner' ? (
        <RowMenu title={titleOf(entry.title)} onRename={onRename} onRemove={onRemove} />
      ) : (
        <span className="w-9 shrink-0" />
      )}
    </li>
  )
}

function RowMenu({
  title,
  onRename,
  onRemove,
}: {
  title: string
  onRename: () => void
  onRemove: () => void
}) {
  // A dialog that opens while the menu is still closing would have the keyboard taken away from it again.
  const chosen = useRef<(() => void) | null>(null)
  const choose = (action: () => void) => () => {
    chosen.current = action
  }
  const onClosed = (open: boolean) => {
    if (open) return
    chosen.current?.()
    chosen.current = null
  }
  return (
    <Menu.Root onOpenChangeComplete={onClosed}>
      <Menu.Trigger
        className={`${buttonClass({ look: 'quiet', shape: 'icon' })} relative z-10 hover:bg-line`}
        aria-label={`More for ${title}`}
      >
        <Ellipsis size={18} aria-hidden />
      </Menu.Trigger>
      <MenuPopup>
        <Menu.Item className={menuItemClass} onClick={choose(onRename)}>
          <Pencil size={16} aria-hidden className="text-muted" /> Rename…
        </Menu.Item>
        <Menu.Item className={`${menuItemClass} text-danger`} onClick={choose(onRemove)}>
          <Trash2 size={16} aria-hidden /> Delete…
        </Menu.Item>
      </MenuPopup>
    </Menu.Root>
  )
}
