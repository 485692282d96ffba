'use client'

import {
  ChevronDown,
  Clock,
  Files,
  FolderPlus,
  LayoutTemplate,
  type LucideIcon,
  Star,
  Trash2,
  User,
  Users,
} from 'lucide-react'
import { useId, useState } from 'react'
import { createHelpOnlyCommand } from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { IconButton } from '@/components/ui/icon-button.tsx'
import { type ListFilter, listFilters } from '@/lib/desk/settings.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import { showFolderDialog } from './folder-dialogs.ts'
import { useFolderDrop } from './folder-drag.ts'
import { useFolders } from './folder-queries.ts'
import { FolderTree, MOVE_KEYS } from './folder-tree.tsx'
import { goToPlace, isSamePlace, type ListPlace } from './place.ts'
import { useFolderActions } from './use-folder-actions.ts'

const filterIcons: Readonly<Record<ListFilter, LucideIcon>> = {
  all: Files,
  recent: Clock,
  favourites: Star,
  shared: Users,
  owned: User,
  templates: LayoutTemplate,
}

/** Beside the list; on a narrow screen below a button that names the place. */
export function PlacesNav({ place }: { place: ListPlace }) {
  const id = useId()
  const { folders } = useFolders()
  const [isOpen, setOpen] = useState(false)
  useCommands(helpCommands)
  const go = (next: ListPlace) => {
    goToPlace(next)
    setOpen(false)
  }
  return (
    <div className="lg:w-52 lg:shrink-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="mt-5 inline-flex min-h-9 max-w-full items-center gap-2 rounded-lg border border-edge/60 bg-raised px-3 text-sm lg:hidden"
      >
        <bdi className="truncate">{foldersStrings.show(nameOfPlace(place, folders))}</bdi>
        <ChevronDown size={16} aria-hidden className={isOpen ? 'rotate-180' : ''} />
      </button>
      <nav
        id={id}
        aria-label={foldersStrings.places}
        className={`mt-3 lg:mt-0 ${isOpen ? '' : 'max-lg:hidden'}`}
      >
        <fieldset aria-label={documentsStrings.filter.label} className="flex flex-col gap-0.5">
          {listFilters.map((filter) => (
            <PlaceButton
              key={filter}
              name={documentsStrings.filter[filter]}
              Icon={filterIcons[filter]}
              isOn={isSamePlace(place, { kind: 'filter', filter })}
              onClick={() => go({ kind: 'filter', filter })}
            />
          ))}
          <PlaceButton
            name={documentsStrings.filter.trash}
            Icon={Trash2}
            isOn={place.kind === 'trash'}
            onClick={() => go({ kind: 'trash' })}
          />
        </fieldset>
        <FolderSection place={place} onGo={go} />
      </nav>
    </div>
  )
}

const nameOfPlace = (place: ListPlace, folders: ReturnType<typeof useFolders>['folders']): string => {
  if (place.kind === 'folder') return folders.get(place.id)?.name ?? foldersStrings.title
  return documentsStrings.filter[place.kind === 'trash' ? 'trash' : place.filter]
}

interface PlaceButtonProps {
  readonly name: string
  readonly Icon: LucideIcon
  readonly isOn: boolean
  readonly onClick: () => void
}

const PlaceButton = ({ name, Icon, isOn, onClick }: PlaceButtonProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    onClick={onClick}
    className="flex min-h-8 items-center gap-2 rounded-lg px-2 text-start text-sm text-muted hover:bg-sunk hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
  >
    <Icon size={16} aria-hidden className="shrink-0" /> {name}
  </button>
)

function FolderSection({ place, onGo }: { place: ListPlace; onGo: (place: ListPlace) => void }) {
  const { folders, isFetched, error } = useFolders()
  const { move } = useFolderActions()
  const { isOver, dropProps } = useFolderDrop(null, (movable) => void move(movable, null))
  return (
    <section aria-label={foldersStrings.title} className="mt-5">
      <div
        {...dropProps}
        className={`flex items-center rounded-lg ps-2 ${isOver ? 'outline-2 outline-accent' : ''}`}
      >
        <h2 className="flex-1 text-xs font-medium text-muted">{foldersStrings.title}</h2>
        <IconButton
          name={foldersStrings.create}
          Icon={FolderPlus}
          onClick={() => showFolderDialog({ kind: 'create', parent: null })}
        />
      </div>
      {folders.size > 0 ? (
        <FolderTree place={place} onGo={onGo} />
      ) : (
        <p className="px-2 text-sm text-pretty text-muted">
          {isFetched ? foldersStrings.none : error && foldersStrings.notFetched(error.message)}
        </p>
      )}
    </section>
  )
}

const { keys } = foldersStrings

const helpCommands = [
  { id: 'move-to-folder', title: keys.moveRow, keys: MOVE_KEYS, where: keys.list },
  { id: 'next-document', title: keys.nextRow, keys: ['ArrowDown', 'ArrowUp'], where: keys.list },
  { id: 'rename-folder', title: keys.renameFolder, keys: 'F2', where: keys.tree },
  { id: 'delete-folder', title: keys.deleteFolder, keys: 'Delete', where: keys.tree },
].map((entry) => createHelpOnlyCommand({ section: 'Document', ...entry }))
