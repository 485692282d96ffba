'use client'

import { Menu } from '@base-ui/react/menu'
import type { Editor } from '@tiptap/react'
import type { ToolbarItem } from '@/components/blocks/editor-block.ts'
import { MenuGroup, MenuItem, MenuPopup } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { BlockActionItems } from '../block-actions/block-action-items.tsx'
import { focusText } from '../focus-text.ts'
import { runAsStep } from '@/components/binding/run-as-step.ts'
import { blockItems } from './toolbar-items.ts'
import { editorFormsStrings } from '@/lib/strings/editor-forms.ts'

export interface InsertMenuPopupProps {
  readonly editor: Editor
}

export default function InsertMenuPopup({ editor, anchor, ...popup }: InsertMenuPopupProps & PopupProps) {
  const onOpenChangeComplete = (isOpen: boolean) => {
    if (!isOpen) focusText(editor)
  }
  return (
    <Menu.Root {...popup} onOpenChangeComplete={onOpenChangeComplete}>
      <MenuPopup anchor={anchor} align="start" returnsFocus={() => false}>
        <MenuGroup name={editorFormsStrings.slashMenu.label}>
          {blockItems.map((item) => (
            <BlockItem key={item.name} editor={editor} item={item} />
          ))}
        </MenuGroup>
        <MenuGroup name={editorFormsStrings.slashMenu.thisBlock}>
          <BlockActionItems editor={editor} />
        </MenuGroup>
      </MenuPopup>
    </Menu.Root>
  )
}

const BlockItem = ({ editor, item }: { editor: Editor; item: ToolbarItem }) => (
  <MenuItem
    {...item}
    disabled={item.canRun?.(editor) === false}
    onClick={() => runAsStep(editor, () => item.run(editor.chain()).run())}
  />
)
