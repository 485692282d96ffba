'use client'

import { Menu } from '@base-ui/react/menu'
import { Monitor, Moon, Settings, Sun } from 'lucide-react'
import { pageCommands } from '@/components/commands/command-registry.ts'
import { settingsStore } from './settings-store.ts'
import { useChosenTheme } from './use-chosen-theme.ts'
import { MenuChoices, MenuItem, MenuPopup } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { uiStrings } from '@/lib/strings/ui.ts'

const themes = [
  { id: 'system', name: uiStrings.theme.system, Icon: Monitor },
  { id: 'light', name: uiStrings.theme.light, Icon: Sun },
  { id: 'dark', name: uiStrings.theme.dark, Icon: Moon },
] as const

export default function ThemeChoices({ anchor, open, onOpenChange }: PopupProps) {
  const theme = useChosenTheme()
  return (
    <Menu.Root open={open} onOpenChange={onOpenChange}>
      <MenuPopup anchor={anchor}>
        <MenuChoices
          choices={themes}
          chosen={theme}
          onChoose={(chosen) => settingsStore.set('theme', chosen)}
        />
        <Menu.Separator className="my-1 h-px bg-line" />
        <MenuItem
          name={uiStrings.settings.all}
          Icon={Settings}
          onClick={() => pageCommands.run('settings')}
        />
      </MenuPopup>
    </Menu.Root>
  )
}
