'use client'

import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { useRequiredDock } from './dock.ts'
import { detachedPanelsInRow } from './dock-items.ts'

const loadChip = () => import('./detached-chip.tsx')

/** If a side holds only chips, they stand in a row and cost the text no column. */
export function DetachedChipRow() {
  const dock = useRequiredDock()
  const chips = detachedPanelsInRow(dock)
  if (chips.length === 0) return null
  return (
    <div
      className="flex items-center gap-x-4 border-t border-line/70 max-sm:scrolls-x sm:flex-wrap sm:px-1"
      data-screen-only
    >
      {chips.map((panel) => (
        <LazyComponent key={panel} load={loadChip} props={{ panel, inRow: true }} />
      ))}
    </div>
  )
}
