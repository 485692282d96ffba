'use client'

import { Menu } from '@base-ui/react/menu'
import {
  ArrowDown,
  ArrowLeftRight,
  ArrowUp,
  ChevronsDownUp,
  ExternalLink,
  MonitorSmartphone,
  X,
} from 'lucide-react'
import {
  itemOf,
  movePanelAcross,
  movePanelBy,
  dockPositionOf,
  withItem,
  type PanelLayout,
} from '@/lib/windows/panel-layout.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import { pageCommands } from '@/components/commands/command-registry.ts'
import { MenuItem, MenuPopup } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { useRequiredDock } from './dock.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { dockFramesStrings } from '@/lib/strings/dock-frames.ts'

export interface FrameMenuPopupProps {
  readonly panel: PanelId
}

export default function FrameMenuPopup({
  panel,
  anchor,
  open,
  onOpenChange,
}: FrameMenuPopupProps & PopupProps) {
  const dock = useRequiredDock()
  const { layout, updateLayout } = dock
  const otherSide = dockPositionOf(layout, panel)?.side === 'left' ? 'right' : 'left'
  const isCollapsed = itemOf(layout, panel)?.collapsed === true
  const movePropsBy = (step: -1 | 1) => ({
    disabled: movePanelBy(layout, panel, step) === undefined,
    onClick: () => updateLayout((now: PanelLayout) => movePanelBy(now, panel, step) ?? now),
  })
  return (
    <Menu.Root open={open} onOpenChange={onOpenChange}>
      <MenuPopup anchor={anchor}>
        <MenuItem name={dockFramesStrings.frameMenu.up} {...movePropsBy(-1)} Icon={ArrowUp} />
        <MenuItem name={dockFramesStrings.frameMenu.down} {...movePropsBy(1)} Icon={ArrowDown} />
        <MenuItem
          name={dockFramesStrings.frameMenu.across[otherSide]}
          onClick={() => updateLayout((now) => movePanelAcross(now, panel))}
          Icon={ArrowLeftRight}
        />
        <MenuItem
          name={isCollapsed ? dockFramesStrings.frameMenu.expand : dockFramesStrings.frameMenu.collapse}
          onClick={() => updateLayout((now) => withItem(now, panel, { collapsed: !isCollapsed }))}
          Icon={ChevronsDownUp}
        />
        <Menu.Separator className="mx-2 my-1 h-px bg-line" />
        <MenuItem
          name={dockFramesStrings.frameMenu.detach}
          onClick={() => dock.detachPanel(panel)}
          Icon={ExternalLink}
        />
        <MenuItem
          name={dockFramesStrings.frameMenu.send}
          onClick={() => pageCommands.run(`send:${panel}`)}
          Icon={MonitorSmartphone}
        />
        <MenuItem name={commonStrings.close} onClick={() => dock.closePanel(panel)} Icon={X} />
      </MenuPopup>
    </Menu.Root>
  )
}
