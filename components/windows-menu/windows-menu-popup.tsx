'use client'

import { Menu } from '@base-ui/react/menu'
import { AppWindow, Command, ScrollText, Settings } from 'lucide-react'
import { useRef } from 'react'
import { pageCommands } from '@/components/commands/command-registry.ts'
import { useDock } from '@/components/dock/dock.ts'
import { focusPanel } from '@/components/panels/panel-focus.ts'
import { PanelMenuItems } from '@/components/dock/panel-menu-items.tsx'
import { useLinked } from '@/components/following/following-context.ts'
import { MenuCheckboxItem, MenuItem, MenuPopup } from '@/components/ui/menu.tsx'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { useIsOnlyWindow } from '@/components/windows/use-own-window-entries.ts'
import { windowsStrings } from '@/lib/strings/windows.ts'

export default function WindowsMenuPopup({ anchor, open, onOpenChange }: PopupProps) {
  const dock = useDock()
  const command = useRef('')
  /** The panel that covers the text now. The focus goes there once it has left the menu, in Find to its field. */
  const sheet = useRef<PanelId | null>(null)
  const onOpenChangeComplete = (isOpen: boolean) => {
    const chosenCommand = command.current
    command.current = ''
    if (isOpen) sheet.current = null
    else if (sheet.current === 'find') pageCommands.run('find')
    else if (sheet.current) focusPanel(sheet.current)
    // A command is available only when no overlay is open: once the focus, too, has left the menu.
    if (!isOpen && chosenCommand) setTimeout(() => pageCommands.run(chosenCommand))
  }
  return (
    <Menu.Root
      open={open}
      onOpenChange={onOpenChange}
      onOpenChangeComplete={onOpenChangeComplete}
      // It stays open when a panel is chosen, and a click in the text behind it reaches the text.
      modal={false}
    >
      <MenuPopup anchor={anchor} returnsFocus={() => sheet.current === null}>
        {dock && (
          <>
            <PanelMenuItems dock={dock} onSheet={(panel) => (sheet.current = panel)} />
            <Separator />
          </>
        )}
        <SyncScrollItem />
        {(dock ? menuCommands.slice(0, 1) : menuCommands).map(({ id, name, Icon }) => (
          <MenuItem key={id} name={name} Icon={Icon} onClick={() => (command.current = id)} />
        ))}
      </MenuPopup>
    </Menu.Root>
  )
}

const Separator = () => <Menu.Separator className="mx-1 my-1 h-px bg-line" />

/** Offers the other commands to people without a keyboard. A text has those that are not about windows in the options of its document. */
const menuCommands = [
  { id: 'windows', name: windowsStrings.menu.ownWindows, Icon: AppWindow },
  { id: 'palette', name: windowsStrings.menu.allCommands, Icon: Command },
  { id: 'settings', name: windowsStrings.menu.settings, Icon: Settings },
] as const

/** Not shown if there is no other window to scroll with. */
function SyncScrollItem() {
  const [linked, setLinked] = useLinked()
  if (useIsOnlyWindow()) return null
  return (
    <MenuCheckboxItem
      label={{ name: windowsStrings.menu.syncScroll, Icon: ScrollText }}
      checked={linked}
      onCheckedChange={setLinked}
    />
  )
}
