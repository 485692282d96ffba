'use client'

import { Menu } from '@base-ui/react/menu'
import type { Editor } from '@tiptap/react'
import { Check } from 'lucide-react'
import { formatGroups } from '@/components/blocks/blocks.ts'
import type { Format } from '@/components/blocks/editor-block.ts'
import { MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
import { shortcutText } from '@/components/ui/shortcut-text.ts'
import type { PopupProps } from '@/components/ui/use-popup.ts'

export interface FormatMenuPopupProps {
  readonly editor: Editor
}

export default function FormatMenuPopup({ editor, anchor, ...popup }: FormatMenuPopupProps & PopupProps) {
  return (
    <Menu.Root {...popup}>
      <MenuPopup anchor={anchor} align="start">
        {formatGroups.map(({ name, formats }) => (
          <Menu.Group
            key={name}
            className="not-last:mb-1 not-last:border-b not-last:border-line not-last:pb-1"
          >
            <Menu.GroupLabel className="px-2.5 pt-1.5 pb-0.5 text-xs text-muted">{name}</Menu.GroupLabel>
            {formats.map((format) => (
              <FormatItem key={format.name} editor={editor} format={format} />
            ))}
          </Menu.Group>
        ))}
      </MenuPopup>
    </Menu.Root>
  )
}

const FormatItem = ({
  editor,
  format: { name, keys, look, isOn, run },
}: {
  editor: Editor
  format: Format
}) => (
  <Menu.CheckboxItem
    checked={isOn?.(editor) ?? false}
    onCheckedChange={() => run(editor.chain().focus()).run()}
    closeOnClick
    className={menuItemClass}
  >
    <span className="w-4">
      <Menu.CheckboxItemIndicator>
        <Check size={16} aria-hidden className="text-accent" />
      </Menu.CheckboxItemIndicator>
    </span>
    <span className="flex-1 pr-6">
      <span className={look}>{name}</span>
    </span>
    {keys && <kbd className="font-sans text-xs text-muted">{shortcutText(keys)}</kbd>}
  </Menu.CheckboxItem>
)
