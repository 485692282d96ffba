'use client'

import { Menu } from '@base-ui/react/menu'
import type { Editor } from '@tiptap/react'
import { Link, Repeat2 } from 'lucide-react'
import type { ToolbarItem } from '@/components/blocks/editor-block.ts'
import { MenuItem, MenuPopup, Submenu } from '@/components/ui/menu.tsx'
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
        <MenuItem name={positionLinkStrings.copy} Icon={Link} onClick={onCopyLink} />
        <Menu.Separator className="mx-1 my-1 h-px bg-line" />
        <TurnInto editor={editor} />
      </MenuPopup>
    </Menu.Root>
  )
}

const TurnInto = ({ editor }: Pick<BlockActionsProps, 'editor'>) => (
  <Submenu name={blockActionsStrings.turnInto} Icon={Repeat2}>
    {turnIntoItems.map((item: ToolbarItem) => (
      <MenuItem
        key={item.name}
        name={item.name}
        Icon={item.Icon}
        disabled={!canTurnBlocksInto(editor, item)}
        onClick={() => turnBlocksInto(editor, item)}
      />
    ))}
  </Submenu>
)
