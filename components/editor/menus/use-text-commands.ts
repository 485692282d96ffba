'use client'

import type { Editor } from '@tiptap/react'
import type { OpenDocument } from '@/lib/client.ts'
import { rangeOfMatch } from '@/lib/text/search-match.ts'
import {
  type Command,
  type HelpOnlyKeys,
  createHelpOnlyCommand,
} from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { shownMatchesOf } from '@/components/panels/find/shown-matches.ts'
import { dispatchPanelCommand } from '@/components/panels/dispatch-panel-command.ts'
import { shortcutText } from '@/components/ui/shortcut-text.ts'
import { toast } from '@/components/ui/toast.ts'
import { focusText } from '../focus-text.ts'
import { formatGroups } from '@/components/blocks/blocks.ts'
import type { LineStyle, TextCommand } from '@/components/blocks/editor-block.ts'
import { applyBlockStyle, blockStyles } from './block-styles.ts'
import { textBindingOf } from '../binding/text-binding.ts'
import { editorRangeOf, lineRangeBetween } from '../highlights/highlights.ts'
import { useSectionCommands } from './use-section-commands.ts'
import { blockGroup, markGroup, menuItems } from './toolbar-items.ts'
import { strings } from '@/lib/strings/editor.ts'

const PASTE_PLAIN = 'Mod+Shift+V'

interface TextCommandsOptions {
  readonly opened: OpenDocument
  readonly editor: Editor
  readonly editable: boolean
  readonly onLink: () => void
  readonly onComment: () => void
}

/** Registers the commands of the text. The editor itself handles the keys of marks and blocks. */
export function useTextCommands({ opened, editor, editable, onLink, onComment }: TextCommandsOptions): void {
  const sectionCommands = useSectionCommands(editor, opened)
  useCommands([
    { id: 'text', title: strings.commands.text, section: 'Go to', run: () => focusText(editor) },
    ...helpOnlyKeys.map(createHelpOnlyCommand),
    findCommand(editor),
    selectMatchCommand(editor, opened),
    ...(editable
      ? [
          toolbarCommand,
          linkCommand(editor, onLink),
          commentCommand(onComment),
          ...blockStyles.map((style) => blockStyleCommand(editor, style)),
          ...[...markGroup.items, ...formats, ...blockGroup.items, ...menuItems].map((item) =>
            textCommandOf(editor, item),
          ),
          pastePlainCommand(editor),
          ...sectionCommands,
          saveVersionCommand,
        ]
      : []),
  ])
}

/** Alt+F10 as in other editors. */
const toolbarCommand: Command = {
  id: 'toolbar',
  title: strings.commands.toolbar,
  section: 'Go to',
  keys: 'Alt+F10',
  run() {
    const ownPanel = document.activeElement?.closest('[data-pane=panel]')
    const toolbars = [
      document.querySelector('[data-selection-bubble]'),
      ownPanel?.querySelector('[role=toolbar]'),
      document.querySelector('[role=toolbar]'),
    ]
    toolbars
      .find((toolbar) => toolbar)
      ?.querySelector<HTMLElement>('[tabindex="0"]')
      ?.focus()
  },
}

/** Keys of the editor, of panels and of the comment at the selection. The help lists them also while these are not on screen. */
const helpOnlyKeys: readonly HelpOnlyKeys[] = [
  { id: 'leave-text', ...strings.commands.leaveText, section: 'Go to', keys: 'Escape' },
  { id: 'comment.send', ...strings.commands.sendComment, section: 'Text', keys: 'Mod+Enter' },
  { id: 'find.next', ...strings.commands.findNext, section: 'Go to', keys: ['F3', 'Mod+G'] },
  {
    id: 'find.previous',
    ...strings.commands.findPrevious,
    section: 'Go to',
    keys: ['Shift+F3', 'Mod+Shift+G'],
  },
  { id: 'comments.next', ...strings.commands.nextComment, section: 'Go to', keys: 'F8' },
  { id: 'comments.previous', ...strings.commands.previousComment, section: 'Go to', keys: 'Shift+F8' },
]

/** Without a selection its keys open the palette. */
const linkCommand = (editor: Editor, onLink: () => void): Command => ({
  id: 'link',
  ...strings.commands.link,
  section: 'Text',
  keys: 'Mod+K',
  keysWhen: () => !editor.state.selection.empty || editor.isActive('link'),
  run: onLink,
})

/** The selected text becomes the query, unless it spans more than one line. */
const findCommand = (editor: Editor): Command => ({
  id: 'find',
  title: strings.commands.find,
  section: 'Go to',
  keys: 'Mod+F',
  run: () => {
    const { state } = editor
    const { from, to } = state.selection
    const selected = state.doc.textBetween(from, to, '\n')
    const text = selected.includes('\n') ? '' : selected.slice(0, 200)
    dispatchPanelCommand({ panel: 'find', text, caret: lineRangeBetween(state, from, to).from })
  },
})

/** Selects the current match in the text, so that the person can edit it. */
const selectMatchCommand = (editor: Editor, opened: OpenDocument): Command => ({
  id: 'found',
  title: strings.commands.selectMatch,
  section: 'Go to',
  when: () => shownMatchesOf(opened).getState().current !== null,
  run: () => {
    const { matches, current } = shownMatchesOf(opened).getState()
    const match = matches[current ?? 0]
    textBindingOf(editor.state)?.drawRest()
    const range = match && editorRangeOf(editor.state, rangeOfMatch(match))
    if (range && editor.commands.setTextSelection(range)) focusText(editor)
  },
})

const commentCommand = (run: () => void): Command => ({
  id: 'comment',
  title: strings.commands.comment,
  section: 'Text',
  keys: 'Mod+Alt+M',
  run,
})

const saveVersionCommand: Command = {
  id: 'keep-version',
  ...strings.commands.nameVersion,
  section: 'Document',
  run: () => dispatchPanelCommand({ panel: 'history', keep: true }),
}

/** The browser itself pastes with these keys; the command needs permission to read the clipboard. */
const pastePlainCommand = (editor: Editor): Command => ({
  id: 'paste-plain',
  ...strings.commands.pastePlain,
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
    toast(strings.pasted.clipboardUnreadable(shortcutText(PASTE_PLAIN)), { id: 'pasted' })
  }
}

const blockStyleCommand = (editor: Editor, { id, name, words = '', keys }: LineStyle): Command => ({
  id: `style:${id}`,
  title: name,
  section: 'Text',
  keys,
  keysInText: true,
  words: `${strings.paragraphStyle.words} ${words}`,
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
