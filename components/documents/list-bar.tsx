'use client'

import { LayoutGrid, List, type LucideIcon, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { settings } from '@/components/settings/store'
import { useSettings } from '@/components/settings/use-settings'
import { Hint } from '@/components/ui/hint'
import {
  type ListFilter,
  listFilters,
  type ListLayout,
  listLayouts,
  type ListSort,
  listSorts,
} from '@/lib/desk/settings.ts'
import { strings } from '@/lib/strings/documents.ts'

const layoutIcons: Readonly<Record<ListLayout, LucideIcon>> = { list: List, cards: LayoutGrid }

interface ListBarProps {
  readonly isTrash: boolean
  readonly onTrash: (isTrash: boolean) => void
}

/** Which documents are shown, in which order and how: remembered but for the trash. */
export function ListBar({ isTrash, onTrash }: ListBarProps) {
  const { listFilter } = useSettings()
  const show = (filter: ListFilter) => {
    settings.set('listFilter', filter)
    onTrash(false)
  }
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <fieldset aria-label={strings.filter.label} className="flex flex-wrap gap-1">
        {listFilters.map((filter) => (
          <Tab key={filter} on={!isTrash && filter === listFilter} onClick={() => show(filter)}>
            {strings.filter[filter]}
          </Tab>
        ))}
        <Tab on={isTrash} onClick={() => onTrash(true)}>
          <Trash2 size={15} aria-hidden /> {strings.filter.trash}
        </Tab>
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

interface TabProps {
  readonly on: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

const Tab = ({ on, onClick, children }: TabProps) => (
  <button
    type="button"
    aria-pressed={on}
    onClick={onClick}
    className="inline-flex min-h-8 items-center gap-1.5 rounded-lg px-2.5 text-sm text-muted hover:bg-sunk hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
  >
    {children}
  </button>
)

function SortChoice() {
  const { listSort } = useSettings()
  return (
    <label className="flex items-center gap-2 text-sm text-muted">
      {strings.sort.label}
      <select
        value={listSort}
        onChange={({ target }) => settings.set('listSort', target.value as ListSort)}
        className="h-8 rounded-lg border border-edge bg-paper px-2 text-ink"
      >
        {listSorts.map((sort) => (
          <option key={sort} value={sort}>
            {strings.sort[sort]}
          </option>
        ))}
      </select>
    </label>
  )
}

function LayoutChoice() {
  const { listLayout } = useSettings()
  return (
    <fieldset aria-label={strings.layout.label} className="flex gap-0.5">
      {listLayouts.map((layout) => {
        const name = strings.layout[layout]
        const Icon = layoutIcons[layout]
        return (
          <Hint key={layout} text={name}>
            <button
              type="button"
              aria-label={name}
              aria-pressed={layout === listLayout}
              onClick={() => settings.set('listLayout', layout)}
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
