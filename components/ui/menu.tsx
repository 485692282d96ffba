'use client'

import { Menu } from '@base-ui/react/menu'
import { Check, ChevronRight, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type FocusEvent, type ReactNode, type RefObject, useRef } from 'react'
import { mayGiveFocusBack } from './may-give-focus-back.ts'
import { shortcutText } from './shortcut-text.ts'
import type { PopupProps } from './use-popup.ts'

const menuItemClass =
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
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Menu.Portal>
      <Menu.Positioner
        {...(anchor && { anchor })}
        // Edits of others move the anchor. A menu that moved with it would give a click to another item.
        disableAnchorTracking
        // The menu stays at its button: with "absolute" it would scroll away with the page.
        positionMethod="fixed"
        sideOffset={6}
        align={align}
        collisionPadding={8}
        className="z-50 outline-none"
      >
        <Menu.Popup
          ref={popup}
          {...(returnsFocus && { finalFocus: () => returnsFocus() && mayGiveFocusBack(popup.current) })}
          onFocus={passFocusToFirstItem}
          // What scrolls can be reached, also where no item is, as after a click.
          tabIndex={0}
          className="popup-motion scrolls-y max-h-(--available-height) min-w-44 rounded-xl border border-line p-1 shadow-float outline-none [--ground:var(--raised)]"
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

interface MenuLabelProps {
  readonly name: string
  readonly Icon?: LucideIcon
  readonly keys?: string
  /** Class names of the name. */
  readonly look?: string
  readonly isDanger?: boolean
}

/** What stands in an item of a menu. */
const MenuLabel = ({ name, Icon, keys, look = '', isDanger = false }: MenuLabelProps) => (
  <>
    {Icon && <Icon size={16} aria-hidden className={isDanger ? '' : 'text-muted'} />}
    <span className="flex-1 pr-6">
      <span className={look}>{name}</span>
    </span>
    {keys && (
      <kbd className="font-sans text-xs text-muted max-sm:pointer-coarse:hidden">{shortcutText(keys)}</kbd>
    )}
  </>
)

type MenuItemProps = MenuLabelProps &
  Pick<ComponentProps<typeof Menu.Item>, 'disabled' | 'onClick' | 'onKeyDown'>

/** An item that does something. Letters find it by its text, which begins with its name: no blank stands between an icon and that. */
export const MenuItem = ({ disabled, onClick, onKeyDown, ...label }: MenuItemProps) => (
  <Menu.Item
    disabled={disabled}
    onClick={onClick}
    onKeyDown={onKeyDown}
    className={`${menuItemClass} ${label.isDanger ? 'text-danger' : ''}`}
  >
    <MenuLabel {...label} />
  </Menu.Item>
)

/** An item that opens a menu beside it. */
export const Submenu = ({ children, ...label }: MenuLabelProps & Pick<MenuPopupProps, 'children'>) => (
  <Menu.SubmenuRoot>
    <Menu.SubmenuTrigger className={menuItemClass}>
      <MenuLabel {...label} />
      <ChevronRight size={16} aria-hidden className="text-muted" />
    </Menu.SubmenuTrigger>
    <MenuPopup align="start">{children}</MenuPopup>
  </Menu.SubmenuRoot>
)

/** Items below a word for them. */
export const MenuGroup = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <Menu.Group>
    <Menu.GroupLabel className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-muted">{name}</Menu.GroupLabel>
    {children}
  </Menu.Group>
)

type CheckboxItemProps = Omit<ComponentProps<typeof Menu.CheckboxItem>, 'className' | 'children' | 'label'>

/** An item that is on or off. */
export const MenuCheckboxItem = ({
  className = '',
  label,
  ...item
}: CheckboxItemProps & { className?: string; label: MenuLabelProps }) => (
  <Menu.CheckboxItem {...item} className={`${menuItemClass} ${className}`}>
    <MenuLabel {...label} />
    <Menu.CheckboxItemIndicator {...tick} />
  </Menu.CheckboxItem>
)

interface Choice<Id extends string> extends MenuLabelProps {
  readonly id: Id
}

interface MenuChoicesProps<Id extends string> {
  readonly choices: readonly Choice<Id>[]
  readonly chosen: Id
  readonly onChoose: (id: Id) => void
}

/** Items of which one is chosen. Other items may stand beside them. */
export const MenuChoices = <Id extends string>({ choices, chosen, onChoose }: MenuChoicesProps<Id>) => (
  <Menu.RadioGroup value={chosen} onValueChange={onChoose}>
    {choices.map(({ id, ...label }) => (
      <Menu.RadioItem key={id} value={id} closeOnClick className={menuItemClass}>
        <MenuLabel {...label} />
        <Menu.RadioItemIndicator {...tick} />
      </Menu.RadioItem>
    ))}
  </Menu.RadioGroup>
)

/** It keeps its place where it is not shown, so that keys and names stand below each other. */
const tick = {
  keepMounted: true,
  className: 'data-unchecked:invisible',
  children: <Check size={16} aria-hidden className="text-accent" />,
}

type ChoiceMenuProps<Id extends string> = MenuChoicesProps<Id> & PopupProps & Pick<MenuPopupProps, 'align'>

/** A menu of choices and nothing else. */
export const ChoiceMenu = <Id extends string>({
  choices,
  chosen,
  onChoose,
  anchor,
  align = 'start',
  ...popup
}: ChoiceMenuProps<Id>) => (
  <Menu.Root {...popup}>
    <MenuPopup anchor={anchor} align={align}>
      <MenuChoices choices={choices} chosen={chosen} onChoose={onChoose} />
    </MenuPopup>
  </Menu.Root>
)
