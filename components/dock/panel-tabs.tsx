'use client'

import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import { PanelBody } from '@/components/panels/panel-body.tsx'
import { PanelFrame } from '@/components/panels/panel-frame.tsx'
import { panels } from '@/components/panels/panel-registry.ts'
import { useRequiredDock } from './dock.ts'
import { FrameMenu } from './frame-menu.tsx'
import { subscribeToPendingPanel } from '@/components/panels/panel-focus.ts'
import { dragHandlers } from './panel-dragging.ts'
import { dockFramesStrings } from '@/lib/strings/dock-frames.ts'

/** Panels of a column that is too low for all of them: one at a time, each with a tab. */
export function PanelTabs({ ids }: { ids: readonly PanelId[] }) {
  const dock = useRequiredDock()
  const [chosen, setChosen] = useState<PanelId | undefined>(ids.at(-1))
  const [known, setKnown] = useState(ids)
  // What has just been docked is shown.
  if (known.join() !== ids.join()) {
    setKnown(ids)
    setChosen(ids.find((id) => !known.includes(id)) ?? chosen)
  }
  useEffect(() => subscribeToPendingPanel((panel) => ids.includes(panel) && setChosen(panel)), [ids])
  const shown = chosen !== undefined && ids.includes(chosen) ? chosen : ids[0]!
  return (
    <div className="flex h-full flex-col">
      <TabList ids={ids} shown={shown} onChoose={setChosen} />
      <div role="tabpanel" aria-label={panels[shown].name} className="min-h-0 flex-1">
        <PanelFrame
          key={shown}
          panel={shown}
          onDetach={() => dock.detachPanel(shown)}
          onClose={() => dock.closePanel(shown)}
          menu={<FrameMenu panel={shown} name={panels[shown].name} />}
          {...dragHandlers(shown)}
        >
          <PanelBody panel={shown} docked {...dock.document} />
        </PanelFrame>
      </div>
    </div>
  )
}

interface TabListProps {
  readonly ids: readonly PanelId[]
  readonly shown: PanelId
  readonly onChoose: (panel: PanelId) => void
}

/** One tab stop; arrow keys choose. */
function TabList({ ids, shown, onChoose }: TabListProps) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    const next = ids.at((ids.indexOf(shown) + by) % ids.length)!
    onChoose(next)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[ids.indexOf(next)]?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={dockFramesStrings.tabs}
      className="flex shrink-0 flex-wrap gap-0.5 border-b border-line bg-sunk/50 p-1"
    >
      {ids.map((id) => {
        const { name, Icon } = panels[id]
        return (
          <button
            key={id}
            type="button"
            role="tab"
            aria-selected={id === shown}
            tabIndex={id === shown ? 0 : -1}
            onClick={() => onChoose(id)}
            onKeyDown={onKeyDown}
            className="flex min-h-7 max-w-full min-w-0 items-center gap-1.5 rounded-md px-2 text-xs text-muted hover:bg-sunk hover:text-ink aria-selected:bg-accent-soft aria-selected:font-medium aria-selected:text-accent"
          >
            <Icon size={14} aria-hidden className="shrink-0" />
            <span className="truncate">{name}</span>
          </button>
        )
      })}
    </div>
  )
}
