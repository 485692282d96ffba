'use client'

import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode, RefObject } from 'react'

export const menuItemClass =
  'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm outline-none select-none data-highlighted:bg-sunk data-disabled:opacity-50'

interface MenuPopupProps {
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
  /** The element to open beside, if the `Menu.Root` has no trigger of its own. */
  readonly anchor?: RefObject<HTMLElement | null>
  /** Whether closing returns the focus: not if the chosen item moves it elsewhere. */
  readonly returnsFocus?: () => boolean
}

/** The popup of a `Menu.Root`. */
export function MenuPopup({ children, align = 'end', anchor, returnsFocus }: MenuPopupProps) {
  return (
    <Menu.Portal>
      <Menu.Positioner
        {...(anchor && { anchor })}
        sideOffset={6}
        align={align}
        collisionPadding={8}
        className="z-50 outline-none"
      >
        <Menu.Popup
          {...(returnsFocus && { finalFocus: returnsFocus })}
          className="popup-motion max-h-(--available-height) min-w-44 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-float outline-none"
        >
          {children}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  )
}

/** An item that is on or off. */
export const MenuCheckboxItem = ({
  className = '',
  children,
  ...rest
}: Omit<ComponentProps<typeof Menu.CheckboxItem>, 'className'> & { className?: string }) => (
  <Menu.CheckboxItem {...rest} className={`${menuItemClass} ${className}`}>
    {children}
    <Menu.CheckboxItemIndicator>
      <Check size={16} aria-hidden className="text-accent" />
    </Menu.CheckboxItemIndicator>
  </Menu.CheckboxItem>
)
