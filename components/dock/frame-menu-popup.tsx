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
import type { ReactNode } from 'react'
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
import { MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
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
        <FrameMenuItem {...movePropsBy(-1)} icon={<ArrowUp size={16} aria-hidden />}>
          {dockFramesStrings.frameMenu.up}
        </FrameMenuItem>
        <FrameMenuItem {...movePropsBy(1)} icon={<ArrowDown size={16} aria-hidden />}>
          {dockFramesStrings.frameMenu.down}
        </FrameMenuItem>
        <FrameMenuItem
          onClick={() => updateLayout((now) => movePanelAcross(now, panel))}
          icon={<ArrowLeftRight size={16} aria-hidden />}
        >
          {dockFramesStrings.frameMenu.across[otherSide]}
        </FrameMenuItem>
        <FrameMenuItem
          onClick={() => updateLayout((now) => withItem(now, panel, { collapsed: !isCollapsed }))}
          icon={<ChevronsDownUp size={16} aria-hidden />}
        >
          {isCollapsed ? dockFramesStrings.frameMenu.expand : dockFramesStrings.frameMenu.collapse}
        </FrameMenuItem>
        <Menu.Separator className="mx-2 my-1 h-px bg-line" />
        <FrameMenuItem onClick={() => dock.detachPanel(panel)} icon={<ExternalLink size={16} aria-hidden />}>
          {dockFramesStrings.frameMenu.detach}
        </FrameMenuItem>
        <FrameMenuItem
          onClick={() => pageCommands.run(`send:${panel}`)}
          icon={<MonitorSmartphone size={16} aria-hidden />}
        >
          {dockFramesStrings.frameMenu.send}
        </FrameMenuItem>
        <FrameMenuItem onClick={() => dock.closePanel(panel)} icon={<X size={16} aria-hidden />}>
          {commonStrings.close}
        </FrameMenuItem>
      </MenuPopup>
    </Menu.Root>
  )
}

interface FrameMenuItemProps {
  readonly icon: ReactNode
  readonly children: ReactNode
  readonly disabled?: boolean
  readonly onClick: () => void
}

const FrameMenuItem = ({ icon, children, disabled = false, onClick }: FrameMenuItemProps) => (
  <Menu.Item disabled={disabled} onClick={onClick} className={menuItemClass}>
    <span className="text-muted">{icon}</span>
    {children}
  </Menu.Item>
)
