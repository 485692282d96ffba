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
import { itemOf, movedAcross, movedBy, spotOf, withItem, type Layout } from '@/lib/windows/layout.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import { pageCommands } from '@/components/commands/registry'
import { MenuPopup, menuItemClass } from '@/components/ui/menu'
import type { PopupProps } from '@/components/ui/use-popup'
import { useDockHere } from './dock'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/dock.ts'

export interface FrameChoicesProps {
  readonly panel: PanelId
}

export default function FrameChoices({ panel, anchor, open, onOpenChange }: FrameChoicesProps & PopupProps) {
  const dock = useDockHere()
  const { layout, change } = dock
  const across = spotOf(layout, panel)?.side === 'left' ? 'right' : 'left'
  const collapsed = itemOf(layout, panel)?.collapsed === true
  const by = (step: -1 | 1) => ({
    disabled: movedBy(layout, panel, step) === undefined,
    onClick: () => change((now: Layout) => movedBy(now, panel, step) ?? now),
  })
  return (
    <Menu.Root open={open} onOpenChange={onOpenChange}>
      <MenuPopup anchor={anchor}>
        <Choice {...by(-1)} icon={<ArrowUp size={16} aria-hidden />}>
          {strings.frameMenu.up}
        </Choice>
        <Choice {...by(1)} icon={<ArrowDown size={16} aria-hidden />}>
          {strings.frameMenu.down}
        </Choice>
        <Choice
          onClick={() => change((now) => movedAcross(now, panel))}
          icon={<ArrowLeftRight size={16} aria-hidden />}
        >
          {strings.frameMenu.across[across]}
        </Choice>
        <Choice
          onClick={() => change((now) => withItem(now, panel, { collapsed: !collapsed }))}
          icon={<ChevronsDownUp size={16} aria-hidden />}
        >
          {collapsed ? strings.frameMenu.expand : strings.frameMenu.collapse}
        </Choice>
        <Menu.Separator className="mx-2 my-1 h-px bg-line" />
        <Choice onClick={() => dock.detach(panel)} icon={<ExternalLink size={16} aria-hidden />}>
          {strings.frameMenu.detach}
        </Choice>
        <Choice
          onClick={() => pageCommands.run(`send:${panel}`)}
          icon={<MonitorSmartphone size={16} aria-hidden />}
        >
          {strings.frameMenu.send}
        </Choice>
        <Choice onClick={() => dock.close(panel)} icon={<X size={16} aria-hidden />}>
          {common.close}
        </Choice>
      </MenuPopup>
    </Menu.Root>
  )
}

interface ChoiceProps {
  readonly icon: ReactNode
  readonly children: ReactNode
  readonly disabled?: boolean
  readonly onClick: () => void
}

const Choice = ({ icon, children, disabled = false, onClick }: ChoiceProps) => (
  <Menu.Item disabled={disabled} onClick={onClick} className={menuItemClass}>
    <span className="text-muted">{icon}</span>
    {children}
  </Menu.Item>
)
