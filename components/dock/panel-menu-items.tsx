'use client'

import { Menu } from '@base-ui/react/menu'
import { ExternalLink } from 'lucide-react'
import { itemOf } from '@/lib/windows/panel-layout.ts'
import { panelIds, type PanelId } from '@/lib/windows/panels.ts'
import { panels } from '@/components/panels/panel-registry.ts'
import { MenuCheckboxItem, MenuGroup } from '@/components/ui/menu.tsx'
import type { Dock } from './dock.ts'
import { dockFramesStrings } from '@/lib/strings/dock-frames.ts'

interface PanelMenuItemsProps {
  readonly dock: Dock
  /** Called with a panel that covers the text as soon as it is chosen. */
  readonly onSheet: (panel: PanelId) => void
}

/** Each panel has a line with a second action in it: arrow keys go down the lines first, then down the second actions. */
export const PanelMenuItems = (props: PanelMenuItemsProps) => (
  <MenuGroup name={dockFramesStrings.panelMenu.title}>
    {panelIds.map((panel) => (
      <PanelMenuItem key={panel} panel={panel} {...props} />
    ))}
  </MenuGroup>
)

function PanelMenuItem({ panel, dock, onSheet }: PanelMenuItemsProps & { readonly panel: PanelId }) {
  const { name } = panels[panel]
  const isDetached = itemOf(dock.layout, panel)?.detached === true
  return (
    <div className="flex items-center gap-1">
      <MenuCheckboxItem
        label={panels[panel]}
        checked={dock.isPanelShown(panel)}
        closeOnClick={!dock.hasColumns}
        onCheckedChange={(isShown) => {
          dock.togglePanel(panel)
          if (isShown && !dock.hasColumns) onSheet(panel)
        }}
        className="flex-1"
      />
      <Menu.Item
        aria-label={
          isDetached ? dockFramesStrings.panelMenu.showWindow(name) : dockFramesStrings.panelMenu.detach(name)
        }
        onClick={() => (isDetached ? dock.showPanel(panel) : dock.detachPanel(panel))}
        className="grid size-9 shrink-0 place-items-center rounded-md text-muted outline-none data-highlighted:bg-sunk data-highlighted:text-ink"
      >
        <ExternalLink size={15} aria-hidden />
      </Menu.Item>
    </div>
  )
}
