'use client'

import { Fragment } from 'react'
import { Group, Panel, Separator, type Layout as Sizes, type LayoutChangedMeta } from 'react-resizable-panels'
import { spotOf, withItem, withSizes, type Item, type Side } from '@/lib/windows/layout.ts'
import { PanelBody } from '@/components/panels/panel-body'
import { PanelFrame } from '@/components/panels/panel-frame'
import { panels } from '@/components/panels/registry'
import { Chip } from './chip'
import { useDockHere } from './dock'
import { dragging, droppable, droppedAt, isAfter } from './dragging'
import { FrameMenu } from './frame-menu'
import { strings } from '@/lib/strings/dock.ts'

/** As high as the heading of a frame, in px. */
const COLLAPSED = 40

const MIN_HEIGHT = 96

interface ColumnProps {
  readonly side: Side
  readonly items: readonly Item[]
}

const isOpen = ({ detached, collapsed }: Item): boolean => !detached && !collapsed

/** Panels under each other. */
export default function Column({ side, items }: ColumnProps) {
  const { change } = useDockHere()
  const remember = (sizes: Sizes, { isUserInteraction }: LayoutChangedMeta) => {
    if (isUserInteraction) change((now) => withSizes(now, sizes))
  }
  const firstOpen = items.findIndex(isOpen)
  return (
    <Group orientation="vertical" onLayoutChanged={remember}>
      {items.map((item, index) => (
        <Fragment key={item.panel}>
          {firstOpen >= 0 && index > firstOpen && isOpen(item) && <HeightHandle below={item} />}
          {item.detached ? <Chip panel={item.panel} /> : <Docked side={side} item={item} />}
        </Fragment>
      ))}
      {firstOpen < 0 && <Panel id="rest" />}
    </Group>
  )
}

const HeightHandle = ({ below }: { below: Item }) => (
  <Separator
    aria-label={strings.column.height(panels[below.panel].name)}
    className="h-1.5 shrink-0 border-t border-line bg-paper outline-offset-[-2px] data-[separator=active]:bg-accent/40 data-[separator=hover]:bg-accent/25"
  />
)

function Docked({ side, item: { panel, size, collapsed } }: { side: Side; item: Item }) {
  const dock = useDockHere()
  const { change } = dock
  const drop = droppable((dropped, event) => {
    const after = isAfter(event) ? 1 : 0
    change((now) => droppedAt(now, dropped, side, (spotOf(now, panel)?.index ?? 0) + after))
  })
  const collapse = {
    collapsed,
    onChange: (next: boolean) => change((now) => withItem(now, panel, { collapsed: next })),
  }
  return (
    <Panel
      id={panel}
      defaultSize={`${size}%`}
      minSize={collapsed ? COLLAPSED : MIN_HEIGHT}
      maxSize={collapsed ? COLLAPSED : '100%'}
      style={{ overflow: 'hidden' }}
      {...drop}
    >
      <PanelFrame
        panel={panel}
        collapse={collapse}
        onDetach={() => dock.detach(panel)}
        onClose={() => dock.close(panel)}
        menu={<FrameMenu panel={panel} name={panels[panel].name} />}
        {...dragging(panel)}
      >
        <PanelBody panel={panel} docked {...dock.document} />
      </PanelFrame>
    </Panel>
  )
}
