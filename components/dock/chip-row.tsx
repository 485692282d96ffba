'use client'

import { Chip } from './chip'
import { useDockHere } from './dock'
import { chipsInRow } from './sides'

/** Where a side holds nothing but chips, they do not cost the text a column. */
export function ChipRow() {
  const dock = useDockHere()
  const chips = chipsInRow(dock)
  if (chips.length === 0) return null
  return (
    <div className="flex items-center scrolls-x gap-x-4 border-t border-line/70 sm:px-1" data-screen-only>
      {chips.map((panel) => (
        <Chip key={panel} panel={panel} inRow />
      ))}
    </div>
  )
}
