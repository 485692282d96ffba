'use client'

import type { PanelId } from '@/lib/windows/panels.ts'
import { panels } from '@/components/panels/registry'
import { Button } from '@/components/ui/button'
import { showAndSay } from '@/components/windows/show-and-say'
import { useDockHere } from './dock'

interface ChipProps {
  readonly panel: PanelId
  /** Beside others on one line, not among panels. */
  readonly inRow?: boolean
}

/** In the place of a panel that stands in a window of its own. */
export function Chip({ panel, inRow = false }: ChipProps) {
  const dock = useDockHere()
  const [window] = dock.windowsOf(panel)
  const { name } = panels[panel]
  const isElsewhere = window !== undefined && !window.here
  const show = () => window && showAndSay(window)
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for forms
      role="group"
      aria-label={`${name} in another window`}
      data-chip={panel}
      data-pane="chip"
      className={`flex min-h-10 shrink-0 items-center gap-x-2 px-2 py-0.5 text-[0.8125rem] ${inRow ? '' : 'border-b border-line'}`}
    >
      <span className={`truncate py-1 text-muted ${inRow ? '' : 'min-w-0 flex-1'}`}>
        {name}
        {/* A phone, and a column, have room for what can be done. */}
        <span className={inRow ? 'max-sm:sr-only' : 'sr-only'}>
          {' '}
          is {isElsewhere ? `on ${window.device.name}` : 'in another window'}
        </span>
      </span>
      <span className="flex">
        <Button
          shape="small"
          look="quiet"
          className="px-1.5! text-[0.8125rem]"
          onClick={show}
          disabled={!window}
        >
          Show
        </Button>
        <Button
          shape="small"
          look="quiet"
          className="px-1.5! text-[0.8125rem]"
          onClick={() => dock.bringBack(panel)}
        >
          Bring back
        </Button>
      </span>
    </div>
  )
}
