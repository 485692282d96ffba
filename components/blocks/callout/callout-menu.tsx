'use client'

import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { type CalloutKind, calloutKinds, calloutNames } from '@/lib/blocks/callout/callout-kinds.ts'
import { MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { calloutIcons } from './callout-icons.ts'

interface CalloutMenuProps {
  readonly kind: CalloutKind
  readonly onChoose: (kind: CalloutKind) => void
}

export function CalloutMenu({ kind, onChoose, anchor, ...popup }: CalloutMenuProps & PopupProps) {
  return (
    <Menu.Root {...popup}>
      <MenuPopup anchor={anchor} align="start">
        <Menu.RadioGroup value={kind} onValueChange={onChoose}>
          {calloutKinds.map((one) => {
            const Icon = calloutIcons[one]
            return (
              <Menu.RadioItem key={one} value={one} closeOnClick className={menuItemClass}>
                <Icon size={16} aria-hidden className="text-muted" />
                <span className="flex-1 pr-6">{calloutNames[one]}</span>
                <Menu.RadioItemIndicator>
                  <Check size={16} aria-hidden className="text-accent" />
                </Menu.RadioItemIndicator>
              </Menu.RadioItem>
            )
          })}
        </Menu.RadioGroup>
      </MenuPopup>
    </Menu.Root>
  )
}
