'use client'

import { useRef, type ReactNode } from 'react'
import { movePanel, widthOf, type DockSide } from '@/lib/windows/panel-layout.ts'
import { ErrorBoundary } from '@/components/ui/error-boundary.tsx'
import { Button } from '@/components/ui/button.tsx'
import { LazyComponent, LazyPart } from '@/components/ui/lazy-component.tsx'
import { useSizeProperty } from '@/components/ui/use-size-property.ts'
import { useRequiredDock } from './dock.ts'
import { dropHandlers, useDraggedPanel } from './panel-dragging.ts'
import { columnItemsOf } from './dock-items.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { dockStrings } from '@/lib/strings/dock.ts'

// The text does not wait for the columns, and people without panels never load them.
const loadColumn = () => import('./dock-column.tsx')
const loadWidthHandle = () => import('./width-handle.tsx')
const loadSheet = () => import('./panel-sheet.tsx')

/** The text, with docked panels on both sides. The text keeps its place in the page while panels come and go. */
export function DockArea({ children }: { children: ReactNode }) {
  const { sheetPanel, closePanel } = useRequiredDock()
  return (
    <div className="flex items-start">
      <DockSideArea side="left" />
      <div className="min-w-0 flex-1">{children}</div>
      <DockSideArea side="right" />
      {sheetPanel && (
        <ErrorBoundary key={sheetPanel} renderError={() => null}>
          <LazyComponent
            load={loadSheet}
            props={{ panel: sheetPanel }}
            onLoadFailed={() => closePanel(sheetPanel)}
          />
        </ErrorBoundary>
      )}
    </div>
  )
}

const ColumnNotLoaded = ({ onRetry }: { readonly onRetry: () => void }) => (
  <div role="alert" className="flex flex-col items-start gap-3 p-4 text-sm text-muted">
    <p>{dockStrings.column.notLoaded}</p>
    <Button shape="small" onClick={onRetry}>
      {commonStrings.tryAgain}
    </Button>
  </div>
)

const sideClass =
  'sticky top-(--header-height) h-[calc(100dvh-var(--header-height))] shrink-0 border-line bg-paper'

function DockSideArea({ side }: { side: DockSide }) {
  const dock = useRequiredDock()
  const items = columnItemsOf(dock, side)
  if (!dock.hasColumns) return null
  return items.length === 0 ? <EmptyDockSide side={side} /> : <FilledDockSide side={side} items={items} />
}

function FilledDockSide({ side, items }: { side: DockSide; items: ReturnType<typeof columnItemsOf> }) {
  const { layout } = useRequiredDock()
  const aside = useRef<HTMLElement>(null)
  useSizeProperty(aside, 'offsetWidth', `--dock-${side}`)
  return (
    <aside
      ref={aside}
      aria-label={dockStrings.column.label[side]}
      data-screen-only
      className={`${sideClass} z-10 flex max-w-[42vw] ${side === 'left' ? 'border-r' : 'flex-row-reverse border-l'}`}
      style={{ width: widthOf(layout, side) }}
    >
      <div className="min-w-0 flex-1">
        <ErrorBoundary renderError={(_error, retry) => <ColumnNotLoaded onRetry={retry} />}>
          <LazyPart load={loadColumn} props={{ side, items }} />
        </ErrorBoundary>
      </div>
      <ErrorBoundary renderError={() => null}>
        <LazyPart load={loadWidthHandle} props={{ side }} />
      </ErrorBoundary>
    </aside>
  )
}

/** Renders nothing, except a drop area while a panel is dragged. */
function EmptyDockSide({ side }: { side: DockSide }) {
  const { updateLayout } = useRequiredDock()
  const isDragging = useDraggedPanel(({ panel }) => panel !== null)
  if (!isDragging) return null
  return (
    <div
      aria-hidden
      data-drop={side}
      className={`${sideClass} w-24 border-dashed bg-accent-soft/60 ${side === 'left' ? 'border-r' : 'border-l'}`}
      {...dropHandlers((panel) => updateLayout((now) => movePanel(now, panel, { side, index: 0 })))}
    />
  )
}
