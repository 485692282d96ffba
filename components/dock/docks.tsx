'use client'

import { lazy, Suspense, useRef, type ReactNode } from 'react'
import { moved, widthOf, type Side } from '@/lib/windows/layout.ts'
import { Guard } from '@/components/ui/guard'
import { Late } from '@/components/ui/late'
import { useSize } from '@/components/ui/use-size'
import { useDockHere } from './dock'
import { droppable, useDragging } from './dragging'
import { columnOf } from './sides'
import { WidthHandle } from './width-handle'
import { strings } from '@/lib/strings/dock.ts'

// The text does not wait for what stands beside it, and who has no panels never loads it.
const Column = lazy(() => import('./column'))
const loadSheet = () => import('./sheet')

/** The text, and on both sides of it what is docked there. The text stays where it is in the page, whatever comes and goes. */
export function Docks({ children }: { children: ReactNode }) {
  const { sheet, close } = useDockHere()
  return (
    <div className="flex items-start">
      <DockSide side="left" />
      <div className="min-w-0 flex-1">{children}</div>
      <DockSide side="right" />
      {sheet && (
        <Guard key={sheet} broken={() => null}>
          <Late load={loadSheet} props={{ panel: sheet }} onMissing={() => close(sheet)} />
        </Guard>
      )}
    </div>
  )
}

/** A module that did not come once does not come until the page is loaded again. */
const NotLoaded = () => (
  <p role="alert" className="p-4 text-sm text-muted">
    {strings.column.notLoaded}
  </p>
)

const place =
  'sticky top-(--header-height) h-[calc(100dvh-var(--header-height))] shrink-0 border-line bg-paper'

function DockSide({ side }: { side: Side }) {
  const dock = useDockHere()
  const items = columnOf(dock, side)
  if (!dock.isWide) return null
  return items.length === 0 ? <EmptySide side={side} /> : <FullSide side={side} items={items} />
}

function FullSide({ side, items }: { side: Side; items: ReturnType<typeof columnOf> }) {
  const { layout } = useDockHere()
  const aside = useRef<HTMLElement>(null)
  useSize(aside, 'offsetWidth', `--dock-${side}`)
  return (
    <aside
      ref={aside}
      aria-label={strings.column.label[side]}
      data-screen-only
      className={`${place} z-10 flex max-w-[42vw] ${side === 'left' ? 'border-r' : 'flex-row-reverse border-l'}`}
      style={{ width: widthOf(layout, side) }}
    >
      <div className="min-w-0 flex-1">
        <Guard broken={() => <NotLoaded />}>
          <Suspense>
            <Column side={side} items={items} />
          </Suspense>
        </Guard>
      </div>
      <WidthHandle side={side} />
    </aside>
  )
}

/** Nothing, but while a panel is dragged: then there is room for it. */
function EmptySide({ side }: { side: Side }) {
  const { change } = useDockHere()
  const isDragging = useDragging(({ panel }) => panel !== null)
  if (!isDragging) return null
  return (
    <div
      aria-hidden
      data-drop={side}
      className={`${place} w-24 border-dashed bg-accent-soft/60 ${side === 'left' ? 'border-r' : 'border-l'}`}
      {...droppable((panel) => change((now) => moved(now, panel, { side, index: 0 })))}
    />
  )
}
