'use client'

import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ComponentProps, FocusEvent, ReactNode, RefObject } from 'react'

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
        // Edits of others move the anchor. A menu that moved with it would give a click to another item.
        disableAnchorTracking
        sideOffset={6}
        align={align}
        collisionPadding={8}
        className="z-50 outline-none"
      >
        <Menu.Popup
          {...(returnsFocus && { finalFocus: returnsFocus })}
          onFocus={passFocusToFirstItem}
          className="popup-motion max-h-(--available-height) min-w-44 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-float outline-none"
        >
          {children}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  )
}

/** Base UI does so only for a menu with a trigger of its own. The focus is visible where a key opened the menu. */
function passFocusToFirstItem({
  target,
  currentTarget: popup,
  relatedTarget,
}: FocusEvent<HTMLElement>): void {
  if (target !== popup || popup.contains(relatedTarget) || !popup.matches(':focus-visible')) return
  popup.querySelector<HTMLElement>('[role^=menuitem]:not([aria-disabled=true])')?.focus()
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
