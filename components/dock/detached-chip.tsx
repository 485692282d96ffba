'use client'

import type { ReactNode } from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import { panels } from '@/components/panels/panel-registry.ts'
import { Button } from '@/components/ui/button.tsx'
import { showWindowOrExplain } from '@/components/windows/show-or-explain.ts'
import { useRequiredDock } from './dock.ts'
import { Sentence } from '@/components/ui/sentence.tsx'
import { dockFramesStrings } from '@/lib/strings/dock-frames.ts'

interface DetachedChipProps {
  readonly panel: PanelId
  /** The chip stands in a row with others, not among panels. */
  readonly inRow?: boolean
}

/** Stands in the place of a panel that is in a window of its own. */
export default function DetachedChip({ panel, inRow = false }: DetachedChipProps) {
  const dock = useRequiredDock()
  const [window] = dock.windowsOf(panel)
  const { name } = panels[panel]
  const isOnOtherDevice = window !== undefined && !window.sameBrowser
  const showPanelWindow = () => window && showWindowOrExplain(window)
  // A phone or a column only has room for the actions.
  const hiddenInRow = (text: string): ReactNode => (
    <span className={inRow ? 'max-sm:sr-only' : 'sr-only'}>{text}</span>
  )
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for forms
      role="group"
      aria-label={dockFramesStrings.chip.label(name)}
      data-chip={panel}
      data-pane="chip"
      className={`flex min-h-10 shrink-0 items-center gap-x-2 px-2 py-0.5 text-[0.8125rem] ${inRow ? '' : 'border-b border-line'}`}
    >
      <span className={`truncate py-1 text-muted ${inRow ? '' : 'min-w-0 flex-1'}`}>
        <Sentence
          parts={
            isOnOtherDevice
              ? dockFramesStrings.chip.onDevice(name, window.device.name, hiddenInRow)
              : dockFramesStrings.chip.elsewhere(name, hiddenInRow)
          }
        />
      </span>
      <span className="flex">
        <Button
          shape="small"
          look="quiet"
          className="px-1.5! text-[0.8125rem]"
          onClick={showPanelWindow}
          disabled={!window}
        >
          {dockFramesStrings.chip.show}
        </Button>
        <Button
          shape="small"
          look="quiet"
          className="px-1.5! text-[0.8125rem]"
          onClick={() => dock.bringPanelBack(panel)}
        >
          {dockFramesStrings.chip.bringBack}
        </Button>
      </span>
    </div>
  )
}
