'use client'

import { Menu } from '@base-ui/react/menu'
import { Check, Monitor, Moon, Sun } from 'lucide-react'
import { useTheme } from 'next-themes'
import type { RefObject } from 'react'
import { MenuPopup, menuItemClass } from './menu'
import type { PopupProps } from './use-popup'

const themes = [
  { id: 'system', name: 'System', Icon: Monitor },
  { id: 'light', name: 'Light', Icon: Sun },
  { id: 'dark', name: 'Dark', Icon: Moon },
] as const

export interface ThemeChoicesProps {
  readonly anchor: RefObject<HTMLElement | null>
}

export default function ThemeChoices({ anchor, open, onOpenChange }: ThemeChoicesProps & PopupProps) {
  const { theme, setTheme } = useTheme()
  return (
    <Menu.Root open={open} onOpenChange={onOpenChange}>
      <MenuPopup anchor={anchor}>
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
