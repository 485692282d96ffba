'use client'

import { Menu } from '@base-ui/react/menu'
import type { Editor } from '@tiptap/react'
import { ChevronRight, Link, Repeat2 } from 'lucide-react'
import type { ToolbarItem } from '@/components/blocks/editor-block.ts'
import { MenuLabel, MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { focusText } from '../focus-text.ts'
import { turnIntoItems } from '../menus/toolbar-items.ts'
import { canTurnBlocksInto, turnBlocksInto } from './block-commands.ts'
import { BlockActionItems } from './block-action-items.tsx'
import { positionLinkStrings } from '@/lib/strings/position-link.ts'
import { blockActionsStrings } from '@/lib/strings/block-actions.ts'

export interface BlockActionsProps {
  readonly editor: Editor
  readonly onCopyLink: () => void
}

/** What can be done with the selected blocks. */
export default function BlockActionsMenu({
  editor,
  onCopyLink,
  anchor,
  ...popup
}: BlockActionsProps & PopupProps) {
  const onOpenChangeComplete = (isOpen: boolean) => {
    if (!isOpen) focusText(editor)
  }
  return (
    <Menu.Root {...popup} onOpenChangeComplete={onOpenChangeComplete}>
      <MenuPopup anchor={anchor} align="start" returnsFocus={() => false}>
        <BlockActionItems editor={editor} />
        <CopyLinkItem onCopyLink={onCopyLink} />
        <Menu.Separator className="mx-1 my-1 h-px bg-line" />
        <TurnInto editor={editor} />
      </MenuPopup>
    </Menu.Root>
  )
}

const CopyLinkItem = ({ onCopyLink }: Pick<BlockActionsProps, 'onCopyLink'>) => (
  <Menu.Item className={menuItemClass} onClick={onCopyLink}>
    <MenuLabel name={positionLinkStrings.copy} Icon={Link} />
  </Menu.Item>
)

const TurnInto = ({ editor }: Pick<BlockActionsProps, 'editor'>) => (
  <Menu.SubmenuRoot>
    <Menu.SubmenuTrigger className={menuItemClass}>
      <MenuLabel name={blockActionsStrings.turnInto} Icon={Repeat2} />
      <ChevronRight size={16} aria-hidden className="text-muted" />
    </Menu.SubmenuTrigger>
    <MenuPopup align="start">
      {turnIntoItems.map((item: ToolbarItem) => (
        <Menu.Item
          key={item.name}
          className={menuItemClass}
          disabled={!canTurnBlocksInto(editor, item)}
          onClick={() => turnBlocksInto(editor, item)}
        >
          <MenuLabel name={item.name} Icon={item.Icon} />
        </Menu.Item>
      ))}
    </MenuPopup>
  </Menu.SubmenuRoot>
)
