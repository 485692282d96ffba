'use client'

import { Menu } from '@base-ui/react/menu'
import type { Editor } from '@tiptap/react'
import { formatGroups } from '@/components/blocks/blocks.ts'
import { MenuCheckboxItem, MenuGroup, MenuPopup } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'

export interface FormatMenuPopupProps {
  readonly editor: Editor
}

export default function FormatMenuPopup({ editor, anchor, ...popup }: FormatMenuPopupProps & PopupProps) {
  return (
    <Menu.Root {...popup}>
      <MenuPopup anchor={anchor} align="start">
        {formatGroups.map((group) => (
          <MenuGroup key={group.name} name={group.name}>
            {group.formats.map((format) => (
              <MenuCheckboxItem
                key={format.name}
                label={format}
                checked={format.isOn?.(editor) ?? false}
                onCheckedChange={() => format.run(editor.chain().focus()).run()}
                closeOnClick
              />
            ))}
          </MenuGroup>
        ))}
      </MenuPopup>
    </Menu.Root>
  )
}
