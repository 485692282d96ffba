import type { Editor } from '@tiptap/core'
import type { Command } from '@/components/commands/command-registry.ts'
import { blockActionKeysText, boundBlockActions } from './block-action-keys.ts'
import { actOnBlocks, type BlockAction, canActOnBlocks } from './block-commands.ts'
import { selectBlocks } from './block-keys.ts'
import { blockActionsStrings } from '@/lib/strings/block-actions.ts'

/** For the blocks that are selected or have the caret. The editor itself handles the keys. */
export const blockCommandsOf = (
  editor: Editor,
  openMenu: () => void,
  copyLink: () => void,
): readonly Command[] => [
  ...[...boundBlockActions, 'delete' as const].map((action) => commandOf(editor, action)),
  {
    id: 'block:select',
    title: blockActionsStrings.commands.select,
    section: 'Text',
    words: blockActionsStrings.commands.words,
    when: () => editor.isEditable,
    run() {
      selectBlocks(editor.view)
      editor.view.focus()
    },
  },
  {
    id: 'block:copy-link',
    title: blockActionsStrings.commands.copyLink,
    section: 'Text',
    words: blockActionsStrings.commands.copyLinkWords,
    run: copyLink,
  },
  {
    id: 'block:menu',
    title: blockActionsStrings.commands.menu,
    section: 'Text',
    keys: 'Enter',
    keysInText: true,
    where: blockActionsStrings.commands.whereSelected,
    words: blockActionsStrings.commands.turnInto,
    when: () => editor.isEditable,
    run() {
      selectBlocks(editor.view)
      openMenu()
    },
  },
]

const commandOf = (editor: Editor, action: BlockAction): Command => ({
  id: `block:${action}`,
  title: blockActionsStrings.commands[action],
  section: 'Text',
  keys: blockActionKeysText[action],
  keysInText: true,
  ...(action === 'delete' && { where: blockActionsStrings.commands.whereSelected }),
  words: blockActionsStrings.commands.words,
  when: () => canActOnBlocks(editor, action),
  run: () => void actOnBlocks(editor, action),
})
