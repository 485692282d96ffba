'use client'

import { ChevronDown, ChevronRight, ExternalLink, X } from 'lucide-react'
import { useEffect, useId, useRef, type DragEvent, type ReactNode } from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import { regionId, takePendingFocus } from './panel-focus.ts'
import { IconButton } from '@/components/ui/icon-button.tsx'
import { panels } from './panel-registry.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'

interface CollapseControl {
  readonly collapsed: boolean
  readonly onChange: (collapsed: boolean) => void
}

interface PanelFrameProps {
  readonly panel: PanelId
  readonly children: ReactNode
  readonly onDetach: () => void
  readonly onClose: () => void
  /** Undefined if the panel cannot be collapsed. */
  readonly collapse?: CollapseControl
  /** The menu with its other positions. */
  readonly menu?: ReactNode
  readonly onDragStart?: (event: DragEvent) => void
  readonly onDragEnd?: () => void
}

/** A panel docked in a text window. */
export function PanelFrame({
  panel,
  children,
  onDetach,
  onClose,
  collapse,
  menu,
  ...dragHandlers
}: PanelFrameProps) {
  const region = useRef<HTMLElement>(null)
  const heading = useId()
  const body = useId()
  const collapsed = collapse?.collapsed ?? false
  useEffect(() => {
    // A part of the panel may have the focus already: the field of Find.
    const hasFocus = region.current?.contains(document.activeElement)
    if (takePendingFocus(panel) && !hasFocus) region.current?.focus()
  }, [panel])
  return (
    <section
      ref={region}
      id={regionId(panel)}
      tabIndex={-1}
      data-pane="panel"
      aria-labelledby={heading}
      className="flex h-full min-h-0 flex-col outline-none"
    >
      <div
        draggable={dragHandlers.onDragStart !== undefined}
        {...dragHandlers}
        className="flex h-10 shrink-0 items-center gap-1 border-b border-line bg-sunk/50 px-1.5"
      >
        <h2 id={heading} className="flex min-w-0 flex-1 items-center gap-1.5 text-sm font-medium">
          <FrameTitle panel={panel} body={body} collapse={collapse} />
        </h2>
        {menu}
        <IconButton name={panelFramesStrings.detach} Icon={ExternalLink} onClick={onDetach} />
        <IconButton name={commonStrings.close} Icon={X} onClick={onClose} />
      </div>
      <div id={body} hidden={collapsed} className="flex min-h-0 flex-1 flex-col">
        {children}
      </div>
    </section>
  )
}

interface FrameTitleProps {
  readonly panel: PanelId
  /** The id of the element that it collapses. */
  readonly body: string
  readonly collapse: CollapseControl | undefined
}

function FrameTitle({ panel, body, collapse }: FrameTitleProps) {
  const { name, Icon } = panels[panel]
  if (!collapse)
    return (
      <span className="flex min-w-0 items-center gap-1.5 px-1">
        <Icon size={15} aria-hidden className="shrink-0 text-muted" />
        <span className="truncate">{name}</span>
      </span>
    )
  const Chevron = collapse.collapsed ? ChevronRight : ChevronDown
  return (
    <button
      type="button"
      aria-expanded={!collapse.collapsed}
      aria-controls={body}
      aria-label={name}
      onClick={() => collapse.onChange(!collapse.collapsed)}
      className="flex min-h-8 min-w-0 items-center gap-1.5 rounded-lg px-1 hover:bg-sunk"
    >
      <Chevron size={14} aria-hidden className="shrink-0 text-muted" />
      <span className="truncate">{name}</span>
    </button>
  )
}
