'use client'

import type { Editor } from '@tiptap/core'
import { ArrowDown, ArrowUp, Copy, type LucideIcon, Trash2 } from 'lucide-react'
import { MenuItem } from '@/components/ui/menu.tsx'
import { useEditorFormat } from '../use-editor-format.ts'
import { blockActionKeysText } from './block-action-keys.ts'
import { actOnBlocks, type BlockAction, canActOnBlocks } from './block-commands.ts'
import { blockActionsStrings } from '@/lib/strings/block-actions.ts'

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
  const canRun = useEditorFormat(editor, (now) => canActOnBlocks(now, action))
  return (
    <MenuItem
      name={blockActionsStrings[action]}
      Icon={Icon}
      keys={blockActionKeysText[action]}
      disabled={!canRun}
      onClick={() => actOnBlocks(editor, action)}
    />
  )
}
