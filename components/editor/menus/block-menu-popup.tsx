'use client'

import { Menu } from '@base-ui/react/menu'
import type { Editor } from '@tiptap/react'
import { Check } from 'lucide-react'
import { MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
import { shortcutText } from '@/components/ui/shortcut-text.ts'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { applyBlockStyle, blockStyles } from './block-styles.ts'

export interface BlockMenuPopupProps {
  readonly editor: Editor
  /** The id of the block style at the caret. */
  readonly current: string
}

export default function BlockMenuPopup({
  editor,
  current,
  anchor,
  ...popup
}: BlockMenuPopupProps & PopupProps) {
  return (
    <Menu.Root {...popup}>
      <MenuPopup anchor={anchor} align="start">
        <Menu.RadioGroup value={current} onValueChange={(id: string) => applyBlockStyle(editor, id)}>
          {blockStyles.map(({ id, name: label, keys, look }) => (
            <Menu.RadioItem key={id} value={id} closeOnClick className={menuItemClass}>
              <span className="w-4">
                <Menu.RadioItemIndicator>
                  <Check size={16} aria-hidden className="text-accent" />
                </Menu.RadioItemIndicator>
              </span>
              <span className={`flex-1 pr-6 ${look}`}>{label}</span>
              <kbd className="font-sans text-xs text-muted">{shortcutText(keys)}</kbd>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </MenuPopup>
    </Menu.Root>
  )
}
