'use client'

import { ChevronRight, LayoutGrid, List, type LucideIcon } from 'lucide-react'
import { settingsStore } from '@/components/settings/settings-store.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { Hint } from '@/components/ui/hint.tsx'
import { type ListLayout, listLayouts, type ListSort, listSorts } from '@/lib/desk/settings.ts'
import { folderPath } from '@/lib/protocol/folder-tree.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import { useFolders } from './folder-queries.ts'
import { goToPlace, type ListPlace } from './place.ts'

const layoutIcons: Readonly<Record<ListLayout, LucideIcon>> = { list: List, cards: LayoutGrid }

/** Says in which folder the list is, and chooses its order and how it looks. The choice is remembered. */
export function ListBar({ place }: { place: ListPlace }) {
  const isRecent = place.kind === 'filter' && place.filter === 'recent'
  return (
    <div className="mt-4 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-3">
      {place.kind === 'folder' && <FolderPath id={place.id} />}
      {place.kind !== 'trash' && (
        <div className="ms-auto flex items-center gap-3">
          {!isRecent && <SortChoice />}
          <LayoutChoice />
        </div>
      )}
    </div>
  )
}

function FolderPath({ id }: { id: string }) {
  const { folders } = useFolders()
  const steps: { name: string; place: ListPlace }[] = [
    { name: documentsStrings.filter.all, place: { kind: 'filter', filter: 'all' } },
    ...folderPath(folders, id).map((folder) => ({
      name: folder.name,
      place: { kind: 'folder', id: folder.id } as const,
    })),
  ]
  return (
    <nav aria-label={foldersStrings.path} className="min-w-0">
      <ol className="flex flex-wrap items-center text-sm text-muted">
        {steps.map(({ name, place }, index) => {
          const isLast = index === steps.length - 1
          return (
            <li key={JSON.stringify(place)} className="flex min-w-0 items-center">
              {index > 0 && <ChevronRight size={14} aria-hidden className="rtl:rotate-180" />}
              <button
                type="button"
                aria-current={isLast ? 'page' : undefined}
                onClick={() => goToPlace(place)}
                className={`min-h-8 max-w-48 truncate rounded-lg px-1.5 hover:bg-sunk hover:text-ink ${isLast ? 'font-medium text-ink' : ''}`}
              >
                <bdi>{name}</bdi>
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function SortChoice() {
  const { listSort } = useSettings()
  return (
    <label className="flex items-center gap-2 text-sm text-muted">
      {documentsStrings.sort.label}
      <select
        value={listSort}
        onChange={({ target }) => settingsStore.set('listSort', target.value as ListSort)}
        className="h-8 rounded-lg border border-edge bg-paper px-2 text-ink"
      >
        {listSorts.map((sort) => (
          <option key={sort} value={sort}>
            {documentsStrings.sort[sort]}
          </option>
        ))}
      </select>
    </label>
  )
}

function LayoutChoice() {
  const { listLayout } = useSettings()
  return (
    <fieldset aria-label={documentsStrings.layout.label} className="flex gap-0.5">
      {listLayouts.map((layout) => {
        const name = documentsStrings.layout[layout]
        const Icon = layoutIcons[layout]
        return (
          <Hint key={layout} text={name}>
            <button
              type="button"
              aria-label={name}
              aria-pressed={layout === listLayout}
              onClick={() => settingsStore.set('listLayout', layout)}
              className="grid size-8 place-items-center rounded-lg text-muted hover:bg-sunk hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent"
            >
              <Icon size={16} aria-hidden />
            </button>
          </Hint>
        )
      })}
    </fieldset>
  )
}
