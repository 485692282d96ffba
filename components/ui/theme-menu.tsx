'use client'

import { Menu } from '@base-ui/react/menu'
import { Check, Monitor, Moon, Sun } from 'lucide-react'
import { useTheme } from 'next-themes'
import { buttonClass } from './button'
import { MenuPopup, menuItemClass } from './menu'

const themes = [
  { id: 'system', name: 'System', Icon: Monitor },
  { id: 'light', name: 'Light', Icon: Sun },
  { id: 'dark', name: 'Dark', Icon: Moon },
] as const

export function ThemeMenu() {
  const { theme, setTheme } = useTheme()
  return (
    <Menu.Root>
      <Menu.Trigger className={buttonClass({ look: 'quiet', shape: 'icon' })} aria-label="Theme">
        <Sun size={18} aria-hidden className="dark:hidden" />
        <Moon size={18} aria-hidden className="hidden dark:block" />
      </Menu.Trigger>
      <MenuPopup>
        <Menu.RadioGroup value={theme} onValueChange={setTheme}>
          {themes.map(({ id, name, Icon }) => (
            <Menu.RadioItem key={id} value={id} closeOnClick className={menuItemClass}>
              <Icon size={16} aria-hidden className="text-muted" />
              <span className="flex-1">{name}</span>
              <Menu.RadioItemIndicator>
                <Check size={16} aria-hidden className="text-accent" />
              </Menu.RadioItemIndicator>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </MenuPopup>
    </Menu.Root>
  )
}
