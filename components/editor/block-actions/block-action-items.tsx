'use client'

import { Menu } from '@base-ui/react/menu'
import { useEditorState, type Editor } from '@tiptap/react'
import { ArrowDown, ArrowUp, Copy, type LucideIcon, Trash2 } from 'lucide-react'
import { menuItemClass } from '@/components/ui/menu.tsx'
import { shortcutText } from '@/components/ui/shortcut-text.ts'
import { blockActionKeysText } from './block-action-keys.ts'
import { actOnBlocks, type BlockAction, canActOnBlocks } from './block-commands.ts'
import { strings } from '@/lib/strings/block-actions.ts'

const actions: readonly { readonly action: BlockAction; readonly Icon: LucideIcon }[] = [
  { action: 'up', Icon: ArrowUp },
  { action: 'down', Icon: ArrowDown },
  { action: 'duplicate', Icon: Copy },
  { action: 'delete', Icon: Trash2 },
]

/** Items of a menu, for the blocks that are selected or have the caret. */
export const BlockActionItems = ({ editor }: { editor: Editor }) =>
  actions.map(({ action, Icon }) => (
    <BlockActionItem key={action} editor={editor} action={action} Icon={Icon} />
  ))

interface BlockActionItemProps {
  readonly editor: Editor
  readonly action: BlockAction
  readonly Icon: LucideIcon
}

function BlockActionItem({ editor, action, Icon }: BlockActionItemProps) {
  const canRun = useEditorState({ editor, selector: ({ editor: now }) => canActOnBlocks(now, action) })
  return (
    <Menu.Item className={menuItemClass} disabled={!canRun} onClick={() => actOnBlocks(editor, action)}>
      <Icon size={16} aria-hidden className="text-muted" />
      <span className="flex-1 pr-6">{strings[action]}</span>
      <kbd className="font-sans text-xs text-muted">{shortcutText(blockActionKeysText[action])}</kbd>
    </Menu.Item>
  )
}
