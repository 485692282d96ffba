import type { Editor } from '@tiptap/core'
import type { Command } from '@/components/commands/command-registry.ts'
import { blockActionKeysText, boundBlockActions } from './block-action-keys.ts'
import { actOnBlocks, type BlockAction, canActOnBlocks } from './block-commands.ts'
import { selectBlocks } from './block-keys.ts'
import { strings } from '@/lib/strings/block-actions.ts'

/** For the blocks that are selected or have the caret. The editor itself handles the keys. */
export const blockCommandsOf = (
  editor: Editor,
  openMenu: () => void,
  copyLink: () => void,
): readonly Command[] => [
  ...[...boundBlockActions, 'delete' as const].map((action) => commandOf(editor, action)),
  {
    id: 'block:select',
    title: strings.commands.select,
    section: 'Text',
    words: strings.commands.words,
    when: () => editor.isEditable,
    run() {
      selectBlocks(editor.view)
      editor.view.focus()
    },
  },
  {
    id: 'block:copy-link',
    title: strings.commands.copyLink,
    section: 'Text',
    words: strings.commands.copyLinkWords,
    run: copyLink,
  },
  {
    id: 'block:menu',
    title: strings.commands.menu,
    section: 'Text',
    keys: 'Enter',
    keysInText: true,
    where: strings.commands.whereSelected,
    words: strings.commands.turnInto,
    when: () => editor.isEditable,
    run() {
      selectBlocks(editor.view)
      openMenu()
    },
  },
]

const commandOf = (editor: Editor, action: BlockAction): Command => ({
  id: `block:${action}`,
  title: strings.commands[action],
  section: 'Text',
  keys: blockActionKeysText[action],
  keysInText: true,
  ...(action === 'delete' && { where: strings.commands.whereSelected }),
  words: strings.commands.words,
  when: () => canActOnBlocks(editor, action),
  run: () => void actOnBlocks(editor, action),
})
