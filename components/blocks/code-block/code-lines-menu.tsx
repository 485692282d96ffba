'use client'

import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { type CodeLineStyle, codeLineStyles } from '@/lib/desk/settings.ts'
import { settingsStore } from '@/components/settings/settings-store.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { strings } from '@/lib/strings/code-block.ts'

/** How a person reads code is their own choice, in all their windows, and no part of the text. */
export function CodeLinesMenu({ anchor, ...popup }: PopupProps) {
  const { codeLines } = useSettings()
  return (
    <Menu.Root {...popup}>
      <MenuPopup anchor={anchor} align="end">
        <Menu.RadioGroup
          value={codeLines}
          onValueChange={(style: CodeLineStyle) => settingsStore.set('codeLines', style)}
        >
          {codeLineStyles.map((style) => (
            <Menu.RadioItem key={style} value={style} closeOnClick className={menuItemClass}>
              <span className="flex-1 pr-6">{strings.lineStyles[style]}</span>
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
