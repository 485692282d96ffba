'use client'

import { Menu } from '@base-ui/react/menu'
import { Check, Monitor, Moon, Settings, Sun } from 'lucide-react'
import { pageCommands } from '@/components/commands/command-registry.ts'
import { settingsStore } from '@/components/settings/settings-store.ts'
import { useChosenTheme } from '@/components/settings/use-chosen-theme.ts'
import type { Theme } from '@/lib/desk/settings.ts'
import { MenuPopup, menuItemClass } from './menu.tsx'
import type { PopupProps } from './use-popup.ts'
import { strings } from '@/lib/strings/ui.ts'

const themes = [
  { id: 'system', Icon: Monitor },
  { id: 'light', Icon: Sun },
  { id: 'dark', Icon: Moon },
] as const

export default function ThemeChoices({ anchor, open, onOpenChange }: PopupProps) {
  const theme = useChosenTheme()
  return (
    <Menu.Root open={open} onOpenChange={onOpenChange}>
      <MenuPopup anchor={anchor}>
        <Menu.RadioGroup value={theme} onValueChange={(chosen: Theme) => settingsStore.set('theme', chosen)}>
          {themes.map(({ id, Icon }) => (
            <Menu.RadioItem key={id} value={id} closeOnClick className={menuItemClass}>
              <Icon size={16} aria-hidden className="text-muted" />
              <span className="flex-1">{strings.theme[id]}</span>
              <Menu.RadioItemIndicator>
                <Check size={16} aria-hidden className="text-accent" />
              </Menu.RadioItemIndicator>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Separator className="my-1 h-px bg-line" />
        <Menu.Item className={menuItemClass} onClick={() => pageCommands.run('settings')}>
          <Settings size={16} aria-hidden className="text-muted" />
          <span className="flex-1">{strings.settings.all}</span>
        </Menu.Item>
      </MenuPopup>
    </Menu.Root>
  )
}
