'use client'

import type { Editor } from '@tiptap/react'
import type { Selection } from '@tiptap/pm/state'
import { formatGroups } from '@/components/blocks/blocks.ts'
import type { LineStyle, TextCommand } from '@/components/blocks/editor-block.ts'
import type { Command } from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { shortcutText } from '@/components/ui/shortcut-text.ts'
import { toast } from '@/components/ui/toast.ts'
import { focusText } from '../focus-text.ts'
import { applyBlockStyle, blockStyles } from './block-styles.ts'
import type { TextFormActions } from './text-forms.tsx'
import { blockGroup, markGroup, menuItems } from './toolbar-items.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

const PASTE_PLAIN = 'Mod+Shift+V'

export type EditingActions = Pick<TextFormActions, 'onLink' | 'onComment'>

/** The commands that write in an editor, which itself handles the keys of marks and blocks. */
export const editingCommandsOf = (
  editor: Editor,
  { onLink, onComment }: EditingActions,
): readonly Command[] => [
  linkCommand(editor, onLink),
  commentCommand(onComment),
  ...blockStyles.map((style) => blockStyleCommand(editor, style)),
  ...[...markGroup.items, ...formats, ...blockGroup.items, ...menuItems].map((item) =>
    textCommandOf(editor, item),
  ),
  codeLanguageCommand(editor),
  pastePlainCommand(editor),
]

/** Has the commands of an editor beside the main text act on it, while it is on screen. */
export function EditingCommands({ editor, ...actions }: EditingActions & { readonly editor: Editor }) {
  useCommands(editingCommandsOf(editor, actions))
  return null
}

/** Without a selection its keys open the palette. */
const linkCommand = (editor: Editor, onLink: () => void): Command => ({
  id: 'link',
  ...editorStrings.commands.link,
  section: 'Text',
  keys: 'Mod+K',
  keysWhen: () => !editor.state.selection.empty || editor.isActive('link'),
  run: onLink,
})

const commentCommand = (run: () => void): Command => ({
  id: 'comment',
  title: editorStrings.commands.comment,
  section: 'Text',
  keys: 'Mod+Alt+M',
  run,
})

/** The button above the code opens its list. */
const codeLanguageCommand = (editor: Editor): Command => ({
  id: 'code-language',
  ...editorStrings.commands.codeLanguage,
  section: 'Text',
  when: () => isWithinCode(editor.state.selection),
  run() {
    const { node } = editor.view.domAtPos(editor.state.selection.from)
    const code = (node instanceof Element ? node : node.parentElement)?.closest('pre')
    code?.querySelector<HTMLElement>('.code-language')?.click()
  },
})

const isWithinCode = ({ $from, $to }: Selection): boolean =>
  [$from, $to].every(({ parent }) => parent.type.spec.code)

/** The browser itself pastes with these keys; the command needs permission to read the clipboard. */
const pastePlainCommand = (editor: Editor): Command => ({
  id: 'paste-plain',
  ...editorStrings.commands.pastePlain,
  section: 'Text',
  keys: PASTE_PLAIN,
  keysInText: true,
  run: () => void pastePlain(editor),
})

async function pastePlain(editor: Editor): Promise<void> {
  try {
    const text = await navigator.clipboard.readText()
    focusText(editor)
    editor.view.pasteText(text)
  } catch {
    toast(editorStrings.pasted.clipboardUnreadable(shortcutText(PASTE_PLAIN)), { id: 'pasted' })
  }
}

const blockStyleCommand = (editor: Editor, { id, name, words = '', keys }: LineStyle): Command => ({
  id: `style:${id}`,
  title: name,
  section: 'Text',
  keys,
  keysInText: true,
  words: `${editorStrings.paragraphStyle.words} ${words}`,
  run: () => applyBlockStyle(editor, id),
})

const formats = formatGroups.flatMap(({ formats: group }) => group)

const textCommandOf = (editor: Editor, { name, words, keys, run, canRun }: TextCommand): Command => ({
  id: `text:${name}`,
  title: name,
  section: 'Text',
  ...(words && { words }),
  ...(keys && { keys, keysInText: true }),
  ...(canRun && { when: () => canRun(editor) }),
  run: () => void run(editor.chain().focus()).run(),
})
