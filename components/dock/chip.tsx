'use client'

import type { ReactNode } from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import { panels } from '@/components/panels/registry'
import { Button } from '@/components/ui/button'
import { showAndSay } from '@/components/windows/show-and-say'
import { useDockHere } from './dock'
import { Sentence } from '@/components/ui/sentence'
import { strings } from '@/lib/strings/dock.ts'

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
  // A phone, and a column, have room for what can be done.
  const rest = (text: string): ReactNode => (
    <span className={inRow ? 'max-sm:sr-only' : 'sr-only'}>{text}</span>
  )
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for forms
      role="group"
      aria-label={strings.chip.label(name)}
      data-chip={panel}
      data-pane="chip"
      className={`flex min-h-10 shrink-0 items-center gap-x-2 px-2 py-0.5 text-[0.8125rem] ${inRow ? '' : 'border-b border-line'}`}
    >
      <span className={`truncate py-1 text-muted ${inRow ? '' : 'min-w-0 flex-1'}`}>
        <Sentence
          parts={
            isElsewhere
              ? strings.chip.onDevice(name, window.device.name, rest)
              : strings.chip.elsewhere(name, rest)
          }
        />
      </span>
      <span className="flex">
        <Button
          shape="small"
          look="quiet"
          className="px-1.5! text-[0.8125rem]"
          onClick={show}
          disabled={!window}
        >
          {strings.chip.show}
        </Button>
        <Button
          shape="small"
          look="quiet"
          className="px-1.5! text-[0.8125rem]"
          onClick={() => dock.bringBack(panel)}
        >
          {strings.chip.bringBack}
        </Button>
      </span>
    </div>
  )
}
