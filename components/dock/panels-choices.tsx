'use client'

import { Menu } from '@base-ui/react/menu'
import { Check, Command, ExternalLink, Settings } from 'lucide-react'
import { useRef } from 'react'
import { itemOf } from '@/lib/windows/layout.ts'
import { panelIds, type PanelId } from '@/lib/windows/panels.ts'
import { pageCommands } from '@/components/commands/registry.ts'
import { panels } from '@/components/panels/registry'
import { MenuPopup, menuItemClass } from '@/components/ui/menu'
import type { PopupProps } from '@/components/ui/use-popup'
import { useDockHere } from './dock'

/** Each panel has a line, and within it a second thing to choose: arrows go down the one, then the other follows in order. */
export default function PanelsChoices({ anchor, open, onOpenChange }: PopupProps) {
  const command = useRef('')
  const onOpenChangeComplete = (isOpen: boolean) => {
    const chosen = command.current
    command.current = ''
    // A command is possible where nothing is in front: once the keyboard, too, has left the menu.
    if (!isOpen && chosen) setTimeout(() => pageCommands.run(chosen))
  }
  return (
    <Menu.Root
      open={open}
      onOpenChange={onOpenChange}
      onOpenChangeComplete={onOpenChangeComplete}
      // It stays open when a panel is chosen: a click in the text behind it is one in the text.
      modal={false}
    >
      <MenuPopup anchor={anchor}>
        {panelIds.map((panel) => (
          <Choices key={panel} panel={panel} />
        ))}
        <Menu.Separator className="mx-1 my-1 h-px bg-line" />
        {/* Whoever has no keyboard finds here what else can be done. */}
        {further.map(({ id, name, Icon }) => (
          <Menu.Item key={id} className={menuItemClass} onClick={() => (command.current = id)}>
            <Icon size={16} aria-hidden className="text-muted" />
            {name}
          </Menu.Item>
        ))}
      </MenuPopup>
    </Menu.Root>
  )
}

const further = [
  { id: 'palette', name: 'All commands', Icon: Command },
  { id: 'settings', name: 'Settings', Icon: Settings },
] as const

function Choices({ panel }: { panel: PanelId }) {
  const dock = useDockHere()
  const { name, Icon } = panels[panel]
  const isDetached = itemOf(dock.layout, panel)?.detached === true
  return (
    <div className="flex items-center gap-1">
      <Menu.CheckboxItem
        checked={dock.isShown(panel)}
        closeOnClick={!dock.isWide}
        onCheckedChange={() => dock.toggle(panel)}
        className={`${menuItemClass} flex-1`}
      >
        <Icon size={16} aria-hidden className="text-muted" />
        <span className="flex-1">{name}</span>
        <Menu.CheckboxItemIndicator>
          <Check size={16} aria-hidden className="text-accent" />
        </Menu.CheckboxItemIndicator>
      </Menu.CheckboxItem>
      <Menu.Item
        aria-label={isDetached ? `Show the window of ${name}` : `Open ${name} in its own window`}
        onClick={() => (isDetached ? dock.show(panel) : dock.detach(panel))}
        className="grid size-9 shrink-0 place-items-center rounded-md text-muted outline-none data-highlighted:bg-sunk data-highlighted:text-ink"
      >
        <ExternalLink size={15} aria-hidden />
      </Menu.Item>
    </div>
  )
}
