'use client'

import { ChevronRight, Ellipsis, Folder, FolderOpen } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { matchesShortcut } from '@/components/commands/command-keys.ts'
import type { FolderEntry } from '@/components/http-api.ts'
import { usePopup } from '@/components/ui/use-popup.ts'
import { foldText } from '@/lib/protocol/fold-text.ts'
import { folderPath } from '@/lib/protocol/folder-tree.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import { dragProps, useFolderDrop } from './folder-drag.ts'
import { showFolderDialog } from './folder-dialogs.ts'
import type { FolderMenuProps } from './folder-menu-popup.tsx'
import { type FolderRow, folderRows } from './folder-rows.ts'
import { goToPlace, type ListPlace } from './place.ts'
import { useFolderActions } from './use-folder-actions.ts'

export const MOVE_KEYS = 'Mod+Shift+M'

/** Which are open stays while the page is loaded. */
const openFolders = new Set<string>()

interface FolderTreeProps {
  readonly place: ListPlace
  readonly onGo: (place: ListPlace) => void
}

/** A tree by the keyboard pattern of ARIA: arrows move and open, letters find, Enter shows what is in a folder. */
export function FolderTree({ place, onGo }: FolderTreeProps) {
  const { folders, move, remove } = useFolderActions()
  const tree = useRef<HTMLUListElement>(null)
  const [, setToggles] = useState(0)
  const [focused, setFocused] = useState<string | null>(null)
  const current = place.kind === 'folder' ? place.id : null
  const above = new Set(folderPath(folders, current).map(({ id }) => id))
  const rows = folderRows(folders, ({ id }) => openFolders.has(id) || (above.has(id) && id !== current))
  const tabStop = rows.find(({ folder }) => folder.id === (focused ?? current))?.folder ?? rows[0]?.folder

  const focusRow = (row: FolderRow | undefined) =>
    row && tree.current?.querySelector<HTMLElement>(`[data-folder="${row.folder.id}"]`)?.focus()
  const toggle = (id: string, isOpen: boolean) => {
    if (isOpen) openFolders.add(id)
    else openFolders.delete(id)
    setToggles((count) => count + 1)
  }
  const removeFolder = async (folder: FolderEntry) => {
    const index = rows.findIndex((row) => row.folder.id === folder.id)
    if (!(await remove(folder))) return
    focusRow(rows[index + 1] ?? rows[index - 1])
    if (folder.id === current) goToPlace(parentPlace(folder))
  }

  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const { folder, isOpen, level } = rows[index]!
    if (matchesShortcut(event.nativeEvent, MOVE_KEYS))
      showFolderDialog({ kind: 'move', movable: { kind: 'folder', folder } })
    else if (event.ctrlKey || event.metaKey || event.altKey) return
    else if (event.key === 'ArrowRight' && isOpen === false) toggle(folder.id, true)
    else if (event.key === 'ArrowLeft' && isOpen && !above.has(folder.id)) toggle(folder.id, false)
    else if (event.key === 'ArrowLeft')
      focusRow(rows.slice(0, index).findLast((row) => row.level === level - 1))
    else if (event.key === 'ArrowRight' && isOpen) focusRow(rows[index + 1])
    else if (event.key === 'Enter' || event.key === ' ') onGo({ kind: 'folder', id: folder.id })
    else if (event.key === 'F2') showFolderDialog({ kind: 'rename', folder })
    else if (event.key === 'Delete') void removeFolder(folder)
    else if (event.key in steps) focusRow(rows[steps[event.key]!(index, rows.length)])
    else if (event.key.length === 1) focusRow(rowNamed(rows, index, event.key))
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <ul ref={tree} role="tree" aria-label={foldersStrings.title}>
      {rows.map((row, index) => (
        <FolderItem
          key={row.folder.id}
          row={row}
          isCurrent={row.folder.id === current}
          isTabStop={row.folder === tabStop}
          onFocus={() => setFocused(row.folder.id)}
          onKeyDown={(event) => onKeyDown(event, index)}
          onGo={() => onGo({ kind: 'folder', id: row.folder.id })}
          onToggle={() => toggle(row.folder.id, !row.isOpen)}
          onMove={(movable, target) => void move(movable, target)}
          onDelete={() => void removeFolder(row.folder)}
        />
      ))}
    </ul>
  )
}

const steps: Readonly<Record<string, (index: number, rows: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_index, rows) => rows - 1,
}

const rowNamed = (rows: readonly FolderRow[], index: number, letter: string): FolderRow | undefined =>
  [...rows.slice(index + 1), ...rows.slice(0, index + 1)].find(({ folder }) =>
    foldText(folder.name).startsWith(foldText(letter)),
  )

const parentPlace = ({ parent }: FolderEntry): ListPlace =>
  parent === null ? { kind: 'filter', filter: 'all' } : { kind: 'folder', id: parent }

interface FolderItemProps {
  readonly row: FolderRow
  readonly isCurrent: boolean
  readonly isTabStop: boolean
  readonly onFocus: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onGo: () => void
  readonly onToggle: () => void
  readonly onMove: Parameters<typeof useFolderDrop>[1]
  readonly onDelete: () => void
}

const loadMenu = () => import('./folder-menu-popup.tsx')

function FolderItem({
  row,
  isCurrent,
  isTabStop,
  onToggle,
  onGo,
  onMove,
  onDelete,
  onFocus,
  onKeyDown,
}: FolderItemProps) {
  const { folder, level, position, siblings, isOpen } = row
  const { trigger, Popup, popup } = usePopup<FolderMenuProps>('menu', loadMenu)
  const { isOver, dropProps } = useFolderDrop(folder, onMove)
  const Icon = isCurrent ? FolderOpen : Folder
  return (
    <li
      role="treeitem"
      data-folder={folder.id}
      aria-label={folder.name}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isOpen ?? undefined}
      aria-selected={isCurrent}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      {...dragProps({ kind: 'folder', folder })}
      {...dropProps}
      onClick={onGo}
      onContextMenu={(event) => {
        event.preventDefault()
        trigger.onClick()
      }}
      style={{ paddingInlineStart: `${(level - 1) * 0.75}rem` }}
      className={`group flex min-h-8 cursor-pointer items-center rounded-lg text-sm outline-offset-[-2px] ${isCurrent ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:bg-sunk hover:text-ink'} ${isOver ? 'outline-2 outline-accent' : ''}`}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-hidden
        onClick={(event) => {
          event.stopPropagation()
          onToggle()
        }}
        className={`grid size-6 shrink-0 place-items-center ${isOpen === null ? 'invisible' : ''}`}
      >
        <ChevronRight size={14} className={isOpen ? 'rotate-90' : 'rtl:rotate-180'} />
      </button>
      <Icon size={16} aria-hidden className="me-2 shrink-0" />
      <bdi className="min-w-0 flex-1 truncate">{folder.name}</bdi>
      {/* The keyboard opens the menu of the item itself: the key for it, or Shift+F10. */}
      <button
        {...trigger}
        tabIndex={-1}
        aria-label={foldersStrings.more(folder.name)}
        onFocus={undefined}
        onClick={(event) => {
          event.stopPropagation()
          trigger.onClick()
        }}
        className="grid size-7 shrink-0 place-items-center rounded-md opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 hover:bg-line focus:opacity-100 pointer-coarse:opacity-100"
      >
        <Ellipsis size={16} aria-hidden />
      </button>
      {Popup && <Popup folder={folder} onDelete={onDelete} {...popup} />}
    </li>
  )
}
