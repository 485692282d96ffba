'use client'

import { Fragment, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Group, Panel, Separator, type Layout as Sizes, type LayoutChangedMeta } from 'react-resizable-panels'
import {
  dockPositionOf,
  withItem,
  withSizes,
  type LayoutItem,
  type DockSide,
} from '@/lib/windows/panel-layout.ts'
import { PanelBody } from '@/components/panels/panel-body.tsx'
import { PanelFrame } from '@/components/panels/panel-frame.tsx'
import { panels } from '@/components/panels/panel-registry.ts'
import DetachedChip from './detached-chip.tsx'
import { useRequiredDock } from './dock.ts'
import { dragHandlers, dropHandlers, dropPanelAt, isInLowerHalf } from './panel-dragging.ts'
import { FrameMenu } from './frame-menu.tsx'
import { PanelTabs } from './panel-tabs.tsx'
import { dockFramesStrings } from '@/lib/strings/dock-frames.ts'

/** The height of a panel's heading, in px. */
const COLLAPSED_HEIGHT = 40

const MIN_HEIGHT = 96

/** In px. */
const READABLE_HEIGHT = 120

interface DockColumnProps {
  readonly side: DockSide
  readonly items: readonly LayoutItem[]
}

const isItemOpen = ({ detached, collapsed }: LayoutItem): boolean => !detached && !collapsed

/** A column of panels. */
export default function DockColumn({ side, items }: DockColumnProps) {
  const { updateLayout } = useRequiredDock()
  const onLayoutChanged = (sizes: Sizes, { isUserInteraction }: LayoutChangedMeta) => {
    if (isUserInteraction) updateLayout((now) => withSizes(now, sizes))
  }
  const firstOpen = items.findIndex(isItemOpen)
  const column = useRef<HTMLDivElement>(null)
  const height = useElementHeight(column)
  const docked = items.filter(({ detached }) => !detached)
  const isTooLow = items.filter(isItemOpen).length > 1 && neededHeight(items) > height
  return (
    <div ref={column} className="h-full">
      {isTooLow ? (
        <>
          {items.map(({ panel, detached }) => detached && <DetachedChip key={panel} panel={panel} />)}
          <PanelTabs ids={docked.map(({ panel }) => panel)} />
        </>
      ) : (
        <Group orientation="vertical" onLayoutChanged={onLayoutChanged}>
          {items.map((item, index) => (
            <Fragment key={item.panel}>
              {firstOpen >= 0 && index > firstOpen && isItemOpen(item) && <HeightHandle below={item} />}
              {item.detached ? <DetachedChip panel={item.panel} /> : <DockedPanel side={side} item={item} />}
            </Fragment>
          ))}
          {firstOpen < 0 && <Panel id="rest" />}
        </Group>
      )}
    </div>
  )
}

/** Below this each shows a line or two, and tabs are better. */
const neededHeight = (items: readonly LayoutItem[]): number =>
  items.reduce((sum, item) => sum + (isItemOpen(item) ? READABLE_HEIGHT : COLLAPSED_HEIGHT), 0)

/** Infinity until it is measured. */
function useElementHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(Infinity)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setHeight(entry.contentRect.height))
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return height
}

const HeightHandle = ({ below }: { below: LayoutItem }) => (
  <Separator
    aria-label={dockFramesStrings.height(panels[below.panel].name)}
    className="h-1.5 shrink-0 border-t border-line bg-paper outline-offset-[-2px] data-[separator=active]:bg-accent/40 data-[separator=hover]:bg-accent/25"
  />
)

function DockedPanel({ side, item: { panel, size, collapsed } }: { side: DockSide; item: LayoutItem }) {
  const dock = useRequiredDock()
  const { updateLayout } = dock
  const drop = dropHandlers((dropped, event) => {
    const after = isInLowerHalf(event) ? 1 : 0
    updateLayout((now) => dropPanelAt(now, dropped, side, (dockPositionOf(now, panel)?.index ?? 0) + after))
  })
  const collapse = {
    collapsed,
    onChange: (next: boolean) => updateLayout((now) => withItem(now, panel, { collapsed: next })),
  }
  return (
    <Panel
      id={panel}
      defaultSize={`${size}%`}
      minSize={collapsed ? COLLAPSED_HEIGHT : MIN_HEIGHT}
      maxSize={collapsed ? COLLAPSED_HEIGHT : '100%'}
      style={{ overflow: 'hidden' }}
      {...drop}
    >
      <PanelFrame
        panel={panel}
        collapse={collapse}
        onDetach={() => dock.detachPanel(panel)}
        onClose={() => dock.closePanel(panel)}
        menu={<FrameMenu panel={panel} name={panels[panel].name} />}
        {...dragHandlers(panel)}
      >
        <PanelBody panel={panel} docked {...dock.document} />
      </PanelFrame>
    </Panel>
  )
}
