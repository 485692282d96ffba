'use client'

import { LayoutGrid, List, type LucideIcon, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { settingsStore } from '@/components/settings/settings-store.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { Hint } from '@/components/ui/hint.tsx'
import {
  type ListFilter,
  listFilters,
  type ListLayout,
  listLayouts,
  type ListSort,
  listSorts,
} from '@/lib/desk/settings.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'

const layoutIcons: Readonly<Record<ListLayout, LucideIcon>> = { list: List, cards: LayoutGrid }

interface ListBarProps {
  readonly isTrash: boolean
  readonly onTrashChange: (isTrash: boolean) => void
}

/** Chooses which documents are shown, in which order and how. The choice is remembered, except for the trash. */
export function ListBar({ isTrash, onTrashChange }: ListBarProps) {
  const { listFilter } = useSettings()
  const selectFilter = (filter: ListFilter) => {
    settingsStore.set('listFilter', filter)
    onTrashChange(false)
  }
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <fieldset aria-label={documentsStrings.filter.label} className="flex flex-wrap gap-1 max-sm:gap-0">
        {listFilters.map((filter) => (
          <FilterTab
            key={filter}
            isOn={!isTrash && filter === listFilter}
            onClick={() => selectFilter(filter)}
          >
            {documentsStrings.filter[filter]}
          </FilterTab>
        ))}
        <FilterTab isOn={isTrash} onClick={() => onTrashChange(true)}>
          <Trash2 size={15} aria-hidden /> {documentsStrings.filter.trash}
        </FilterTab>
      </fieldset>
      {!isTrash && (
        <div className="flex items-center gap-3">
          <SortChoice />
          <LayoutChoice />
        </div>
      )}
    </div>
  )
}

interface FilterTabProps {
  readonly isOn: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

const FilterTab = ({ isOn, onClick, children }: FilterTabProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    onClick={onClick}
    className="inline-flex min-h-8 items-center gap-1.5 rounded-lg px-2.5 text-sm text-muted hover:bg-sunk hover:text-ink max-sm:px-1.5 aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
  >
    {children}
  </button>
)

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
