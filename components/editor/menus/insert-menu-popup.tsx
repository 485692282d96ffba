'use client'

import { Menu } from '@base-ui/react/menu'
import type { Editor } from '@tiptap/react'
import type { ReactNode } from 'react'
import type { ToolbarItem } from '@/components/blocks/editor-block.ts'
import { MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
import { shortcutText } from '@/components/ui/shortcut-text.ts'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { BlockActionItems } from '../block-actions/block-action-items.tsx'
import { focusText } from '../focus-text.ts'
import { runAsStep } from '../run-as-step.ts'
import { blockItems } from './toolbar-items.ts'
import { strings } from '@/lib/strings/editor-forms.ts'

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
        <ItemGroup label={strings.slashMenu.label}>
          {blockItems.map((item) => (
            <BlockItem key={item.name} editor={editor} item={item} />
          ))}
        </ItemGroup>
        <ItemGroup label={strings.slashMenu.thisBlock}>
          <BlockActionItems editor={editor} />
        </ItemGroup>
      </MenuPopup>
    </Menu.Root>
  )
}

const ItemGroup = ({ label, children }: { label: string; children: ReactNode }) => (
  <Menu.Group>
    <Menu.GroupLabel className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-muted">{label}</Menu.GroupLabel>
    {children}
  </Menu.Group>
)

const BlockItem = ({
  editor,
  item: { name, keys, Icon, run, canRun },
}: {
  editor: Editor
  item: ToolbarItem
}) => (
  <Menu.Item
    className={menuItemClass}
    disabled={canRun?.(editor) === false}
    onClick={() => runAsStep(editor, () => run(editor.chain()).run())}
  >
    <Icon size={16} aria-hidden className="text-muted" />
    <span className="flex-1 pr-6">{name}</span>
    {keys && <kbd className="font-sans text-xs text-muted">{shortcutText(keys)}</kbd>}
  </Menu.Item>
)
